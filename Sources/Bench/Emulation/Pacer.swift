/// Divides bursts into the pieces that a UART would deliver: 10 bits for each byte, a FIFO of 16 bytes.
public struct Pacer: Sendable {
    /// The number of bytes after which the FIFO is handed over, as in the PL011 of a Raspberry Pi.
    public static let fifoBytes = 16

    public struct Configuration: Sendable, Hashable {
        /// The bit rate of the line; nil if sending takes no time, as on a socket.
        public var bitsPerSecond: Int?
        /// Divides all offsets: 2 plays twice as fast.
        public var speed = 1.0
        /// The largest number of bytes that can wait for the line; nil for no limit.
        ///
        /// Beyond the limit a burst is dropped whole, as real receivers do.
        public var backlogLimitBytes: Int?

        public init(bitsPerSecond: Int?) {
            self.bitsPerSecond = bitsPerSecond
        }
    }

    private let configuration: Configuration
    /// The time at which the line will have sent everything, in nanoseconds before the speed is applied.
    private var lineFree: Int64 = 0
    public private(set) var droppedBursts = 0

    public init(configuration: Configuration) {
        precondition(configuration.speed > 0 && configuration.speed.isFinite, "a speed is more than 0")
        precondition(configuration.bitsPerSecond ?? 1 > 0, "a serial line has a speed")
        self.configuration = configuration
    }

    /// The pieces of one burst; bursts must come in the order of time.
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

    /// Converts an offset to the time at which it is played: divides it by the speed.
    func played(_ offset: Int64) -> Int64 {
        configuration.speed == 1 ? offset : Int64((Double(offset) / configuration.speed).rounded())
    }

    private func lineTime(_ count: Int) -> Int64 {
        guard let bitsPerSecond = configuration.bitsPerSecond else { return 0 }
        return Int64(count) * 10_000_000_000 / Int64(bitsPerSecond)
    }
}
