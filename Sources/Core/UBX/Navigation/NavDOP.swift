/// NAV-DOP (01 04): the dilutions of precision, each in units of 0.01.
///
/// 18 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-DOP; the same in UBX-21035062 and
/// UBX-22008968.
public struct NavDOP: FixedUBXMessage, Hashable {
    public static let messageID = UBXMessageID.navDOP
    static let byteCount = 18

    /// GPS time of week of the navigation epoch, in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    public var geometricE2: UInt16 = 0
    public var positionE2: UInt16 = 0
    public var timeE2: UInt16 = 0
    public var verticalE2: UInt16 = 0
    public var horizontalE2: UInt16 = 0
    public var northingE2: UInt16 = 0
    public var eastingE2: UInt16 = 0

    public init() {}

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&timeOfWeekMilliseconds)
        payload.field(&geometricE2)
        payload.field(&positionE2)
        payload.field(&timeE2)
        payload.field(&verticalE2)
        payload.field(&horizontalE2)
        payload.field(&northingE2)
        payload.field(&eastingE2)
    }
}
