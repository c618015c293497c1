/// Bytes that wait for a slow reader, never more than the capacity beyond one write.
///
/// A queue that is empty takes a write of any length, because a batch of deferred reports is one write; what comes
/// after it has the capacity until the queue is empty again.
public struct OutputQueue: Sendable {
    private let capacity: Int
    private var bytes: [UInt8] = []
    /// Bytes at the front that are sent already.
    private var head = 0
    /// Bytes that may wait until the queue is empty again.
    private var limit: Int

    public init(capacity: Int) {
        self.capacity = capacity
        limit = capacity
    }

    public var count: Int { bytes.count - head }
    public var isEmpty: Bool { count == 0 }
    /// Bytes that `append` would still take behind what waits.
    public var room: Int { limit - count }

    /// Lends what waits.
    public func withWaiting<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        body(bytes.span.extracting(head..<bytes.count))
    }

    /// Takes all or nothing.
    public mutating func append(_ more: Span<UInt8>) -> Bool {
        if isEmpty, more.count > capacity { limit = capacity + more.count }
        guard more.count <= room else { return false }
        if head > 0, bytes.count + more.count > limit {
            bytes.removeFirst(head)
            head = 0
        }
        for index in more.indices { bytes.append(more[index]) }
        return true
    }

    public mutating func drop(_ sent: Int) {
        head += sent
        if isEmpty { removeAll() }
    }

    /// The space of one long write is given back; that of ordinary ones is kept.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: limit == capacity)
        head = 0
        limit = capacity
    }
}
