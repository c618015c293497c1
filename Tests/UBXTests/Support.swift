import GNSS
import Testing
import UBX

/// A payload whose bytes count up from 0, so that a field's value tells its offset.
func counting(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

/// The little-endian value of `size` bytes at `offset` of a counting payload.
func counted<Value: FixedWidthInteger>(_ offset: Int, as type: Value.Type = Value.self) -> Value {
    var value: Value = 0
    for byte in 0..<(Value.bitWidth / 8) {
        value |= Value(truncatingIfNeeded: UInt8(truncatingIfNeeded: offset + byte)) << Value(8 * byte)
    }
    return value
}

extension [UInt8] {
    /// Puts a little-endian value at `offset`.
    mutating func put(_ value: some FixedWidthInteger, at offset: Int) {
        for byte in 0..<(value.bitWidth / 8) {
            self[offset + byte] = UInt8(truncatingIfNeeded: value >> type(of: value).init(8 * byte))
        }
    }

    func putting(_ value: some FixedWidthInteger, at offset: Int) -> [UInt8] {
        var copy = self
        copy.put(value, at: offset)
        return copy
    }
}

extension UBXMessage {
    init(bytes: [UInt8]) throws(UBXPayloadError) { try self.init(payload: bytes.span) }

    var payload: [UInt8] {
        var bytes: [UInt8] = []
        appendPayload(to: &bytes)
        return bytes
    }
}

/// Checks that every length but the allowed ones is refused as such.
func expectOnlyLengths<Message: UBXMessage>(
    _ allowed: Set<Int>, _ type: Message.Type, upTo limit: Int = 128, sourceLocation: SourceLocation = #_sourceLocation
) {
    for count in 0...limit where !allowed.contains(count) {
        let refusal = #expect(throws: UBXPayloadError.self, sourceLocation: sourceLocation) {
            try Message(bytes: [UInt8](repeating: 0, count: count))
        }
        guard case .wrongLength(_, actual: count) = refusal else {
            Issue.record("length \(count) was not refused for its length", sourceLocation: sourceLocation)
            return
        }
    }
}

/// Checks that the message comes back from its frame as it went in.
func expectRoundTrip<Message: UBXMessage & Equatable>(
    _ message: Message, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let frame = message.frame
    #expect(UBXFraming.match(frame.span) == .frame(length: frame.count), sourceLocation: sourceLocation)
    #expect(UBXFraming.identifier(of: frame.span) == Message.messageID, sourceLocation: sourceLocation)
    let payload = frame.span.extracting(UBXFraming.payloadRange(frameLength: frame.count))
    #expect(try Message(payload: payload) == message, sourceLocation: sourceLocation)
}

/// Lends arrays, since a macro cannot hold a span.
extension NavSAT {
    init(bytes: [UInt8]) throws(UBXPayloadError) { try self.init(payload: bytes.span) }

    func satellite(at index: Int, in bytes: [UInt8]) -> Satellite? { satellite(at: index, in: bytes.span) }
}

extension NavSVINFO {
    init(bytes: [UInt8]) throws(UBXPayloadError) { try self.init(payload: bytes.span) }

    func satellite(at index: Int, in bytes: [UInt8]) -> Satellite? { satellite(at: index, in: bytes.span) }
}
