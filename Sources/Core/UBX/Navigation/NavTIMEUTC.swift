public import SextantUnits

/// NAV-TIMEUTC (01 21): date and time in UTC.
///
/// 20 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-TIMEUTC; the same in UBX-21035062 and
/// UBX-22008968.
public struct NavTIMEUTC: FixedUBXMessage, NavigationSolutionMessage, Hashable {
    public static let messageID = UBXMessageID.navTIMEUTC
    static let byteCount = 20

    /// GPS time of week of the navigation epoch, in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    public var timeAccuracyNanoseconds: UInt32 = 0
    /// Nanoseconds to add to the second, -1e9 to 1e9.
    public var nanosecond: Int32 = 0
    public var year: UInt16 = 0
    public var month: UInt8 = 0
    public var day: UInt8 = 0
    public var hour: UInt8 = 0
    public var minute: UInt8 = 0
    /// The second of the UTC minute, 0 to 60; 60 is a leap second.
    public var second: UInt8 = 0
    /// The bit field `valid` (X1).
    public var validityFlags: UInt8 = 0

    public init() {}

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&timeOfWeekMilliseconds)
        payload.field(&timeAccuracyNanoseconds)
        payload.field(&nanosecond)
        payload.calendar(&year, &month, &day, &hour, &minute, &second)
        payload.field(&validityFlags)
    }

    @inline(__always)
    func check(_ payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        guard isUTCValid else { return }
        try CalendarTime.requireDate(month: month, day: day)
        try CalendarTime.requireTime(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
    }
}

extension NavTIMEUTC {
    public var isTimeOfWeekValid: Bool {
        get { validityFlags[bit: 0] }
        set { validityFlags[bit: 0] = newValue }
    }

    public var isWeekNumberValid: Bool {
        get { validityFlags[bit: 1] }
        set { validityFlags[bit: 1] = newValue }
    }

    /// Whether the receiver knows the leap seconds, so that the time is UTC.
    public var isUTCValid: Bool {
        get { validityFlags[bit: 2] }
        set { validityFlags[bit: 2] = newValue }
    }

    /// The UTC standard: 0 not known, 3 USNO, 5 Europe, 6 Russia, 7 China; other numbers in the document.
    public var utcStandard: UInt8 { validityFlags[bits: 4, count: 4] }

    /// The instant of the date and time, even if not marked valid; nil where no such instant exists.
    public var utc: UTCInstant? {
        CalendarTime.instant(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, nanosecond: nanosecond)
    }
}
