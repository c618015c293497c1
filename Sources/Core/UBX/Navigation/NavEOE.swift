/// NAV-EOE (01 61): the last message of a navigation epoch.
///
/// 4 bytes; protocol version 18 and later. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-EOE; the same
/// in UBX-21035062 and UBX-22008968.
public struct NavEOE: FixedUBXMessage, Hashable {
    public static let messageID = UBXMessageID.navEOE
    static let byteCount = 4

    /// GPS time of week of the navigation epoch, in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0

    public init() {}

    public init(timeOfWeekMilliseconds: UInt32) {
        self.timeOfWeekMilliseconds = timeOfWeekMilliseconds
    }

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&timeOfWeekMilliseconds)
    }
}
