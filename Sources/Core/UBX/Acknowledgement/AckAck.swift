/// ACK-ACK (05 01): the receiver took a message of class CFG.
///
/// 2 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), ACK-ACK; the same in UBX-21035062 and
/// UBX-22008968.
public struct AckAck: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.ackAck

    /// The class and id of the message that the receiver took.
    public var acknowledged: UBXMessageID

    public init(acknowledged: UBXMessageID) {
        self.acknowledged = acknowledged
    }

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(payload, byteCount: 2)
        acknowledged = UBXMessageID(messageClass: payload[0], id: payload[1])
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(acknowledged.messageClass)
        bytes.append(acknowledged.id)
    }
}
