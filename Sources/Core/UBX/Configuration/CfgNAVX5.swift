/// CFG-NAVX5 (06 23): the navigation engine's expert settings; this project uses only `ackAid`, which makes the
/// receiver acknowledge assistance messages.
///
/// 40 bytes. Not on M10 or later, which use CFG-VALSET. Source: u-blox 8 / M8 receiver description (UBX-13003221),
/// CFG-NAVX5.
public struct CfgNAVX5: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.cfgNAVX5
    static let byteCount = 40

    /// The message version: 0 before protocol version 18, 2 from version 18 on, 3 on some products.
    public var version: UInt16
    /// The bit field `mask1` (X2), which names the settings to apply.
    public var mask: UInt16
    /// Whether the receiver answers each assistance message with MGA-ACK.
    public var acknowledgesAiding: Bool

    public init(version: UInt16, mask: UInt16, acknowledgesAiding: Bool) {
        self.version = version
        self.mask = mask
        self.acknowledgesAiding = acknowledgesAiding
    }

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(payload, byteCount: Self.byteCount)
        version = payload.uint16(at: 0)
        mask = payload.uint16(at: 2)
        acknowledgesAiding = payload[17] != 0
        try require(.version, version, in: 0...3)
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: version)
        bytes.append(littleEndian: mask)
        bytes.append(reserved: 13)
        bytes.append(acknowledgesAiding ? 1 : 0)
        bytes.append(reserved: 22)
    }
}

extension CfgNAVX5 {
    /// `ackAid`, bit 10 of `mask1`: the message sets `acknowledgesAiding`.
    public static let appliesAcknowledgedAiding: UInt16 = 0x0400
}
