/// MGA-DBD (13 80): one entry of the receiver's navigation database, to be sent back later, unchanged, to the same
/// receiver.
///
/// 12 reserved bytes and opaque data, at most 164 bytes in all from firmware 2.01 on. A message with an empty payload
/// asks for the whole database, and the receiver ends the dump with an MGA-ACK.
/// Source: u-blox 8 / M8 receiver description (UBX-13003221), MGA-DBD; the same in UBX-21035062 and UBX-22008968.
public struct MgaDBD: Sendable, Hashable {
    public static let messageID = UBXMessageID.mgaDBD
    static let headerByteCount = 12

    /// How many data bytes follow the 12 reserved bytes; to restore the entry, a host must keep the whole payload.
    public var dataByteCount: Int

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        guard payload.count >= Self.headerByteCount else {
            throw .wrongLength(expected: Self.headerByteCount, actual: payload.count)
        }
        dataByteCount = payload.count - Self.headerByteCount
    }

    /// Appends the frame that sends an entry of the navigation database back to the receiver; `payload` is the whole
    /// payload as the receiver sent it.
    public static func encode(payload: borrowing Span<UInt8>, into bytes: inout [UInt8]) {
        UBXEncoder.append(messageID, payload: payload, into: &bytes)
    }

    /// Appends the frame that asks the receiver for its whole navigation database.
    public static func appendPoll(into bytes: inout [UInt8]) {
        UBXEncoder.appendPoll(messageID, into: &bytes)
    }
}
