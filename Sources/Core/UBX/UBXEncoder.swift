/// Writes UBX frames.
public enum UBXEncoder {
    /// Appends a frame that carries `payload`.
    public static func append(_ id: UBXMessageID, payload: borrowing Span<UInt8>, into bytes: inout [UInt8]) {
        precondition(payload.count <= Int(UInt16.max), "a UBX length has 16 bits")
        let start = appendHeader(id, length: UInt16(payload.count), into: &bytes)
        for index in payload.indices { bytes.append(payload[index]) }
        finish(from: start, in: &bytes)
    }

    /// Appends a frame; the closure `body` appends the payload, between the header and the checksum.
    static func append(_ id: UBXMessageID, into bytes: inout [UInt8], body: (inout [UInt8]) -> Void) {
        let start = appendHeader(id, length: 0, into: &bytes)
        body(&bytes)
        let length = bytes.count - start - UBXFraming.headerByteCount
        precondition(length <= Int(UInt16.max), "a UBX length has 16 bits")
        bytes[start + 4] = UInt8(truncatingIfNeeded: length)
        bytes[start + 5] = UInt8(truncatingIfNeeded: length >> 8)
        finish(from: start, in: &bytes)
    }

    /// Appends a frame with an empty payload, which asks the receiver to send the message or setting of this id.
    public static func appendPoll(_ id: UBXMessageID, into bytes: inout [UInt8]) {
        append(id, into: &bytes) { _ in }
    }

    private static func appendHeader(_ id: UBXMessageID, length: UInt16, into bytes: inout [UInt8]) -> Int {
        let start = bytes.count
        bytes.append(UBXFraming.sync1)
        bytes.append(UBXFraming.sync2)
        bytes.append(id.messageClass)
        bytes.append(id.id)
        bytes.append(littleEndian: length)
        return start
    }

    private static func finish(from start: Int, in bytes: inout [UInt8]) {
        let checksum = Fletcher8(of: bytes.span.extracting((start + 2)...))
        bytes.append(checksum.a)
        bytes.append(checksum.b)
    }
}
