/// NAV-TIMELS (01 26): the present leap seconds, and their next or last change.
///
/// 24 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-TIMELS, message version 0; the same in
/// UBX-21035062 and UBX-22008968.
public struct NavTIMELS: FixedUBXMessage, Hashable {
    public static let messageID = UBXMessageID.navTIMELS
    static let byteCount = 24

    /// GPS time of week of the navigation epoch, in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The message version, 0.
    public var version: UInt8 = 0
    /// The source of `leapSeconds`: 0 firmware default, 2 GPS, 255 unknown; others in the document.
    public var sourceOfCurrent: UInt8 = 0
    /// The seconds by which GPS time is ahead of UTC.
    public var leapSeconds: Int8 = 0
    /// The source of the leap second event: 0 none, 2 GPS; others in the document.
    public var sourceOfChange: UInt8 = 0
    /// The change at the next leap second event, in seconds: -1, 0 or 1; 0 where no event is scheduled.
    public var change: Int8 = 0
    /// Seconds until the next leap second event; a negative value counts the seconds since the last event.
    public var secondsToEvent: Int32 = 0
    /// The GPS week of the leap second event.
    public var eventWeek: UInt16 = 0
    /// The day of the week of the leap second event, counted as its source counts: 1 to 7 from Sunday for GPS and
    /// Galileo, 0 to 6 for BeiDou.
    public var eventDay: UInt16 = 0
    /// The bit field `valid` (X1).
    public var validityFlags: UInt8 = 0

    public init() {}

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&timeOfWeekMilliseconds)
        payload.field(&version)
        payload.reserved(3)
        payload.field(&sourceOfCurrent)
        payload.field(&leapSeconds)
        payload.field(&sourceOfChange)
        payload.field(&change)
        payload.field(&secondsToEvent)
        payload.field(&eventWeek)
        payload.field(&eventDay)
        payload.reserved(3)
        payload.field(&validityFlags)
    }

    @inline(__always)
    func check(_ payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(.version, version, in: 0...0)
        if isEventValid { try require(.lsChange, change, in: -1...1) }
    }
}

extension NavTIMELS {
    public var areLeapSecondsValid: Bool { validityFlags[bit: 0] }
    public var isEventValid: Bool { validityFlags[bit: 1] }
}
