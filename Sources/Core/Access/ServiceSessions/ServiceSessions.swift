internal import ClientProtocol
internal import Parts
internal import SextantUnits

/// The sessions of one client over all its connections, and those that it held before.
///
/// A session takes effect at once where it begins while the client is in use (background activity: in the foreground),
/// or where it continues, within 10 s of the next connection, a session that the client held when its last connection
/// ended. Otherwise it takes effect when the client next comes into use. A released session never takes effect again.
///
/// After every call, and whenever the conditions change, `requests` gives the question for the user; with the
/// conditions that follow from that, `settle` gives the reports to send and the sessions to store.
struct ServiceSessions: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        let connection: ClientID
        let number: UInt32
        var held: SessionGoal
        /// Whether the session has taken effect, judged by the client's use alone.
        var isEstablished = false
        var told: SessionReport?
    }

    /// Nanoseconds after the first connection in which sessions may be resumed: the length of the wake lease.
    static let continuity: Int64 = 10_000_000_000
    /// The most sessions that one connection may hold.
    static let maximumSessions = 64

    var entries: [Entry] = []
    private var connections: [ClientID] = []
    /// Sessions that may be resumed while no connection is open or until `deadline`.
    private var predecessors: [SessionGoal]
    /// The instant at which sessions that were not resumed end; nil where none waits.
    private(set) var deadline: MonotonicInstant?
    private var kept: [SessionGoal]
    var asked = AskedRequests()

    /// - Parameter kept: The sessions that were in the store when the daemon started.
    init(kept: [SessionGoal] = []) {
        predecessors = kept
        self.kept = kept
    }

    /// Whether the client's entry can be removed: it has no connection, and no session may be resumed.
    var isOver: Bool { connections.isEmpty && predecessors.isEmpty }

    mutating func connect(_ connection: ClientID, at instant: MonotonicInstant) {
        if connections.isEmpty, !predecessors.isEmpty {
            deadline = instant.advanced(byNanoseconds: ServiceSessions.continuity)
        }
        connections.append(connection)
    }

    /// Removes a connection and its sessions; the sessions of the last connection may be resumed.
    mutating func disconnect(_ connection: ClientID) {
        connections.removeAll { $0 == connection }
        if connections.isEmpty {
            predecessors = durable
            deadline = nil
        }
        entries.removeAll { $0.connection == connection }
    }

    /// Lets time pass: sessions that were not resumed in time end.
    mutating func advance(to instant: MonotonicInstant) {
        guard let deadline, deadline <= instant else { return }
        self.deadline = nil
        predecessors = []
    }

    /// Adds a session of a connection, in place of the one under the same number where there is one.
    ///
    /// - Returns: False where the connection holds too many.
    mutating func hold(
        _ number: UInt32, _ held: SessionGoal, by connection: ClientID, at instant: MonotonicInstant
    ) -> Bool {
        advance(to: instant)
        var entry = Entry(connection: connection, number: number, held: held)
        entry.isEstablished = predecessors.contains { held.continues($0) }
        if let index = index(of: number, by: connection) {
            let old = entries[index]
            entry.isEstablished = entry.isEstablished || old.isEstablished && held.continues(old.held)
            entries[index] = entry
            return true
        }
        guard entries.count(where: { $0.connection == connection }) < ServiceSessions.maximumSessions else {
            return false
        }
        entries.append(entry)
        return true
    }

    /// Ends a session that its connection gave up; it cannot be resumed.
    mutating func release(_ number: UInt32, by connection: ClientID) {
        guard let index = index(of: number, by: connection) else { return }
        let held = entries.remove(at: index).held
        predecessors.removeAll { held.continues($0) }
    }

    /// The reports to send and the sessions to store under the present conditions.
    mutating func settle(under conditions: ClientConditions) -> [SessionEffect] {
        establish(under: conditions)
        var effects: [SessionEffect] = []
        for index in entries.indices {
            let report = report(of: entries[index], under: conditions)
            guard entries[index].told != report else { continue }
            entries[index].told = report
            effects.append(.report(report, number: entries[index].number, to: entries[index].connection))
        }
        let durable = durable
        if durable != kept {
            kept = durable
            effects.append(.keep(durable))
        }
        return effects
    }

    /// Lets every session take effect that may do so now.
    mutating func establish(under conditions: ClientConditions) {
        for index in entries.indices where !entries[index].isEstablished {
            switch entries[index].held.kind {
            case .service: entries[index].isEstablished = conditions.isInUse
            case .backgroundActivity: entries[index].isEstablished = conditions.isForeground
            }
        }
    }

    /// The sessions that may be resumed if the last connection ends now, each once.
    ///
    /// No more are looked at than are kept: a client's connections may hold a thousand that all differ.
    var durable: [SessionGoal] {
        var durable: [SessionGoal] = []
        func note(_ held: SessionGoal) {
            var kept = held
            // The program says this anew.
            kept.allowsHostSleep = false
            if !durable.contains(kept) { durable.append(kept) }
        }
        for held in predecessors where durable.count < ServiceSessions.maximumSessions { note(held) }
        for entry in entries where entry.isEstablished {
            guard durable.count < ServiceSessions.maximumSessions else { break }
            note(entry.held)
        }
        return durable
    }

    private func index(of number: UInt32, by connection: ClientID) -> Int? {
        entries.firstIndex { $0.number == number && $0.connection == connection }
    }
}

/// An action that a change of a client's sessions calls for.
enum SessionEffect: Sendable, Equatable {
    case report(SessionReport, number: UInt32, to: ClientID)
    /// Store these sessions in place of the earlier ones; with an empty list, nothing need be stored.
    case keep([SessionGoal])
}
