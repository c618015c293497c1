internal import Epochs
internal import Parts
internal import SextantJSON

/// The receiver's own messages, for gpsd clients in `nmea` and `raw` mode: collected during one input, then sent at
/// once.
struct Passthrough: ~Copyable {
    /// The collected text in each of three forms: NMEA sentences alone; NMEA sentences, and UBX frames in hexadecimal;
    /// everything as received.
    private var sentences = TextBuffer(capacity: 2048)
    private var hexadecimal = TextBuffer(capacity: 2048)
    private var verbatim = TextBuffer(capacity: 2048)

    /// Collects one message, whose checksum is right, in each form that a gpsd client wants.
    mutating func heard(
        _ message: ReceiverStream.Message, _ bytes: borrowing Span<UInt8>, for readers: [PassthroughReader]
    ) {
        var wantsSentences = false
        var wantsHexadecimal = false
        var wantsVerbatim = false
        for reader in readers {
            switch reader.form {
            case .sentences: wantsSentences = true
            case .hexadecimal: wantsHexadecimal = true
            case .verbatim: wantsVerbatim = true
            }
        }
        switch message {
        case .sentence:
            if wantsSentences { Passthrough.appendLine(bytes, to: &sentences) }
            if wantsHexadecimal { Passthrough.appendLine(bytes, to: &hexadecimal) }
            if wantsVerbatim { Passthrough.appendLine(bytes, to: &verbatim) }
        case .frame:
            if wantsHexadecimal { Passthrough.appendHexadecimal(bytes, to: &hexadecimal) }
            if wantsVerbatim { verbatim.append(bytes) }
        }
    }

    mutating func flush(to readers: [PassthroughReader], _ turn: inout Turn) {
        guard sentences.count + hexadecimal.count + verbatim.count > 0 else { return }
        let plain = Passthrough.move(&sentences, &turn)
        let dump = Passthrough.move(&hexadecimal, &turn)
        let whole = Passthrough.move(&verbatim, &turn)
        for reader in readers {
            let range =
                switch reader.form {
                case .sentences: plain
                case .hexadecimal: dump
                case .verbatim: whole
                }
            if !range.isEmpty { turn.actions.append(.send(reader.client, range)) }
        }
    }

    private static func move(_ buffer: inout TextBuffer, _ turn: inout Turn) -> Range<Int> {
        let start = turn.text.count
        buffer.withBytes { turn.text.append($0) }
        buffer.removeAll()
        return start..<turn.text.count
    }

    private static func appendLine(_ bytes: borrowing Span<UInt8>, to buffer: inout TextBuffer) {
        buffer.append(bytes)
        buffer.append("\r\n" as StaticString)
    }

    private static func appendHexadecimal(_ bytes: borrowing Span<UInt8>, to buffer: inout TextBuffer) {
        for index in bytes.indices {
            buffer.append(digit(bytes[index] >> 4))
            buffer.append(digit(bytes[index] & 15))
        }
        buffer.append("\r\n" as StaticString)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
