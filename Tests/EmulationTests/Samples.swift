import Emulation
import GNSS
import Glibc
import SextantUnits
import Testing

/// What the suites share: an emulated receiver, and its bytes taken apart again without the room's own framing.
enum Samples {
    static let place = SyntheticDrive.Start(latitude: 52.52, longitude: 13.405, altitudeAboveMeanSeaLevel: 34)

    /// 2026-03-01T10:00:00Z, a Sunday.
    static let start = UTCInstant(nanoseconds: 1_772_359_200_000_000_000)

    static func configuration(_ output: SyntheticReceiver.Output) -> SyntheticReceiver.Configuration {
        var configuration = SyntheticReceiver.Configuration(seed: 7, startTime: start)
        configuration.output = output
        return configuration
    }

    static func receiver(_ configuration: SyntheticReceiver.Configuration) -> SyntheticReceiver {
        SyntheticReceiver(
            drive: SyntheticDrive(start: place, seed: 3),
            sky: SyntheticSky(constellations: SyntheticSky.allConstellations, longitude: place.longitude, seed: 5),
            configuration: configuration
        )
    }

    static func bursts(_ count: Int, _ configuration: SyntheticReceiver.Configuration) -> [Burst] {
        var receiver = receiver(configuration)
        return (0..<count).map { _ in receiver.nextBurst() }
    }

    /// A message: a sentence's body, or a frame's class, id and payload.
    enum Message: Equatable {
        case sentence(String)
        case frame(UInt8, UInt8, [UInt8])

        /// `GNRMC`, or the frame's id.
        var name: String {
            switch self {
            case .sentence(let body): String(body.prefix(5))
            case .frame(_, let id, _): "UBX-\(id)"
            }
        }
    }

    /// Every byte must belong to a message with a right checksum; nil otherwise.
    static func messages(_ bytes: [UInt8]) -> [Message]? {
        var messages: [Message] = []
        var rest = bytes[...]
        while let first = rest.first {
            if first == 0x24 {
                guard let star = rest.firstIndex(of: 0x2A), rest.endIndex >= star + 5 else { return nil }
                let body = rest[(rest.startIndex + 1)..<star]
                let text = String(decoding: rest[(star + 1)..<(star + 3)], as: UTF8.self)
                guard UInt8(text, radix: 16) == body.reduce(0, ^), Array(rest[(star + 3)..<(star + 5)]) == [13, 10]
                else { return nil }
                messages.append(.sentence(String(decoding: body, as: UTF8.self)))
                rest = rest[(star + 5)...]
            } else {
                let head = Array(rest.prefix(6))
                guard head.count == 6, head[0] == 0xB5, head[1] == 0x62 else { return nil }
                let length = Int(head[4]) + 256 * Int(head[5])
                let frame = Array(rest.prefix(length + 8))
                guard frame.count == length + 8 else { return nil }
                var (a, b) = (0, 0)
                for byte in frame[2..<(length + 6)] { (a, b) = ((a + Int(byte)) % 256, (b + a + Int(byte)) % 256) }
                guard Int(frame[length + 6]) == a, Int(frame[length + 7]) == b else { return nil }
                messages.append(.frame(frame[2], frame[3], Array(frame[6..<(length + 6)])))
                rest = rest.dropFirst(length + 8)
            }
        }
        return messages
    }

    static func payloads(_ bursts: [Burst], id: UInt8) -> [[UInt8]] {
        bursts.flatMap { messages($0.bytes) ?? [] }.compactMap { message in
            guard case .frame(0x01, id, let payload) = message else { return nil }
            return payload
        }
    }

    static func sentences(_ burst: Burst) -> [[String]] {
        (messages(burst.bytes) ?? []).compactMap { message in
            guard case .sentence(let body) = message else { return nil }
            return body.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    static func uint32(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<(offset + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    static func int32(_ bytes: [UInt8], _ offset: Int) -> Int32 { Int32(bitPattern: uint32(bytes, offset)) }

    // MARK: recordings

    /// The shared recordings, beside the package or where `SEXTANT_SHARED` says.
    static func recording(_ name: String) -> [UInt8]? {
        let named = unsafe getenv("SEXTANT_SHARED").map { unsafe String(cString: $0) }
        let packageRoot = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        return contents(of: (named ?? packageRoot + "/../shared") + "/data/gpsd/" + name)
    }

    static let hasRecordings = recording("ublox-8.log") != nil
    static let noRecordings: Comment = "no shared/data/gpsd beside the package, nor under SEXTANT_SHARED"

    private static func contents(of path: String) -> [UInt8]? {
        guard let file = unsafe fopen(path, "rb") else { return nil }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }
}
