internal import SextantUnits

/// A `location` event as a client reads it from a line (one JSON object) of the daemon.
///
/// Only the members that are needed to score a run are kept. The line comes from the Engine, so it has no white space
/// between its members.
struct LocationLine: Equatable {
    /// The time of the position fix in Unix seconds; nil if the receiver does not state it.
    var time: Double?
    /// Degrees north.
    var latitude: Double
    /// Degrees east.
    var longitude: Double
    /// The radius that holds 68 % of the errors, in metres; nil if the receiver does not state it.
    var horizontalAccuracy: Double?

    private static let beginning: StaticString = "{\"event\":\"location\","

    /// Decodes a line (one JSON object); nil if the line is not a `location` event or contains no position.
    init?(_ line: borrowing Span<UInt8>) {
        guard LocationLine.has(line, at: 0, LocationLine.beginning) else { return nil }
        var (latitude, longitude, accuracy, time) = (Double?.none, Double?.none, Double?.none, Double?.none)
        var reader = MemberReader(index: 1)
        while let value = reader.nextValue(of: line) {
            if LocationLine.has(line, at: reader.key, "\"time\":") {
                time = LocationLine.unixSeconds(line, at: value)
            } else if LocationLine.has(line, at: reader.key, "\"latitude\":") {
                latitude = LocationLine.number(line, at: value)
            } else if LocationLine.has(line, at: reader.key, "\"longitude\":") {
                longitude = LocationLine.number(line, at: value)
            } else if LocationLine.has(line, at: reader.key, "\"horizontalAccuracy\":") {
                accuracy = LocationLine.number(line, at: value)
            }
        }
        guard let latitude, let longitude else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.time = time
        horizontalAccuracy = accuracy
    }

    /// Converts a time such as "2026-11-21T07:15:00.250Z" to Unix seconds; `quote` is the index of the quotation mark
    /// before it.
    private static func unixSeconds(_ line: borrowing Span<UInt8>, at quote: Int) -> Double? {
        guard quote + 24 < line.count else { return nil }
        var text = ""
        for index in quote + 1..<quote + 24 { text.unicodeScalars.append(Unicode.Scalar(line[index])) }
        guard let date = CivilDate(iso8601: text.prefix(10)), let hour = Int(text.dropFirst(11).prefix(2)),
            let minute = Int(text.dropFirst(14).prefix(2)), let second = Double(text.dropFirst(17))
        else { return nil }
        let midnight = UTCInstant(date: date, timeOfDay: 0)
        return Double(midnight.nanoseconds) / 1e9 + Double(hour * 3600 + minute * 60) + second
    }

    private static func has(_ line: borrowing Span<UInt8>, at index: Int, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= line.count else { return false }
        for offset in 0..<count where unsafe line[index + offset] != text.utf8Start[offset] { return false }
        return true
    }

    /// Reads a decimal number without an exponent.
    private static func number(_ line: borrowing Span<UInt8>, at start: Int) -> Double? {
        var (digits, scale, isFraction, index) = (0, 1.0, false, start)
        let isNegative = index < line.count && line[index] == 0x2D
        if isNegative { index += 1 }
        while index < line.count {
            switch line[index] {
            case 0x30...0x39:
                digits = digits &* 10 &+ Int(line[index] - 0x30)
                if isFraction { scale *= 10 }
            case 0x2E: isFraction = true
            default: return index == start ? nil : Double(isNegative ? -digits : digits) / scale
            }
            index += 1
        }
        return nil
    }
}

/// Walks through the members of a line's JSON object; objects within the object are skipped.
private struct MemberReader {
    /// The index of the opening quotation mark of the key that was found last.
    private(set) var key = 0
    private var index: Int
    private var depth = 0

    init(index: Int) { self.index = index }

    /// Advances to the next member and returns the index at which its value begins; nil if the object has no more
    /// members.
    mutating func nextValue(of line: borrowing Span<UInt8>) -> Int? {
        while index < line.count {
            switch line[index] {
            case 0x7B, 0x5B: depth += 1
            case 0x7D, 0x5D: depth -= 1
            case 0x22:
                let start = index
                skipText(line)
                guard depth == 0, index + 1 < line.count, line[index + 1] == 0x3A else { break }
                key = start
                index += 2
                return index
            default: break
            }
            index += 1
        }
        return nil
    }

    /// Advances from the opening to the closing quotation mark of a string.
    private mutating func skipText(_ line: borrowing Span<UInt8>) {
        index += 1
        while index < line.count, line[index] != 0x22 { index += line[index] == 0x5C ? 2 : 1 }
    }
}
