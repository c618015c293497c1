internal import Parts
internal import SextantUnits

/// A client's connections, and whether they make the client count as in use.
struct ClientUse: Sendable, Equatable {
    struct Connection: Sendable, Equatable {
        var id: ClientID
        var isForeground = true
        var usesBackground = false
    }

    private(set) var connections: [Connection] = []
    /// The end of the time for which the client still counts as in use after its last use; nil during a use, and after
    /// this time.
    private(set) var lingersUntil: MonotonicInstant?
    /// For a client that is authorized for one use: the end of the 5 s after the daemon's start for which it still
    /// counts as in use; nil for other clients.
    private var resumesUntil: MonotonicInstant?

    var isForeground: Bool { connections.contains { $0.isForeground } }
    private var isUsed: Bool { connections.contains { $0.isForeground || $0.usesBackground } }
    var isInUse: Bool { isUsed || lingersUntil != nil }

    func has(_ id: ClientID) -> Bool { connections.contains { $0.id == id } }

    mutating func connect(_ id: ClientID) {
        connections.append(Connection(id: id))
        lingersUntil = nil
    }

    /// Marks a connection as in the background from its start; unlike a change from the foreground, this does not begin
    /// the 5 s for which a client counts as in use after its use.
    ///
    /// If the 5 s after the daemon's start (`resumesUntil`) are not over, the client counts as in use until they are,
    /// so that it can resume its session.
    mutating func beginInBackground(_ id: ClientID, at instant: MonotonicInstant) {
        for index in connections.indices where connections[index].id == id { connections[index].isForeground = false }
        if let resumesUntil, !isInUse, instant < resumesUntil { lingersUntil = resumesUntil }
    }

    mutating func disconnect(_ id: ClientID, at instant: MonotonicInstant) {
        let wasUsed = isUsed
        connections.removeAll { $0.id == id }
        useMayHaveEnded(wasUsed, at: instant)
    }

    mutating func change(_ id: ClientID, at instant: MonotonicInstant, _ change: (inout Connection) -> Void) {
        let wasUsed = isUsed
        for index in connections.indices where connections[index].id == id { change(&connections[index]) }
        useMayHaveEnded(wasUsed, at: instant)
    }

    private mutating func useMayHaveEnded(_ wasUsed: Bool, at instant: MonotonicInstant) {
        if isUsed { lingersUntil = nil } else if wasUsed { linger(from: instant) }
    }

    /// Starts the 5 s for which the client still counts as in use after its use has ended.
    mutating func linger(from instant: MonotonicInstant) {
        lingersUntil = instant.advanced(byNanoseconds: AuthorizationBook.graceOfUse)
    }

    /// Starts, at the daemon's start, the 5 s for which a client that is authorized for one use counts as in use.
    mutating func lingerAfterRestart(at instant: MonotonicInstant) {
        linger(from: instant)
        resumesUntil = lingersUntil
    }

    /// Ends the 5 s for which the client counts as in use after its use, if they are over by this instant; returns
    /// whether it did.
    mutating func pass(to instant: MonotonicInstant) -> Bool {
        guard let end = lingersUntil, end <= instant else { return false }
        lingersUntil = nil
        return true
    }
}
