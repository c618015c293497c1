/// Writes NMEA sentences.
public enum NMEAEncoder {
    /// Appends `$`, the body, `*`, the body's checksum and the line end.
    ///
    /// - Parameters:
    ///   - body: Address and fields, ASCII, without `$` and `*`.
    ///   - output: The bytes to which the sentence is appended.
    public static func append(_ body: borrowing Span<UInt8>, to output: inout [UInt8]) {
        output.append(0x24)
        var checksum: UInt8 = 0
        for index in body.indices {
            output.append(body[index])
            checksum ^= body[index]
        }
        appendChecksum(checksum, to: &output)
    }

    /// Appends `$`, the body, `*`, the body's checksum and the line end.
    public static func append(_ body: String, to output: inout [UInt8]) {
        var body = body
        body.withUTF8 { append(unsafe $0.span, to: &output) }
    }

    /// Completes a sentence whose `$` and body begin at `start` of `output`: appends `*`, the checksum and the line
    /// end.
    public static func finish(sentenceAt start: Int, in output: inout [UInt8]) {
        var checksum: UInt8 = 0
        for index in start + 1..<output.count { checksum ^= output[index] }
        appendChecksum(checksum, to: &output)
    }

    private static func appendChecksum(_ checksum: UInt8, to output: inout [UInt8]) {
        output.append(0x2A)
        output.append(digit(checksum >> 4))
        output.append(digit(checksum & 0x0F))
        output.append(0x0D)
        output.append(0x0A)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}
