import NMEA0183
import SextantUnits
import UBX

/// A message that contains a time, found in a recording of a receiver.
struct TimedMessage: Sendable {
    private enum Time {
        /// Nanoseconds since midnight UTC.
        case utc(Int64)
        /// Milliseconds of the GPS week.
        case gps(UInt32)
    }

    let position: Int
    private let time: Time
    /// GPS time minus UTC in seconds; nil if the message does not give both times.
    let leapSeconds: Int64?

    /// Nanoseconds since midnight UTC.
    func timeOfDay(leapSeconds: Int64) -> Int64? {
        switch time {
        case .utc(let nanoseconds):
            nanoseconds
        case .gps(let milliseconds):
            (Int64(milliseconds) * 1_000_000 - leapSeconds * 1_000_000_000 + UTCInstant.nanosecondsPerDay)
                % UTCInstant.nanosecondsPerDay
        }
    }

    /// All complete messages that have a correct checksum and contain a time, in order; other bytes are skipped.
    static func all(in bytes: [UInt8], from start: Int) -> [TimedMessage] {
        var messages: [TimedMessage] = []
        var position = start
        while position < bytes.count {
            if let end = frameEnd(in: bytes, at: position) {
                if let message = TimedMessage(frame: bytes[position..<end]) { messages.append(message) }
                position = end
            } else if let end = sentenceEnd(in: bytes, at: position) {
                if let message = TimedMessage(sentence: bytes[position..<end]) { messages.append(message) }
                position = end
            } else {
                position += 1
            }
        }
        return messages
    }

    // MARK: UBX

    /// The identifiers of the UBX-NAV messages whose payload begins with iTOW.
    private static let timeFirst: Set<UInt8> = [
        0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x11, 0x12, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x30, 0x31,
        0x32, 0x34, 0x35, 0x36, 0x39, 0x42, 0x43, 0x60, 0x61,
    ]
    /// The identifiers of the UBX-NAV messages whose payload has iTOW at byte 4.
    private static let timeAtFour: Set<UInt8> = [0x09, 0x13, 0x14, 0x3B, 0x3C]

    private static func frameEnd(in bytes: [UInt8], at start: Int) -> Int? {
        guard case .frame(let length) = UBXFraming.match(bytes.span.extracting(start...)) else { return nil }
        return start + length
    }

    private init?(frame: ArraySlice<UInt8>) {
        let payload = Array(frame.dropFirst(6).dropLast(2))
        let (messageClass, id) = (frame[frame.startIndex + 2], frame[frame.startIndex + 3])
        guard messageClass == 0x01 else { return nil }
        let offset = Self.timeFirst.contains(id) ? 0 : 4
        guard offset == 0 || Self.timeAtFour.contains(id), payload.count >= offset + 4 else { return nil }
        let milliseconds = payload[offset..<(offset + 4)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard milliseconds < 604_800_000 else { return nil }
        position = frame.startIndex
        time = .gps(milliseconds)
        leapSeconds = id == 0x07 ? Self.leapSeconds(ofNavPVT: payload, milliseconds: milliseconds) : nil
    }

    private static func leapSeconds(ofNavPVT payload: [UInt8], milliseconds: UInt32) -> Int64? {
        guard payload.count >= 84, payload[11] & 0x07 == 0x07 else { return nil }
        let seconds = Int64(payload[8]) * 3600 + Int64(payload[9]) * 60 + Int64(payload[10])
        let fraction = payload[16..<20].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let utc = seconds * 1_000_000_000 + Int64(Int32(bitPattern: fraction))
        let difference = Int64(milliseconds) * 1_000_000 - utc + 500_000_000 + 2 * UTCInstant.nanosecondsPerDay
        let leap = difference % UTCInstant.nanosecondsPerDay / 1_000_000_000
        return leap <= 60 ? leap : nil
    }

    // MARK: NMEA

    /// For each NMEA sentence type with a time, the index of the field that holds the time.
    private static let timeField: [String: Int] = [
        "RMC": 1, "GGA": 1, "GNS": 1, "ZDA": 1, "GST": 1, "GBS": 1, "GRS": 1, "GLL": 5,
    ]

    private static func sentenceEnd(in bytes: [UInt8], at start: Int) -> Int? {
        var fields = NMEAFields()
        guard case .sentence(let length) = NMEAFraming.match(bytes.span.extracting(start...), fields: &fields) else {
            return nil
        }
        return start + length
    }

    private init?(sentence: ArraySlice<UInt8>) {
        let fields = sentence.dropFirst().dropLast(3).split(
            separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard let address = fields.first, address.count == 5,
            let index = Self.timeField[String(decoding: address.suffix(3), as: UTF8.self)], index < fields.count,
            let nanoseconds = Self.timeOfDay(fields[index])
        else { return nil }
        position = sentence.startIndex
        time = .utc(nanoseconds)
        leapSeconds = nil
    }

    /// Reads `hhmmss` with any number of decimals and returns nanoseconds since midnight.
    private static func timeOfDay(_ field: ArraySlice<UInt8>) -> Int64? {
        let parts = field.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, whole.count == 6, let clock = number(whole) else { return nil }
        let (hours, minutes, seconds) = (clock / 10_000, clock / 100 % 100, clock % 100)
        guard hours < 24, minutes < 60, seconds < 61 else { return nil }
        let decimals = parts.count > 1 ? Array((parts[1] + [UInt8](repeating: 0x30, count: 9)).prefix(9)) : [0x30]
        guard let fraction = number(decimals[...]) else { return nil }
        return (hours * 3600 + minutes * 60 + seconds) * 1_000_000_000 + fraction
    }

    private static func number(_ text: ArraySlice<UInt8>) -> Int64? {
        guard text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return text.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
}
