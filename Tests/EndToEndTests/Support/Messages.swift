/// Checked messages in raw bytes, told apart with no part in common with the product's own code.
enum Messages {
    /// Whole NMEA sentences with a right checksum and whole UBX frames, in order; sentences with their line ends.
    static func checked(in bytes: [UInt8]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            if let length = sentenceLength(bytes[start...]) ?? frameLength(bytes[start...]) {
                messages.append(Array(bytes[start..<start + length]))
                start += length
            } else {
                start += 1
            }
        }
        return messages
    }

    static func isRight(sentence: String) -> Bool {
        let bytes = Array((sentence + "\r\n").utf8)
        return sentenceLength(bytes[...]) == bytes.count
    }

    private static func sentenceLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.first == UInt8(ascii: "$"), let end = bytes.firstIndex(of: 0x0A), bytes[end - 1] == 0x0D else {
            return nil
        }
        let line = bytes[bytes.startIndex + 1..<end - 1]
        guard line.count > 3, let star = line.lastIndex(of: UInt8(ascii: "*")), line.endIndex - star == 3,
            let written = UInt8(String(decoding: line[(star + 1)...], as: UTF8.self), radix: 16),
            line[..<star].reduce(0, ^) == written, !line[..<star].contains(UInt8(ascii: "$"))
        else { return nil }
        return end + 1 - bytes.startIndex
    }

    private static func frameLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        let start = bytes.startIndex
        guard bytes.count >= 8, bytes[start] == 0xB5, bytes[start + 1] == 0x62 else { return nil }
        let length = Int(bytes[start + 4]) | Int(bytes[start + 5]) << 8
        guard bytes.count >= length + 8 else { return nil }
        var (a, b): (UInt8, UInt8) = (0, 0)
        for byte in bytes[start + 2..<start + 6 + length] {
            a &+= byte
            b &+= a
        }
        return a == bytes[start + 6 + length] && b == bytes[start + 7 + length] ? length + 8 : nil
    }
}
