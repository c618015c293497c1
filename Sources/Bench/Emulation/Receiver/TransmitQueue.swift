/// The bytes of the emulated receiver that wait for its UART, and the instants at which they will have been sent.
///
/// The bytes are handed over in pieces, each when its last byte has been sent. A piece has 16 bytes, the size of a
/// UART's FIFO; at high rates it has as many bytes as are sent in the time that 16 bytes take at 9600 baud, but at most
/// 128.
struct TransmitQueue: Sendable {
    private static let pieceByteCounts = 16...128
    /// The time that 16 bytes take at 9600 baud, in nanoseconds.
    private static let pieceDuration: Int64 = 17_000_000
    /// If at least this many bytes wait, the serial line is too slow, and the receiver drops whole epochs.
    static let backlogByteCount = 1400

    private(set) var bytes: [UInt8] = []
    private var head = 0
    /// The instant at which the first waiting byte begins to be sent; if no byte waits, the instant since which the
    /// line has been free.
    private var lineStart: Int64 = 0

    var count: Int { bytes.count - head }
    var isEmpty: Bool { head == bytes.count }

    /// Appends the bytes that `body` writes; none of them is sent before `instant`.
    mutating func append(at instant: Int64, _ body: (inout [UInt8]) -> Void) {
        if isEmpty { lineStart = max(lineStart, instant) }
        body(&bytes)
    }

    /// The instant at which the next piece's last byte will have been sent.
    func due(nanosecondsPerByte: Int64) -> Int64 {
        isEmpty ? .max : lineStart + nanosecondsPerByte * Int64(piece(nanosecondsPerByte: nanosecondsPerByte).count)
    }

    /// The range in `bytes` of the piece that is handed over next; read its bytes before calling `drop`.
    func piece(nanosecondsPerByte: Int64) -> Range<Int> {
        let limits = TransmitQueue.pieceByteCounts
        let most = Int(TransmitQueue.pieceDuration / nanosecondsPerByte)
        return head..<(head + min(count, max(limits.lowerBound, min(most, limits.upperBound))))
    }

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
