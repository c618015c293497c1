/// NAV-DOP (01 04): dilution of precision, each times 100.
///
/// 18 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-DOP; the same in UBX-21035062 and
/// UBX-22008968.
public struct NavDOP: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.navDOP
    static let byteCount = 18

    /// GPS time of week of the navigation epoch.
    public var timeOfWeekMilliseconds: UInt32 = 0
    public var geometricE2: UInt16 = 0
    public var positionE2: UInt16 = 0
    public var timeE2: UInt16 = 0
    public var verticalE2: UInt16 = 0
    public var horizontalE2: UInt16 = 0
    public var northingE2: UInt16 = 0
    public var eastingE2: UInt16 = 0

    public init() {}

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(payload, byteCount: Self.byteCount)
        timeOfWeekMilliseconds = payload.uint32(at: 0)
        geometricE2 = payload.uint16(at: 4)
        positionE2 = payload.uint16(at: 6)
        timeE2 = payload.uint16(at: 8)
        verticalE2 = payload.uint16(at: 10)
        horizontalE2 = payload.uint16(at: 12)
        northingE2 = payload.uint16(at: 14)
        eastingE2 = payload.uint16(at: 16)
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: timeOfWeekMilliseconds)
        bytes.append(littleEndian: geometricE2)
        bytes.append(littleEndian: positionE2)
        bytes.append(littleEndian: timeE2)
        bytes.append(littleEndian: verticalE2)
        bytes.append(littleEndian: horizontalE2)
        bytes.append(littleEndian: northingE2)
        bytes.append(littleEndian: eastingE2)
    }
}
