internal import GNSS
internal import Parts

/// The fixes that are held back for one location session, in order and limited in number.
///
/// When the queue is 80 % full, its fixes must be delivered; each fix that is added to a full queue removes the oldest
/// one. The queue remains when the client disconnects.
struct DeferredQueue: Sendable, Equatable {
    let key: DeferredKey
    /// The connection whose session uses this queue; nil while there is none.
    var owner: ClientID?
    private(set) var fixes: [DeferredFix] = []
    private var lastSequence: UInt64 = 0

    /// The largest number of fixes in a queue: 68 minutes at 1 Hz.
    static let capacity = 4096
    /// Once the queue has this many fixes, they are delivered even if the client's deferral has not ended.
    static let flushAt = capacity * 8 / 10

    init(key: DeferredKey, owner: ClientID?) {
        self.key = key
        self.owner = owner
    }

    var isNearlyFull: Bool { fixes.count >= DeferredQueue.flushAt }

    /// Adds a fix to the queue.
    ///
    /// - Returns: The numbered fix to write to the durable log; nil where the fix has no position.
    mutating func append(_ fix: Fix) -> DeferredFix? {
        guard let deferred = DeferredFix(fix, sequence: lastSequence + 1) else { return nil }
        append(deferred)
        return deferred
    }

    /// Adds a fix that was in the durable log when the daemon started.
    mutating func restore(_ fix: DeferredFix) {
        guard fix.sequence > lastSequence else { return }
        append(fix)
    }

    private mutating func append(_ fix: DeferredFix) {
        lastSequence = fix.sequence
        if fixes.count == DeferredQueue.capacity { fixes.removeFirst() }
        fixes.append(fix)
    }

    /// Empties the queue, because its fixes were delivered.
    ///
    /// - Returns: The number of the last of these fixes; the durable log can delete all up to it. Nil where the queue
    ///   was empty.
    mutating func removeAll() -> UInt64? {
        guard let last = fixes.last else { return nil }
        // If a client uses the queue, its memory is kept for the next fixes; if the client has left, the memory is
        // freed.
        fixes.removeAll(keepingCapacity: owner != nil)
        return last.sequence
    }
}

/// All queues of held-back fixes: one for each session that defers, at most 32 in all, and at most 8 per client.
struct DeferredQueues: Sendable, Equatable {
    private(set) var queues: [DeferredQueue] = []

    /// The largest number of queues; if one more is wanted, the oldest queue without a connected client is removed, and
    /// if there is none, the new queue is refused.
    static let maximumQueues = 32
    /// The largest number of queues of one client; if it wants one more, its oldest queue not in use is removed, and if
    /// there is none, the new queue is refused.
    static let maximumQueuesOfClient = 8

    init() {}

    enum Claim: Sendable, Equatable {
        case granted
        /// The client already uses as many queues as one client may.
        case clientFull
        /// Another connection uses the queue that was asked for.
        case taken
        case full
    }

    /// Gives a connection the queue with this key, and makes the queue if there is none.
    ///
    /// - Parameter forgotten: Called for a queue that is removed to make room, with the number of its last fix.
    mutating func claim(
        _ key: DeferredKey, for client: ClientID, forgotten: (DeferredKey, UInt64) -> Void
    ) -> Claim {
        if let index = index(of: key) {
            guard queues[index].owner == nil || queues[index].owner == client else { return .taken }
            queues[index].owner = client
            return .granted
        }
        guard makeRoom(ofClient: key, forgotten) else { return .clientFull }
        guard makeRoom(forgotten) else { return .full }
        queues.append(DeferredQueue(key: key, owner: client))
        return .granted
    }

    /// Releases all queues of a connection that has ended; a queue that holds fixes stays for the client's return.
    mutating func release(_ client: ClientID) {
        for index in queues.indices where queues[index].owner == client { queues[index].owner = nil }
        removeUnused()
    }

    /// Releases a queue that its connection no longer uses, because the session ended or changed to another queue.
    mutating func release(_ key: DeferredKey, of client: ClientID) {
        guard let index = index(of: key), queues[index].owner == client else { return }
        queues[index].owner = nil
        removeUnused()
    }

    private mutating func removeUnused() { queues.removeAll { $0.owner == nil && $0.fixes.isEmpty } }

    /// Adds a fix that was in the durable log when the daemon started, and makes its queue if there is none.
    mutating func restore(
        _ fix: DeferredFix, for key: DeferredKey, forgotten: (DeferredKey, UInt64) -> Void
    ) {
        if index(of: key) == nil {
            guard makeRoom(ofClient: key, forgotten), makeRoom(forgotten) else { return }
            queues.append(DeferredQueue(key: key, owner: nil))
        }
        if let index = index(of: key) { queues[index].restore(fix) }
    }

    /// Removes all fixes held back for a client, which is given by the name in its manifest.
    ///
    /// - Parameter forgotten: Called for each queue that held fixes, with the number of its last fix.
    mutating func forget(_ client: String, forgotten: (DeferredKey, UInt64) -> Void) {
        for index in queues.indices where queues[index].key.isOf(client) {
            if let last = queues[index].removeAll() { forgotten(queues[index].key, last) }
        }
        removeUnused()
    }

    /// The number of fixes held back for a client, which is given by the name in its manifest.
    func count(of client: String) -> Int {
        queues.reduce(0) { $0 + ($1.key.isOf(client) ? $1.fixes.count : 0) }
    }

    func index(of key: DeferredKey) -> Int? { queues.firstIndex { $0.key == key } }

    mutating func change<Result>(_ index: Int, _ body: (inout DeferredQueue) -> Result) -> Result {
        body(&queues[index])
    }

    /// Empties one queue, because its fixes were delivered.
    ///
    /// - Returns: The number of the last of these fixes; the durable log can delete all up to it. Nil where the queue
    ///   was empty.
    mutating func empty(_ index: Int) -> UInt64? {
        let last = queues[index].removeAll()
        removeUnused()
        return last
    }

    private mutating func makeRoom(_ forgotten: (DeferredKey, UInt64) -> Void) -> Bool {
        queues.count < DeferredQueues.maximumQueues || removeOldest(forgotten) { _ in true }
    }

    /// Makes room for one more queue of the client to which `key` belongs, and returns whether there is room.
    private mutating func makeRoom(
        ofClient key: DeferredKey, _ forgotten: (DeferredKey, UInt64) -> Void
    ) -> Bool {
        let isOfClient = { (queue: DeferredQueue) in queue.key.client == key.client }
        return queues.count(where: isOfClient) < DeferredQueues.maximumQueuesOfClient
            || removeOldest(forgotten, where: isOfClient)
    }

    /// Removes the oldest queue that is not in use, and returns whether there was one.
    private mutating func removeOldest(
        _ forgotten: (DeferredKey, UInt64) -> Void, where isMeant: (DeferredQueue) -> Bool
    ) -> Bool {
        guard let oldest = queues.firstIndex(where: { $0.owner == nil && isMeant($0) }) else { return false }
        if let last = queues[oldest].fixes.last { forgotten(queues[oldest].key, last.sequence) }
        queues.remove(at: oldest)
        return true
    }
}
