/// Bytes that wait for a slow reader, limited by a capacity.
///
/// An empty queue accepts a write of any length, because a batch of deferred reports is one write. A write longer than
/// the capacity raises the limit by its own length until the queue is empty again.
public struct OutputQueue: Sendable {
    private let capacity: Int
    private var bytes: [UInt8] = []
    /// The number of bytes at the front of `bytes` that have been sent already.
    private var head = 0
    /// The largest number of bytes that can wait; a long write raises it until the queue is empty again.
    private var limit: Int

    public init(capacity: Int) {
        self.capacity = capacity
        limit = capacity
    }

    public var count: Int { bytes.count - head }
    public var isEmpty: Bool { count == 0 }
    /// The number of bytes that `append` would still accept.
    public var room: Int { limit - count }

    /// Lends the waiting bytes to `body`.
    public func withWaiting<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        body(bytes.span.extracting(head..<bytes.count))
    }

    /// Appends all bytes or none, and returns whether they were accepted.
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

    /// Empties the queue, and frees the memory of an unusually long write while keeping that of ordinary ones.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: limit == capacity)
        head = 0
        limit = capacity
    }
}
