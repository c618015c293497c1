/// ACK-NAK (05 00): the receiver refused a message of class CFG.
///
/// 2 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), ACK-NAK; the same in UBX-21035062 and
/// UBX-22008968.
public struct AckNak: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.ackNak

    /// The class and id of the message that the receiver refused.
    public var refused: UBXMessageID

    public init(refused: UBXMessageID) {
        self.refused = refused
    }

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(payload, byteCount: 2)
        refused = UBXMessageID(messageClass: payload[0], id: payload[1])
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(refused.messageClass)
        bytes.append(refused.id)
    }
}
