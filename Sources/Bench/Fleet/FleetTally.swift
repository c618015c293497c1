/// The figures of a simulated fleet so far: totals, times from a fix to its row in the collecting program's table, and
/// counts for each second.
public struct FleetTally: Sendable {
    /// One second of the run.
    public struct Second: Sendable, Equatable {
        /// The number of connections that the broker accepted in this second.
        public var connections = 0
        /// The number of records published in this second, including repeated ones.
        public var published = 0
        /// The number of records that the collecting program acknowledged as stored in this second.
        public var stored = 0
    }

    public private(set) var seconds: [Second] = []
    /// The number of fixes that the devices had.
    public var fixes = 0
    /// The total size in bytes, topics included, of all messages that carried records.
    public var bytes = 0
    /// Milliseconds from a fix to its row in the collecting program's table: `connected` for fixes made while their
    /// device was connected, `away` for the others.
    private var connected: [Int32] = []
    private var away: [Int32] = []

    public init() {}

    public var published: Int { seconds.reduce(0) { $0 + $1.published } }
    public var stored: Int { seconds.reduce(0) { $0 + $1.stored } }
    public var connections: Int { seconds.reduce(0) { $0 + $1.connections } }

    /// Changes the counts of one second, given in seconds after the start.
    public mutating func count(at second: Double, _ change: (inout Second) -> Void) {
        while seconds.count <= Int(second) { seconds.append(Second()) }
        change(&seconds[Int(second)])
    }

    /// Adds a fix that was stored `seconds` after it was made.
    public mutating func add(fixStoredAfter seconds: Double, wasConnected: Bool) {
        let milliseconds = Int32(clamping: Int64((seconds * 1000).rounded()))
        if wasConnected { connected.append(milliseconds) } else { away.append(milliseconds) }
    }

    /// A percentile of the seconds from a fix to its row in the collecting program's table.
    ///
    /// - Parameters:
    ///   - share: The percentile as a fraction: 0.99 for the 99th.
    ///   - whileConnected: True for fixes that were made while their device was connected, false for the other fixes.
    /// - Returns: Nil if there are no such fixes.
    public func secondsToRow(_ share: Double, whileConnected: Bool) -> Double? {
        let milliseconds = whileConnected ? connected : away
        guard !milliseconds.isEmpty else { return nil }
        let index = min(milliseconds.count - 1, Int(share * Double(milliseconds.count)))
        return Double(milliseconds.sorted()[index]) / 1000
    }

    /// The number of seconds, counted from `second`, in which the broker accepted `count` connections, with the largest
    /// and the mean number of connections per second; nil if there were fewer connections.
    public func reconnection(of count: Int, from second: Int) -> (seconds: Int, most: Int, mean: Double)? {
        var total = 0
        for index in seconds.indices.dropFirst(second) {
            total += seconds[index].connections
            guard total >= count else { continue }
            let counts = seconds[second...index].map(\.connections)
            return (counts.count, counts.max() ?? 0, Double(total) / Double(counts.count))
        }
        return nil
    }
}
