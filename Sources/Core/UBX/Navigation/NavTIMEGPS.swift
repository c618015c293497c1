/// NAV-TIMEGPS (01 20): GPS time, and the leap seconds if known.
///
/// 16 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-TIMEGPS; the same in UBX-21035062 and
/// UBX-22008968.
public struct NavTIMEGPS: FixedUBXMessage, NavigationSolutionMessage, Hashable {
    public static let messageID = UBXMessageID.navTIMEGPS
    static let byteCount = 16

    /// GPS time of week of the navigation epoch, in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// Nanoseconds to add to the rounded time of week, ±500 000.
    public var timeOfWeekFractionNanoseconds: Int32 = 0
    /// The full GPS week, not modulo 1024.
    public var week: Int16 = 0
    /// The seconds by which GPS time is ahead of UTC.
    public var leapSeconds: Int8 = 0
    /// The bit field `valid` (X1).
    public var validityFlags: UInt8 = 0
    public var timeAccuracyNanoseconds: UInt32 = 0

    public init() {}

    public init(
        timeOfWeekMilliseconds: UInt32,
        timeOfWeekFractionNanoseconds: Int32,
        week: Int16,
        leapSeconds: Int8,
        validityFlags: UInt8,
        timeAccuracyNanoseconds: UInt32
    ) {
        self.timeOfWeekMilliseconds = timeOfWeekMilliseconds
        self.timeOfWeekFractionNanoseconds = timeOfWeekFractionNanoseconds
        self.week = week
        self.leapSeconds = leapSeconds
        self.validityFlags = validityFlags
        self.timeAccuracyNanoseconds = timeAccuracyNanoseconds
    }

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&timeOfWeekMilliseconds)
        payload.field(&timeOfWeekFractionNanoseconds)
        payload.field(&week)
        payload.field(&leapSeconds)
        payload.field(&validityFlags)
        payload.field(&timeAccuracyNanoseconds)
    }

    @inline(__always)
    func check(_ payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        if isTimeOfWeekValid { try require(.fTOW, timeOfWeekFractionNanoseconds, in: -500_000...500_000) }
    }
}

extension NavTIMEGPS {
    public var isTimeOfWeekValid: Bool { validityFlags[bit: 0] }
    public var isWeekValid: Bool { validityFlags[bit: 1] }
    public var areLeapSecondsValid: Bool { validityFlags[bit: 2] }
}
