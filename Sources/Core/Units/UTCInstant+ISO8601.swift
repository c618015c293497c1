extension UTCInstant {
    /// A date, or a date and a time of day: `2026-05-01`, `2026-05-01T10:30`, `2026-05-01T10:30:15.250Z`.
    ///
    /// The time is UTC, with or without the `Z`; digits past the nanosecond are cut off. Source: ISO 8601-1, extended
    /// format.
    ///
    /// - Returns: Nil where the text has another form, or states no instant from 1678 to 2261.
    public init?(iso8601 text: String) {
        guard let date = CivilDate(iso8601: text.prefix(10)), (1678...2261).contains(date.year) else { return nil }
        guard text.utf8.count > 10 else {
            self.init(date: date, timeOfDay: 0)
            return
        }
        guard let timeOfDay = UTCInstant.timeOfDay(text.utf8.dropFirst(10)) else { return nil }
        self.init(date: date, timeOfDay: timeOfDay)
    }

    /// The time of day that a text such as `T10:30:15.250Z` states, in nanoseconds since midnight.
    private static func timeOfDay(_ text: Substring.UTF8View) -> Int64? {
        guard text.first == 0x54 else { return nil }
        var digits = text.dropFirst()
        if digits.last == 0x5A { digits = digits.dropLast() }
        let parts = digits.split(separator: 0x3A, omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let hour = number(parts[0], below: 24),
            let minute = number(parts[1], below: 60)
        else { return nil }
        let whole = (hour * 60 + minute) * 60_000_000_000
        return parts.count == 2 ? whole : seconds(parts[2]).map { whole + $0 }
    }

    /// The nanoseconds of a number of seconds such as `15` or `15.250`.
    private static func seconds(_ text: Substring.UTF8View) -> Int64? {
        let parts = text.split(separator: 0x2E, maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let whole = number(first, below: 60) else { return nil }
        guard parts.count == 2 else { return whole * 1_000_000_000 }
        guard !parts[1].isEmpty, parts[1].allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        var (fraction, unit): (Int64, Int64) = (0, 100_000_000)
        for digit in parts[1].prefix(9) {
            fraction += Int64(digit - 0x30) * unit
            unit /= 10
        }
        return whole * 1_000_000_000 + fraction
    }

    /// The number that two digits write, if it is below a limit; nil otherwise.
    private static func number(_ text: Substring.UTF8View, below limit: Int64) -> Int64? {
        let digits = Array(text)
        guard digits.count == 2, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let value = Int64(digits[0] - 0x30) * 10 + Int64(digits[1] - 0x30)
        return value < limit ? value : nil
    }
}
