public import ClientProtocol
public import Units

/// The sessions of one client: what it holds over all its connections, and what it held before.
///
/// A session takes effect where it begins while the client is in use (of background activity: in the foreground), or
/// where it goes on what the client held when its last connection ended and is taken again within 10 s of the next; else
/// when the client next comes into use. What is released never takes effect again.
///
/// After every call, and whenever the conditions change, `requests` says what to ask the user for; with the conditions
/// that follow from that, `settle` says what is to be told and kept.
public struct ServiceSessions: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        let connection: ClientID
        let number: Int
        var held: SessionGoal
        /// Whether it took effect, as far as use goes.
        var isEstablished = false
        var told: SessionReport?
    }

    /// Nanoseconds after the first connection: the wake lease.
    public static let continuity: Int64 = 10_000_000_000
    /// Sessions that one connection may hold.
    public static let maximumSessions = 64

    var entries: [Entry] = []
    private var connections: [ClientID] = []
    /// Sessions that may be resumed while no connection is open or until `deadline`.
    private var predecessors: [SessionGoal]
    /// When what was not taken again has ended; nil where nothing waits for that.
    public private(set) var deadline: MonotonicInstant?
    private var kept: [SessionGoal]
    var asked = AskedRequests()

    /// - Parameter kept: What was durable when the daemon started.
    public init(kept: [SessionGoal] = []) {
        predecessors = kept
        self.kept = kept
    }

    /// Whether nothing need be known about it any more: nobody is connected, and nothing may be taken again.
    public var isOver: Bool { connections.isEmpty && predecessors.isEmpty }

    public mutating func connect(_ connection: ClientID, at instant: MonotonicInstant) {
        if connections.isEmpty, !predecessors.isEmpty {
            deadline = instant.advanced(byNanoseconds: ServiceSessions.continuity)
        }
        connections.append(connection)
    }

    /// A connection ended, and all it held; after the last one that may be taken again.
    public mutating func disconnect(_ connection: ClientID) {
        connections.removeAll { $0 == connection }
        if connections.isEmpty {
            predecessors = durable
            deadline = nil
        }
        entries.removeAll { $0.connection == connection }
    }

    /// Lets time pass: what was not taken again has ended.
    public mutating func advance(to instant: MonotonicInstant) {
        guard let deadline, deadline <= instant else { return }
        self.deadline = nil
        predecessors = []
    }

    /// A connection holds a session; under a number that it uses, in the place of the other.
    ///
    /// - Returns: False where it holds too many.
    public mutating func hold(
        _ number: Int, _ held: SessionGoal, by connection: ClientID, at instant: MonotonicInstant
    ) -> Bool {
        advance(to: instant)
        var entry = Entry(connection: connection, number: number, held: held)
        entry.isEstablished = predecessors.contains { held.continues($0) }
        if let place = place(of: number, by: connection) {
            let old = entries[place]
            entry.isEstablished = entry.isEstablished || old.isEstablished && held.continues(old.held)
            entries[place] = entry
            return true
        }
        guard entries.count(where: { $0.connection == connection }) < ServiceSessions.maximumSessions else {
            return false
        }
        entries.append(entry)
        return true
    }

    /// A connection gives a session up, for good.
    public mutating func release(_ number: Int, by connection: ClientID) {
        guard let place = place(of: number, by: connection) else { return }
        let held = entries.remove(at: place).held
        predecessors.removeAll { held.continues($0) }
    }

    /// What is to be told and kept, under the conditions that hold now.
    public mutating func settle(under conditions: ClientConditions) -> [SessionEffect] {
        establish(under: conditions)
        var effects: [SessionEffect] = []
        for place in entries.indices {
            let report = report(of: entries[place], under: conditions)
            guard entries[place].told != report else { continue }
            entries[place].told = report
            effects.append(.report(report, number: entries[place].number, to: entries[place].connection))
        }
        let durable = durable
        if durable != kept {
            kept = durable
            effects.append(.keep(durable))
        }
        return effects
    }

    /// Begins what may begin now.
    mutating func establish(under conditions: ClientConditions) {
        for place in entries.indices where !entries[place].isEstablished {
            switch entries[place].held.kind {
            case .service: entries[place].isEstablished = conditions.isInUse
            case .backgroundActivity: entries[place].isEstablished = conditions.isForeground
            }
        }
    }

    /// What may be taken again were the last connection to end now, each once.
    private var durable: [SessionGoal] {
        var durable: [SessionGoal] = []
        for held in predecessors + entries.filter(\.isEstablished).map(\.held) where !durable.contains(held) {
            durable.append(held)
        }
        return Array(durable.prefix(ServiceSessions.maximumSessions))
    }

    private func place(of number: Int, by connection: ClientID) -> Int? {
        entries.firstIndex { $0.number == number && $0.connection == connection }
    }
}

/// What follows from a client's sessions.
public enum SessionEffect: Sendable, Equatable {
    case report(SessionReport, number: Int, to: ClientID)
    /// Make it durable in the place of what was; where it is empty, nothing need be.
    case keep([SessionGoal])
}
