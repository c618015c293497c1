/// A message whose whole payload can be decoded and encoded.
public protocol UBXMessage: Sendable {
    static var messageID: UBXMessageID { get }

    init(payload: borrowing Span<UInt8>) throws(UBXPayloadError)

    func appendPayload(to bytes: inout [UInt8])
}

extension UBXMessage {
    /// Appends the whole frame.
    public func encoded(into bytes: inout [UInt8]) {
        UBXEncoder.append(Self.messageID, into: &bytes) { appendPayload(to: &$0) }
    }

    /// The whole frame in a new array.
    public var frame: [UInt8] {
        var bytes: [UInt8] = []
        encoded(into: &bytes)
        return bytes
    }
}
