/// MON-RXR (0A 21): the receiver woke, or is going to sleep.
///
/// 1 byte, sent on change. Source: u-blox 8 / M8 receiver description (UBX-13003221), MON-RXR; the same in UBX-21035062
/// and UBX-22008968.
public struct MonRXR: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.monRXR

    public var isAwake: Bool

    public init(isAwake: Bool) {
        self.isAwake = isAwake
    }

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(payload, byteCount: 1)
        isAwake = payload[0][bit: 0]
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(isAwake ? 1 : 0)
    }
}
