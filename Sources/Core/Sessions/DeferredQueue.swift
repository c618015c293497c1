public import GNSS

/// The fixes that are held back for one client, in order and bounded.
///
/// At 80 % it asks to be emptied; were it not, the oldest would go. It outlives its client's connection.
public struct DeferredQueue: Sendable, Equatable {
    public let key: DeferredKey
    /// The connected client that has this queue's key; nil while no such client is connected.
    public var owner: ClientID?
    public private(set) var fixes: [DeferredFix] = []
    private var lastSequence: UInt64 = 0

    /// 68 minutes at 1 Hz.
    public static let capacity = 4096
    /// How many it holds when it must be delivered, whatever its client asked for.
    public static let flushAt = capacity * 8 / 10

    public init(key: DeferredKey, owner: ClientID?) {
        self.key = key
        self.owner = owner
    }

    public var isNearlyFull: Bool { fixes.count >= DeferredQueue.flushAt }

    /// Takes a fix.
    ///
    /// - Returns: What is to be made durable; nil where it has no position.
    public mutating func append(_ fix: Fix) -> DeferredFix? {
        guard let deferred = DeferredFix(fix, sequence: lastSequence + 1) else { return nil }
        append(deferred)
        return deferred
    }

    /// Takes a fix that was durable when the daemon started.
    public mutating func restore(_ fix: DeferredFix) {
        guard fix.sequence > lastSequence else { return }
        append(fix)
    }

    private mutating func append(_ fix: DeferredFix) {
        lastSequence = fix.sequence
        if fixes.count == DeferredQueue.capacity { fixes.removeFirst() }
        fixes.append(fix)
    }

    /// Empties it; what it held was delivered.
    ///
    /// - Returns: The last sequence that need no longer be durable; nil where it was empty.
    mutating func removeAll() -> UInt64? {
        guard let last = fixes.last else { return nil }
        // A client that defers again fills it again; one that has left keeps no room.
        fixes.removeAll(keepingCapacity: owner != nil)
        return last.sequence
    }
}

/// All queues: one for each session that defers, at most 32.
public struct DeferredQueues: Sendable, Equatable {
    public private(set) var queues: [DeferredQueue] = []

    /// Beyond it the oldest queue whose client is not connected goes, and a client finds no room if all are.
    public static let maximumQueues = 32

    public init() {}

    public enum Claim: Sendable, Equatable {
        case granted
        /// Another connection defers under the same key.
        case taken
        case full
    }

    /// Makes a client the owner of its key's queue.
    ///
    /// - Parameter forgotten: Is told of a queue that had to go, with its last sequence.
    public mutating func claim(
        _ key: DeferredKey, for client: ClientID, forgotten: (DeferredKey, UInt64) -> Void
    ) -> Claim {
        if let place = place(of: key) {
            guard queues[place].owner == nil || queues[place].owner == client else { return .taken }
            queues[place].owner = client
            return .granted
        }
        guard makeRoom(forgotten) else { return .full }
        queues.append(DeferredQueue(key: key, owner: client))
        return .granted
    }

    /// The client has left: its queue stays for its return, unless nothing is in it.
    public mutating func release(_ client: ClientID) {
        for place in queues.indices where queues[place].owner == client { queues[place].owner = nil }
        removeUnused()
    }

    /// The client goes on under another key.
    public mutating func release(_ key: DeferredKey, of client: ClientID) {
        guard let place = place(of: key), queues[place].owner == client else { return }
        queues[place].owner = nil
        removeUnused()
    }

    private mutating func removeUnused() { queues.removeAll { $0.owner == nil && $0.fixes.isEmpty } }

    /// Takes a fix that was durable when the daemon started.
    public mutating func restore(
        _ fix: DeferredFix, for key: DeferredKey, forgotten: (DeferredKey, UInt64) -> Void
    ) {
        if place(of: key) == nil {
            guard makeRoom(forgotten) else { return }
            queues.append(DeferredQueue(key: key, owner: nil))
        }
        if let place = place(of: key) { queues[place].restore(fix) }
    }

    /// Forgets what is held back for a client, by its manifest's name.
    ///
    /// - Parameter forgotten: Is told of each queue that held something, with its last sequence.
    public mutating func forget(_ client: String, forgotten: (DeferredKey, UInt64) -> Void) {
        for place in queues.indices where queues[place].key.isOf(client) {
            if let last = queues[place].removeAll() { forgotten(queues[place].key, last) }
        }
        removeUnused()
    }

    /// How many fixes are held back for a client, by its manifest's name.
    public func count(of client: String) -> Int {
        queues.reduce(0) { $0 + ($1.key.isOf(client) ? $1.fixes.count : 0) }
    }

    public func place(of key: DeferredKey) -> Int? { queues.firstIndex { $0.key == key } }

    /// Changes one queue in place.
    public mutating func update<Result>(_ place: Int, _ body: (inout DeferredQueue) -> Result) -> Result {
        body(&queues[place])
    }

    /// Empties one queue, because what it held was delivered.
    ///
    /// - Returns: The last sequence that need no longer be durable; nil where it was empty.
    public mutating func empty(_ place: Int) -> UInt64? {
        let last = queues[place].removeAll()
        removeUnused()
        return last
    }

    private mutating func makeRoom(_ forgotten: (DeferredKey, UInt64) -> Void) -> Bool {
        guard queues.count == DeferredQueues.maximumQueues else { return true }
        guard let oldest = queues.firstIndex(where: { $0.owner == nil }) else { return false }
        if let last = queues[oldest].fixes.last { forgotten(queues[oldest].key, last.sequence) }
        queues.remove(at: oldest)
        return true
    }
}
