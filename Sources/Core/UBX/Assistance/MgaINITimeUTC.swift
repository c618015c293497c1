public import SextantUnits

/// MGA-INI-TIME_UTC (13 40, type 0x10): tells the receiver the time, before any other assistance.
///
/// 24 bytes. The time is valid at the moment when the receiver gets the message, unless `reference` names a pulse.
/// Source: u-blox 8 / M8 receiver description (UBX-13003221), MGA-INI-TIME_UTC; the same in UBX-21035062 and
/// UBX-22008968.
public struct MgaINITimeUTC: FixedUBXMessage, Hashable {
    public static let messageID = UBXMessageID.mgaINI
    static let byteCount = 24

    /// The message type, 0x10.
    public private(set) var type: UInt8 = 0x10
    /// The message version, 0.
    public private(set) var version: UInt8 = 0
    /// The bit field `ref` (X1), the moment at which the time is valid: bits 3:0 are 0 for the message's receipt, 1 for
    /// a pulse on EXTINT0, 2 for one on EXTINT1.
    public var reference: UInt8 = 0
    /// The seconds by which GPS time is ahead of UTC; -128 where unknown.
    public var leapSeconds: Int8 = 0
    public var year: UInt16 = 0
    public var month: UInt8 = 0
    public var day: UInt8 = 0
    public var hour: UInt8 = 0
    public var minute: UInt8 = 0
    /// The second of the UTC minute, 0 to 60; 60 is a leap second.
    public var second: UInt8 = 0
    /// The nanoseconds of the second, 0 to 999 999 999.
    public var nanosecond: UInt32 = 0
    /// The largest error that the time may have: its whole seconds.
    public var accuracySeconds: UInt16 = 0
    /// The largest error that the time may have: the nanoseconds beyond its whole seconds, 0 to 999 999 999.
    public var accuracyNanoseconds: UInt32 = 0

    public init() {}

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&type)
        payload.field(&version)
        payload.field(&reference)
        payload.field(&leapSeconds)
        payload.calendar(&year, &month, &day, &hour, &minute, &second)
        payload.reserved(1)
        payload.field(&nanosecond)
        payload.field(&accuracySeconds)
        payload.reserved(2)
        payload.field(&accuracyNanoseconds)
    }

    @inline(__always)
    func check(_ payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(.type, type, in: Self.type...Self.type)
        try require(.version, version, in: 0...0)
        try CalendarTime.requireDate(month: month, day: day)
        try CalendarTime.requireTime(hour: hour, minute: minute, second: second, nanosecond: 0)
        try require(.ns, nanosecond, in: 0...999_999_999)
        try require(.tAccNs, accuracyNanoseconds, in: 0...999_999_999)
    }
}

extension MgaINITimeUTC {
    static let type: UInt8 = 0x10

    /// Makes a message whose time is valid at the moment when the receiver gets the message, and accurate to `accuracy`
    /// nanoseconds; `leapSeconds` is nil where unknown.
    public init(utc: UTCInstant, accuracyNanoseconds accuracy: UInt64, leapSeconds: Int8?) {
        self.init()
        let date = utc.date
        let seconds = utc.timeOfDay / 1_000_000_000
        self.leapSeconds = leapSeconds ?? -128
        year = UInt16(clamping: date.year)
        month = date.month
        day = date.day
        hour = UInt8(clamping: seconds / 3600)
        minute = UInt8(clamping: seconds / 60 % 60)
        second = UInt8(clamping: seconds % 60)
        nanosecond = UInt32(clamping: utc.timeOfDay % 1_000_000_000)
        accuracySeconds = UInt16(clamping: accuracy / 1_000_000_000)
        accuracyNanoseconds = UInt32(clamping: accuracy % 1_000_000_000)
    }

    /// The instant that the message states; nil where no such instant exists.
    public var utc: UTCInstant? {
        CalendarTime.instant(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            nanosecond: Int32(clamping: nanosecond))
    }
}
