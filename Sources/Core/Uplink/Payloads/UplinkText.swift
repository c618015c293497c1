internal import SextantJSON

/// The 32 random bits that identify a queue; a record is identified by these bits and its number.
public enum UplinkSeries {
    /// The 32 random bits of a queue as 8 hexadecimal digits, the form that all messages and status.json use.
    public static func text(_ series: UInt32) -> String {
        let digits = String(series, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }
}

/// Functions that build the bytes of a message or of a record.
enum UplinkText {
    static func bytes(capacity: Int = 512, _ write: (inout TextBuffer) -> Void) -> [UInt8] {
        var text = TextBuffer(capacity: capacity)
        write(&text)
        return text.withBytes { span in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(span.count)
            for index in span.indices { bytes.append(span[index]) }
            return bytes
        }
    }

    /// Appends what stands between the braces of a JSON object, and then a comma.
    static func appendMembers(of object: [UInt8], to text: inout TextBuffer) {
        guard object.count > 2 else { return }
        text.append(object.span.extracting(1..<object.count - 1))
        text.append(0x2C)
    }
}

extension TextBuffer {
    mutating func member(_ key: StaticString, _ texts: [String]) {
        beginArray(key)
        for text in texts { value(text) }
        endArray()
    }
}
