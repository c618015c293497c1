internal import GNSS
internal import Parts

/// The fixes that are held back for one location session, in order and limited in number.
///
/// At 80 % of its capacity the queue must be delivered; a full queue loses its oldest fix with each new one. The queue
/// remains when the client disconnects.
struct DeferredQueue: Sendable, Equatable {
    let key: DeferredKey
    /// The connected client that has this queue's key; nil while no such client is connected.
    var owner: ClientID?
    private(set) var fixes: [DeferredFix] = []
    private var lastSequence: UInt64 = 0

    /// The largest number of fixes in a queue: 68 minutes at 1 Hz.
    static let capacity = 4096
    /// The number of fixes at which the queue must be delivered, whatever its client asked for.
    static let flushAt = capacity * 8 / 10

    init(key: DeferredKey, owner: ClientID?) {
        self.key = key
        self.owner = owner
    }

    var isNearlyFull: Bool { fixes.count >= DeferredQueue.flushAt }

    /// Takes a fix.
    ///
    /// - Returns: The record to store; nil where the fix has no position.
    mutating func append(_ fix: Fix) -> DeferredFix? {
        guard let deferred = DeferredFix(fix, sequence: lastSequence + 1) else { return nil }
        append(deferred)
        return deferred
    }

    /// Takes a fix that was in the store when the daemon started.
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
    /// - Returns: The number of the last fix that the store may delete; nil where the queue was empty.
    mutating func removeAll() -> UInt64? {
        guard let last = fixes.last else { return nil }
        // A client that defers again refills the queue; the queue of a client that has left gives its memory back.
        fixes.removeAll(keepingCapacity: owner != nil)
        return last.sequence
    }
}

/// All queues of held-back fixes: one for each session that defers, at most 32, and at most 8 of one client.
struct DeferredQueues: Sendable, Equatable {
    private(set) var queues: [DeferredQueue] = []

    /// The largest number of queues; then the oldest queue without a connected client is removed, or the new one
    /// refused.
    static let maximumQueues = 32
    /// The largest number of queues of one client; then its oldest queue not in use is removed, or the new one refused.
    static let maximumQueuesOfClient = 8

    init() {}

    enum Claim: Sendable, Equatable {
        case granted
        /// The client has the largest number of queues allowed for one client.
        case clientFull
        /// Another connection defers under the same key.
        case taken
        case full
    }

    /// Makes a client the owner of its key's queue.
    ///
    /// - Parameter forgotten: Called for a queue that had to be removed, with the number of its last fix.
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

    /// Notes that a client has left; a queue that holds fixes stays for the client's return.
    mutating func release(_ client: ClientID) {
        for index in queues.indices where queues[index].owner == client { queues[index].owner = nil }
        removeUnused()
    }

    /// Releases a queue that its client no longer uses, because the session ended or has another key now.
    mutating func release(_ key: DeferredKey, of client: ClientID) {
        guard let index = index(of: key), queues[index].owner == client else { return }
        queues[index].owner = nil
        removeUnused()
    }

    private mutating func removeUnused() { queues.removeAll { $0.owner == nil && $0.fixes.isEmpty } }

    /// Takes a fix that was in the store when the daemon started.
    mutating func restore(
        _ fix: DeferredFix, for key: DeferredKey, forgotten: (DeferredKey, UInt64) -> Void
    ) {
        if index(of: key) == nil {
            guard makeRoom(ofClient: key, forgotten), makeRoom(forgotten) else { return }
            queues.append(DeferredQueue(key: key, owner: nil))
        }
        if let index = index(of: key) { queues[index].restore(fix) }
    }

    /// Removes all fixes held back for a client, given by its manifest's name.
    ///
    /// - Parameter forgotten: Called for each queue that held fixes, with the number of the last one.
    mutating func forget(_ client: String, forgotten: (DeferredKey, UInt64) -> Void) {
        for index in queues.indices where queues[index].key.isOf(client) {
            if let last = queues[index].removeAll() { forgotten(queues[index].key, last) }
        }
        removeUnused()
    }

    /// The number of fixes held back for a client, given by its manifest's name.
    func count(of client: String) -> Int {
        queues.reduce(0) { $0 + ($1.key.isOf(client) ? $1.fixes.count : 0) }
    }

    func index(of key: DeferredKey) -> Int? { queues.firstIndex { $0.key == key } }

    /// Changes one queue in place.
    mutating func change<Result>(_ index: Int, _ body: (inout DeferredQueue) -> Result) -> Result {
        body(&queues[index])
    }

    /// Empties one queue, because its fixes were delivered.
    ///
    /// - Returns: The number of the last fix that the store may delete; nil where the queue was empty.
    mutating func empty(_ index: Int) -> UInt64? {
        let last = queues[index].removeAll()
        removeUnused()
        return last
    }

    private mutating func makeRoom(_ forgotten: (DeferredKey, UInt64) -> Void) -> Bool {
        queues.count < DeferredQueues.maximumQueues || removeOldest(forgotten) { _ in true }
    }

    /// Makes room among the queues of the client to which a key belongs.
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
