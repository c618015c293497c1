internal import Glibc
internal import Monitors
internal import SextantUnits

/// The received strengths of one sender at one known distance.
public struct RecordedBeacon: Sendable {
    /// The name that the set of recordings gives the AirTag, or the person who carried the phone.
    public var sender: String
    /// Unit: metre.
    public var distance: Double
    /// The mean received strength at a distance of 1 m, in dBm; a calibrated beacon states this value in its
    /// advertisements.
    public var power: Double
    public var readings: [BeaconReading]
}

public struct BeaconReading: Sendable {
    /// Unit: dBm.
    public var strength: Double
    public var seconds: Double
}

extension [RecordedBeacon] {
    /// Calibrates each sender at its recorded distances nearest to the given ones, in metres, and returns the sender's
    /// other recordings.
    ///
    /// The recordings used for calibration are left out, because scoring them would not be independent.
    public func calibrated(at distances: [Double]) -> [RecordedBeacon] {
        Dictionary(grouping: self, by: \.sender).sorted { $0.key < $1.key }.flatMap { _, mine in
            let there = Set(mine.map(\.distance)).sorted()
            let chosen = Set(
                distances.compactMap { wanted in there.min { abs(log($0 / wanted)) < abs(log($1 / wanted)) } })
            let heard = chosen.sorted().map { metres in
                let strengths = mine.filter { $0.distance == metres }.flatMap(\.readings).map(\.strength)
                return (metres: metres, strength: strengths.reduce(0, +) / Double(strengths.count))
            }
            let power = BeaconDistance.Model.usual.power(fitting: heard)
            return mine.filter { !chosen.contains($0.distance) }.map { place in
                var place = place
                place.power = power
                return place
            }
        }
    }
}

/// The sets of recordings that were made at known distances.
public enum BeaconRecording: Sendable, CaseIterable {
    /// AirTags received by an nRF52840 at 0.1 to 10 m; tags with fewer than 5 readings at 1.0 m are left out.
    case tags
    /// Phones on the bodies of two people, 0.6 to 4.6 m apart and at eight angles; distances and angles with fewer than
    /// 10 readings are left out.
    case phones

    public var name: String {
        switch self {
        case .tags: "A, AirTags"
        case .phones: "C, phones"
        }
    }

    public var path: String {
        switch self {
        case .tags: "airtags-indoor-outdoor/Experiment_3.csv"
        case .phones: "phones-range-angle"
        }
    }

    /// - Returns: One element for each sender, distance and angle; nil if the recordings are absent.
    public func places(in folder: String) throws -> [RecordedBeacon]? {
        switch self {
        case .tags: BeaconFile.lines("\(folder)/\(path)").map(BeaconRecording.tags)
        case .phones: BeaconRecording.phones("\(folder)/\(path)")
        }
    }

    private struct Key: Hashable, Comparable {
        var sender: String
        var distance: Double
        /// The angle of the phones as the file states it; empty if the set has only one recording for each sender and
        /// distance.
        var part = ""

        static func < (left: Key, right: Key) -> Bool {
            (left.sender, left.distance, left.part) < (right.sender, right.distance, right.part)
        }
    }

    private static func tags(_ lines: [Substring]) -> [RecordedBeacon] {
        var readings: [Key: [BeaconReading]] = [:]
        for line in lines {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count == 4, let strength = Double(fields[0]), let distance = Double(fields[3]),
                let seconds = BeaconFile.seconds(fields[2])
            else { continue }
            let reading = BeaconReading(strength: strength, seconds: seconds)
            readings[Key(sender: String(fields[1]), distance: distance), default: []].append(reading)
        }
        return readings.sorted { $0.key < $1.key }.compactMap { key, heard in
            let near = readings[Key(sender: key.sender, distance: 1)] ?? []
            guard key.distance > 0, near.count >= 5 else { return nil }
            return RecordedBeacon(sender: key.sender, distance: key.distance, power: mean(near), readings: heard)
        }
    }

    private static func phones(_ folder: String) -> [RecordedBeacon]? {
        guard let users = BeaconFile.names(folder)?.filter({ $0.hasPrefix("user") }) else { return nil }
        var readings: [Key: [BeaconReading]] = [:]
        for user in users {
            for file in BeaconFile.names("\(folder)/\(user)") ?? [] {
                read(BeaconFile.lines("\(folder)/\(user)/\(file)") ?? [], user, into: &readings)
            }
        }
        let nearest = 3 * metresPerFoot
        return readings.sorted { $0.key < $1.key }.compactMap { key, heard in
            let near = readings.filter { $0.key.sender == key.sender && $0.key.distance == nearest }.flatMap(\.value)
            guard heard.count >= 10, !near.isEmpty else { return nil }
            return RecordedBeacon(sender: key.sender, distance: key.distance, power: mean(near), readings: heard)
        }
    }

    private static let metresPerFoot = 0.3048

    private static func read(_ lines: [Substring], _ user: String, into readings: inout [Key: [BeaconReading]]) {
        var key = Key(sender: user, distance: .nan)
        for line in lines {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count >= 3 else { continue }
            switch fields[1] {
            case "Range": key.distance = (Double(fields[2]) ?? .nan) * metresPerFoot
            case "Angle": key.part = String(fields[2])
            case "Bluetooth" where fields.count >= 5 && fields[4] == "BlueProxTx":
                guard let strength = Double(fields[3]), strength > -110, strength < 0, key.distance > 0,
                    let seconds = BeaconFile.seconds(fields[0])
                else { continue }
                readings[key, default: []].append(BeaconReading(strength: strength, seconds: seconds))
            default: break
            }
        }
    }

    private static func mean(_ readings: [BeaconReading]) -> Double {
        readings.reduce(0) { $0 + $1.strength } / Double(readings.count)
    }
}

enum BeaconFile {
    static func lines(_ path: String) -> [Substring]? {
        guard let file = unsafe fopen(path, "re") else { return nil }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe fread(&chunk, 1, chunk.count, file)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) }
            bytes += chunk[..<count]
        }
    }

    static func names(_ path: String) -> [String]? {
        guard let folder = unsafe opendir(path) else { return nil }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// Converts a time such as `2024-09-12 09:45:00.250` to seconds since an arbitrary start: only differences matter.
    static func seconds(_ text: Substring) -> Double? {
        guard let space = text.firstIndex(of: " ") else { return nil }
        let instant = UTCInstant(iso8601: "\(text[..<space])T\(text[text.index(after: space)...])Z")
        return instant.map { Double($0.nanoseconds / 1_000_000) / 1000 - 1_500_000_000 }
    }
}
