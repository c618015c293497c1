/// Bytes that wait for a slow reader, never more than the capacity.
public struct OutputQueue: Sendable {
    private let capacity: Int
    private var bytes: [UInt8] = []
    /// Bytes at the front that are sent already.
    private var head = 0

    public init(capacity: Int) {
        self.capacity = capacity
    }

    public var count: Int { bytes.count - head }
    public var isEmpty: Bool { count == 0 }
    /// Bytes that `append` would still take.
    public var room: Int { capacity - count }

    /// Lends what waits.
    public func withWaiting<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        body(bytes.span.extracting(head..<bytes.count))
    }

    /// Takes all or nothing.
    public mutating func append(_ more: Span<UInt8>) -> Bool {
        guard more.count <= room else { return false }
        if head > 0, bytes.count + more.count > capacity {
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

    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        head = 0
    }
}
