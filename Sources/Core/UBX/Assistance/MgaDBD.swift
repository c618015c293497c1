/// MGA-DBD (13 80): one entry of the receiver's navigation database, to be given back to the same receiver unchanged.
///
/// 12 reserved bytes and opaque data, at most 164 bytes in all from firmware 2.01 on; an empty one asks for the whole
/// database, and the receiver ends it with an MGA-ACK.
/// Source: u-blox 8 / M8 receiver description (UBX-13003221), MGA-DBD; the same in UBX-21035062 and UBX-22008968.
public struct MgaDBD: Sendable, Hashable {
    public static let messageID = UBXMessageID.mgaDBD
    static let headerByteCount = 12

    /// How many bytes of data follow the reserved ones; all of the payload is to be kept.
    public var dataByteCount: Int

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        guard payload.count >= Self.headerByteCount else {
            throw .wrongLength(expected: Self.headerByteCount, actual: payload.count)
        }
        dataByteCount = payload.count - Self.headerByteCount
    }

    /// Appends the frame that gives an entry back; `payload` is all of the payload that came.
    public static func encode(payload: borrowing Span<UInt8>, into bytes: inout [UInt8]) {
        UBXEncoder.append(messageID, payload: payload, into: &bytes)
    }

    /// Appends the frame that asks for the whole database.
    public static func appendPoll(into bytes: inout [UInt8]) {
        UBXEncoder.appendPoll(messageID, into: &bytes)
    }
}
