public import Hardware

/// The harness's answer to the daemon's I2C transfer: `{"i2c":"hex"}` or `{"i2cFault":"noAcknowledge"}`.
public enum BenchTransferAnswer: Sendable, Equatable {
    /// The bytes that were read from the chip; empty after a write or a wait.
    case bytes([UInt8])
    case fault(BusError.Kind)
}

extension BenchTransferAnswer {
    /// Decodes a line with an answer.
    public static func decode(_ line: [UInt8]) throws(BenchFormatError) -> BenchTransferAnswer {
        let members = try BenchText.members(of: line)
        switch (members.first?.key, members.first?.value, members.count) {
        case ("i2c", .text(let text), 1):
            let bytes = try BenchText.bytes("i2c", hexadecimal: text)
            guard bytes.count <= RegisterBytes.capacity else { throw BenchFormatError("i2c: more than 32 bytes") }
            return .bytes(bytes)
        case ("i2cFault", .text(let text), 1):
            guard let kind = BusError.Kind.allCases.first(where: { "\($0)" == text }) else {
                throw BenchFormatError("i2cFault: \(text): no such fault")
            }
            return .fault(kind)
        default: throw BenchFormatError("\(members.first?.key ?? "{}"): no answer to a transfer")
        }
    }

    /// Encodes the answer as one line of JSON, including the newline.
    public func encoded() -> [UInt8] {
        var line: [UInt8] = [UInt8(ascii: "{")]
        switch self {
        case .bytes(let bytes): BenchText.append("i2c", hexadecimal: bytes, to: &line)
        case .fault(let kind): BenchText.append("i2cFault", text: "\(kind)", to: &line)
        }
        line += "}\n".utf8
        return line
    }
}
