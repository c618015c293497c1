/// Bytes that wait for a slow reader, never more than the capacity beyond one write.
///
/// A queue that is empty takes a write of any length, because a batch of deferred reports is one write; what comes
/// after it has the capacity until the queue is empty again.
struct OutputQueue {
    private let capacity: Int
    private var bytes: [UInt8] = []
    /// Bytes at the front that are sent already.
    private var head = 0
    /// Bytes that may wait until the queue is empty again.
    private var limit: Int

    init(capacity: Int) {
        self.capacity = capacity
        limit = capacity
    }

    var count: Int { bytes.count - head }
    var isEmpty: Bool { count == 0 }

    /// Lends what waits.
    func withWaiting<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        body(bytes.span.extracting(head..<bytes.count))
    }

    /// Takes all or nothing.
    mutating func append(_ more: Span<UInt8>) -> Bool {
        if isEmpty, more.count > capacity { limit = capacity + more.count }
        guard count + more.count <= limit else { return false }
        if head > 0, bytes.count + more.count > limit {
            bytes.removeFirst(head)
            head = 0
        }
        for index in more.indices { bytes.append(more[index]) }
        return true
    }

    mutating func drop(_ sent: Int) {
        head += sent
        guard isEmpty else { return }
        bytes.removeAll(keepingCapacity: limit == capacity)
        head = 0
        limit = capacity
    }
}
