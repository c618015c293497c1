/// Bytes that wait for the UART, and when they will be out.
///
/// They leave in pieces of at most 128 bytes, each when its last byte is on the line.
struct TransmitQueue: Sendable {
    static let pieceByteCount = 128
    /// A receiver whose line is too slow drops whole epochs rather than fall behind.
    static let backlogByteCount = 1400

    private(set) var bytes: [UInt8] = []
    private var head = 0
    /// When the byte at `head` begins, or when the line became free.
    private var lineStart: Int64 = 0

    var count: Int { bytes.count - head }
    var isEmpty: Bool { head == bytes.count }

    /// Appends what `body` appends, to be sent from an instant on.
    mutating func append(at instant: Int64, _ body: (inout [UInt8]) -> Void) {
        if isEmpty { lineStart = max(lineStart, instant) }
        body(&bytes)
    }

    /// When the next piece is out.
    func due(nanosecondsPerByte: Int64) -> Int64 {
        isEmpty ? .max : lineStart + nanosecondsPerByte * Int64(min(count, TransmitQueue.pieceByteCount))
    }

    /// Where the piece lies in `bytes`; it must have been used before `drop`.
    var piece: Range<Int> { head..<(head + min(count, TransmitQueue.pieceByteCount)) }

    mutating func drop(_ piece: Range<Int>, at instant: Int64) {
        head = piece.upperBound
        lineStart = instant
        if isEmpty {
            bytes.removeAll(keepingCapacity: true)
            head = 0
        }
    }

    mutating func clear(at instant: Int64) {
        bytes.removeAll(keepingCapacity: true)
        head = 0
        lineStart = instant
    }
}
