/// Bytes that wait for a slow reader, never more than the capacity.
struct OutputQueue {
    private let capacity: Int
    private var bytes: [UInt8] = []
    /// Bytes at the front that are sent already.
    private var head = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { bytes.count - head }
    var isEmpty: Bool { count == 0 }

    /// Lends what waits.
    func withWaiting<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        body(bytes.span.extracting(head..<bytes.count))
    }

    /// Takes all or nothing.
    mutating func append(_ more: Span<UInt8>) -> Bool {
        guard count + more.count <= capacity else { return false }
        if head > 0, bytes.count + more.count > capacity {
            bytes.removeFirst(head)
            head = 0
        }
        for index in more.indices { bytes.append(more[index]) }
        return true
    }

    mutating func drop(_ sent: Int) {
        head += sent
        guard isEmpty else { return }
        bytes.removeAll(keepingCapacity: true)
        head = 0
    }
}
