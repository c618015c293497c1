public import SextantUnits

/// The clock of an emulated host switch, with fields in binary-coded decimal; it keeps running while the host is off.
public struct EmulatedClock: Sendable {
    /// The fields of a clock chip, in the order of its registers.
    public enum Field: Int, Sendable, CaseIterable { case second, minute, hour, weekday, day, month, year }

    /// The time that the clock shows; it can differ from the true time.
    public var instant: UTCInstant { didSet { fields = nil } }
    /// The fraction by which the clock runs fast; 0.05 is 5 %.
    public var drift = 0.0
    /// Whether the clock stands still, as real clocks do after a loss of supply.
    public var isStopped = false
    /// The part of a second that has passed since the clock last counted a second, 0 to 1.
    private var rest = 0.0
    /// The fields as written, if they form no valid date and the clock therefore stands still; nil if they form one.
    private var fields: [UInt8]?

    public init(_ instant: UTCInstant) { self.instant = instant }

    /// Lets a true second pass, and returns how many seconds the clock counted in it.
    mutating func pass() -> Int {
        rest += 1 + drift
        var seconds = 0
        while rest >= 1 {
            rest -= 1
            if isStopped || fields != nil { continue }
            seconds += 1
        }
        if seconds > 0 { instant = instant.advanced(byNanoseconds: Int64(seconds) * 1_000_000_000) }
        return seconds
    }

    /// A field of the clock in binary-coded decimal; while the written fields form no valid date, the clock stands
    /// still.
    public subscript(field: Field) -> UInt8 {
        get { (fields ?? EmulatedClock.fields(of: instant))[field.rawValue] }
        set {
            var changed = fields ?? EmulatedClock.fields(of: instant)
            changed[field.rawValue] = newValue
            if let written = EmulatedClock.instant(of: changed) { instant = written } else { fields = changed }
        }
    }

    private static func fields(of instant: UTCInstant) -> [UInt8] {
        let (date, time) = (instant.date, Int(instant.timeOfDay / 1_000_000_000))
        let weekday = ((Int(date.daysSince1970) + 4) % 7 + 7) % 7
        return [time % 60, time / 60 % 60, time / 3600, weekday, Int(date.day), Int(date.month), Int(date.year) % 100]
            .map(EmulatedClock.bcd)
    }

    private static func instant(of fields: [UInt8]) -> UTCInstant? {
        let numbers = fields.map { Int($0 >> 4) * 10 + Int($0 & 0x0F) }
        guard fields.allSatisfy({ $0 & 0x0F < 10 && $0 < 0xA0 }), numbers[0] < 60, numbers[1] < 60, numbers[2] < 24,
            let date = CivilDate(year: 2000 + Int32(numbers[6]), month: UInt8(numbers[5]), day: UInt8(numbers[4]))
        else { return nil }
        let seconds = numbers[2] * 3600 + numbers[1] * 60 + numbers[0]
        return UTCInstant(date: date, timeOfDay: Int64(seconds) * 1_000_000_000)
    }

    private static func bcd(_ number: Int) -> UInt8 { UInt8((number / 10) << 4 | number % 10) }
}
