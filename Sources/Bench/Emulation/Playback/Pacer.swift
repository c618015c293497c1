/// Divides the bytes of an epoch into the pieces that a UART would deliver: 10 bits on the line for each byte, a FIFO
/// of 16 bytes.
public struct Pacer: Sendable {
    /// The number of bytes after which the UART hands its FIFO over, as the PL011 of a Raspberry Pi does.
    public static let fifoBytes = 16

    public struct Configuration: Sendable, Hashable {
        /// The bit rate of the serial line; nil if sending takes no time, as on a socket.
        public var bitsPerSecond: Int?
        /// The speed of playback, by which all times are divided: 2 plays twice as fast.
        public var speed = 1.0
        /// The largest number of bytes that can wait to be sent; nil for no limit.
        ///
        /// If more bytes wait, all bytes of an epoch are dropped, as real receivers do.
        public var backlogLimitBytes: Int?

        public init(bitsPerSecond: Int?) {
            self.bitsPerSecond = bitsPerSecond
        }
    }

    private let configuration: Configuration
    /// The time at which the serial line will have sent all bytes so far, in nanoseconds since the start of a playback
    /// at normal speed.
    private var lineFree: Int64 = 0
    public private(set) var droppedBursts = 0

    public init(configuration: Configuration) {
        precondition(configuration.speed > 0 && configuration.speed.isFinite, "a speed is more than 0")
        precondition(configuration.bitsPerSecond ?? 1 > 0, "a serial line has a speed")
        self.configuration = configuration
    }

    /// The pieces into which the bytes of one epoch are divided; the epochs must come in the order of time.
    public mutating func crumbs(of burst: Burst) -> [Crumb] {
        let start = max(burst.offset, lineFree)
        if let limit = configuration.backlogLimitBytes, start - burst.offset > lineTime(limit) {
            droppedBursts += 1
            return []
        }
        lineFree = start + lineTime(burst.bytes.count)
        return stride(from: 0, to: burst.bytes.count, by: Self.fifoBytes).map { first in
            let end = min(first + Self.fifoBytes, burst.bytes.count)
            return Crumb(offset: played(start + lineTime(end)), bytes: burst.bytes[first..<end])
        }
    }

    /// Divides a time since the start by the speed of playback.
    func played(_ offset: Int64) -> Int64 {
        configuration.speed == 1 ? offset : Int64((Double(offset) / configuration.speed).rounded())
    }

    private func lineTime(_ count: Int) -> Int64 {
        guard let bitsPerSecond = configuration.bitsPerSecond else { return 0 }
        return Int64(count) * 10_000_000_000 / Int64(bitsPerSecond)
    }
}
