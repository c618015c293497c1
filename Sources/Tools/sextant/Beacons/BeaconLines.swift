internal import ClientVocabulary
internal import DaemonClient

/// Beacons as readable lines.
enum BeaconLines {
    /// The UUID, major and minor number of a beacon or of a region's beacons; major and minor are left out where any
    /// value matches.
    static func identity(of line: DaemonLine) -> String {
        let numbers = [line.integer(.major), line.integer(.minor)].compactMap { $0.map(String.init) }
        return ([line.text(.uuid) ?? "-"] + numbers).joined(separator: ",")
    }

    /// The Bluetooth radio's state in words.
    ///
    /// - Parameter beacons: The object about beacons in the daemon's `status`; nil if the daemon has no Bluetooth
    ///   radio.
    static func status(_ beacons: DaemonLine?) -> [String] {
        guard let beacons, let state = beacons.text(.state) else {
            return ["radio: none is set up; see sextant doctor --beacons"]
        }
        var words = [state]
        if let detail = beacons.text(.detail) { words.append(detail) }
        if let duty = beacons.number(.duty), duty > 0 { words.append("\(Text.fixed(duty * 100, 0)) % of the time") }
        var lines = ["radio: " + words.joined(separator: ", ")]
        if let seconds = beacons.number(.secondsListening), let scanned = beacons.number(.secondsScanned) {
            lines.append(
                "since the daemon's start: \(Text.fixed(seconds, 0)) s with a scan, \(Text.fixed(scanned, 0)) s of "
                    + "them listening")
        }
        if let regions = beacons.integer(.regions), let ranging = beacons.integer(.ranging) {
            lines.append("needed by: \(count(regions, "region")), \(count(ranging, "ranging"))")
        }
        return lines
    }

    private static func count(_ number: Int, _ noun: String) -> String { Text.plural(Double(number), noun) }

    /// A line for each beacon that has a name or a calibration, and a line with the gain in dB of the board's antenna
    /// and radio.
    static func known(_ beacons: [DaemonLine], gain: Double) -> [String] {
        var lines = beacons.map { beacon in
            let words = [
                beacon.text(.name) ?? "-", identity(of: beacon), power(of: beacon),
                beacon.text(.lastSeen).map { "last heard \($0)" } ?? "not heard since the daemon's start",
            ]
            return (words + battery(of: beacon)).joined(separator: "  ")
        }
        if lines.isEmpty { lines.append("no beacon has a name or was calibrated; see sextant beacons name --help") }
        if gain != 0 { lines.append("this board hears \(Text.fixed(gain, 1)) dB more than beacons state") }
        return lines
    }

    private static func power(of beacon: DaemonLine) -> String {
        let stated = beacon.integer(.measuredPower).map { "states \($0) dBm at 1 m" }
        let measured = beacon.integer(.calibratedPower).map { "\($0) dBm measured here" }
        let words = [stated, measured].compactMap { $0 }
        return words.isEmpty ? "power unknown" : words.joined(separator: ", ")
    }

    private static func battery(of beacon: DaemonLine) -> [String] {
        [
            beacon.number(.batteryVolts).map { "battery \(Text.fixed($0, 2)) V" },
            beacon.number(.temperature).map { "\(Text.fixed($0, 1)) °C" },
        ].compactMap { $0 }
    }

    /// The daemon's report of one second as readable lines, one for each beacon.
    static func text(of line: DaemonLine) -> [String] {
        let time = line.text(.time) ?? "time unknown            "
        let beacons = line.objects(.beacons)
        guard !beacons.isEmpty else { return ["\(time)  none is heard"] }
        return beacons.map { beacon in
            let words = [time, beacon.text(.name), identity(of: beacon), measure(of: beacon)].compactMap { $0 }
            return (words + battery(of: beacon) + senders(of: beacon)).joined(separator: "  ")
        }
    }

    private static func senders(of beacon: DaemonLine) -> [String] {
        beacon.integer(.senders).map { ["\($0) beacons send these numbers: change those of all but one"] } ?? []
    }

    private static func measure(of beacon: DaemonLine) -> String {
        guard let strength = beacon.integer(.rssi), strength != 0 else { return "not heard now" }
        guard let distance = beacon.number(.distance), let accuracy = beacon.number(.accuracy) else {
            return "\(strength) dBm  distance unknown"
        }
        return "\(strength) dBm  about \(Text.fixed(distance, 1)) m (\(beacon.text(.proximity) ?? "-"), within "
            + "\(Text.fixed(accuracy, 1)) m by 68 %)"
    }
}
