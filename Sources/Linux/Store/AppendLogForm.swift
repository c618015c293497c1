internal import Units

/// The form of an append log: a head, and records one behind the other; all numbers little-endian.
///
/// The head is "SXLOG1" and two zero bytes, the sequence before the first one (8 bytes), and the CRC-32 of these 16
/// bytes; a later form has another figure there, and the same head. A record is its payload's length (4 bytes), the CRC-32 of all the rest of it and of the length (4), its
/// sequence (8), its kind (1), and the payload.
enum AppendLogForm {
    enum Kind: UInt8 {
        case record = 0
        /// Every record up to this sequence was acknowledged; no payload.
        case acknowledgement = 1
    }

    struct Frame: Equatable {
        var kind: Kind
        var sequence: UInt64
        /// Where the payload stands.
        var payload: Range<Int>
        /// Where the frame begins.
        var start: Int
        var end: Int { payload.upperBound }
    }

    static let headBytes = 20
    static let frameBytes = 17
    static let version = 1
    private static let magic: [UInt8] = Array("SXLOG\(version)\0\0".utf8)

    static func head(after sequence: UInt64) -> [UInt8] { head(magic, after: sequence) }

    private static func head(_ magic: [UInt8], after sequence: UInt64) -> [UInt8] {
        var bytes = magic
        append(sequence, count: 8, to: &bytes)
        append(UInt64(CRC32.of(bytes.span)), count: 4, to: &bytes)
        return bytes
    }

    /// The sequence before the first record; nil where this is no head.
    static func sequence(inHead bytes: [UInt8]) -> UInt64? {
        guard bytes.count >= headBytes, bytes.starts(with: magic) else { return nil }
        let sequence = number(bytes, at: 8, count: 8)
        return head(after: sequence) == Array(bytes[..<headBytes]) ? sequence : nil
    }

    /// The version in a whole head of a later form; nil where this is none.
    static func laterVersion(inHead bytes: [UInt8]) -> Int? {
        guard bytes.count >= headBytes, bytes.starts(with: magic[..<5]) else { return nil }
        let found = Int(bytes[5]) - 0x30
        guard (version + 1...9).contains(found) else { return nil }
        let whole = head(Array(bytes[..<8]), after: number(bytes, at: 8, count: 8))
        return whole == Array(bytes[..<headBytes]) ? found : nil
    }

    static func append(
        _ kind: Kind, _ sequence: UInt64, _ payload: ArraySlice<UInt8>, to bytes: inout [UInt8]
    ) {
        var rest: [UInt8] = []
        append(sequence, count: 8, to: &rest)
        rest.append(kind.rawValue)
        rest += payload
        var length: [UInt8] = []
        append(UInt64(payload.count), count: 4, to: &length)
        bytes += length
        append(UInt64(check(length.span, rest.span)), count: 4, to: &bytes)
        bytes += rest
    }

    /// The whole frame that begins at a place; nil where none does.
    static func frame(in bytes: [UInt8], at start: Int) -> Frame? {
        guard bytes.count - start >= frameBytes, let kind = Kind(rawValue: bytes[start + 16]) else { return nil }
        let length = Int(number(bytes, at: start, count: 4))
        guard length <= AppendLog.maximumRecordBytes, bytes.count - start - frameBytes >= length else { return nil }
        let end = start + frameBytes + length
        let expected = check(bytes.span.extracting(start..<start + 4), bytes.span.extracting(start + 8..<end))
        guard number(bytes, at: start + 4, count: 4) == UInt64(expected) else { return nil }
        return Frame(
            kind: kind, sequence: number(bytes, at: start + 8, count: 8), payload: start + frameBytes..<end,
            start: start)
    }

    private static func check(_ length: borrowing Span<UInt8>, _ rest: borrowing Span<UInt8>) -> UInt32 {
        var check = CRC32()
        check.add(length)
        check.add(rest)
        return check.value
    }

    private static func append(_ value: UInt64, count: Int, to bytes: inout [UInt8]) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }

    private static func number(_ bytes: [UInt8], at place: Int, count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
    }
}
