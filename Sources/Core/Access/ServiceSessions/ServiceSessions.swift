internal import ClientProtocol
internal import Parts
internal import SextantUnits

/// The service and background activity sessions of one client over all its connections, and earlier ones that it can
/// resume.
///
/// A service session takes effect as soon as the client is in use, a background activity session as soon as the client
/// is in the foreground. A session also takes effect at once if the client held it when the client's last connection
/// ended, and resumes it within 10 s of connecting again. A released session never takes effect again.
///
/// After every call, and whenever the conditions change, `requests` gives the question for the user; `settle` then
/// gives the reports to send and the sessions to store, under the conditions after that question.
struct ServiceSessions: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        let connection: ClientID
        let number: UInt32
        var held: SessionGoal
        /// Whether the session has met its condition, apart from authorization: that the client is in use or, for
        /// background activity, in the foreground.
        var isEstablished = false
        var lastSent: SessionReport?
    }

    /// The time in nanoseconds after a client's first new connection in which it can resume sessions: as long as a
    /// started client may run (`WakeLimits`).
    static let continuity: Int64 = 10_000_000_000
    /// The largest number of sessions that one connection can hold.
    static let maximumSessions = 64

    var entries: [Entry] = []
    private var connections: [ClientID] = []
    /// The client's earlier sessions, which it can resume until `deadline`; while the client has no connection, there
    /// is no deadline.
    private var predecessors: [SessionGoal]
    /// The instant at which earlier sessions that were not resumed end; nil if no such instant is set.
    private(set) var deadline: MonotonicInstant?
    private var kept: [SessionGoal]
    var asked = AskedRequests()

    /// - Parameter kept: The client's sessions that were stored when the daemon started.
    init(kept: [SessionGoal] = []) {
        predecessors = kept
        self.kept = kept
    }

    /// Whether the client's entry can be removed: it has no connection and no session to resume.
    var isOver: Bool { connections.isEmpty && predecessors.isEmpty }

    mutating func connect(_ connection: ClientID, at instant: MonotonicInstant) {
        if connections.isEmpty, !predecessors.isEmpty {
            deadline = instant.advanced(byNanoseconds: ServiceSessions.continuity)
        }
        connections.append(connection)
    }

    /// Removes a connection and its sessions; if it was the client's last, the sessions can be resumed later.
    mutating func disconnect(_ connection: ClientID) {
        connections.removeAll { $0 == connection }
        if connections.isEmpty {
            predecessors = durable
            deadline = nil
        }
        entries.removeAll { $0.connection == connection }
    }

    /// Ends earlier sessions that the client has not resumed in time.
    mutating func advance(to instant: MonotonicInstant) {
        guard let deadline, deadline <= instant else { return }
        self.deadline = nil
        predecessors = []
    }

    /// Adds a session to a connection; it replaces the connection's earlier session of the same number.
    ///
    /// - Returns: False if the connection holds too many sessions.
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

    /// Ends a session that the client released; the session cannot be resumed.
    mutating func release(_ number: UInt32, by connection: ClientID) {
        guard let index = index(of: number, by: connection) else { return }
        let held = entries.remove(at: index).held
        predecessors.removeAll { held.continues($0) }
    }

    /// Under the given conditions, the reports to send to clients and, if they have changed, the sessions to store.
    mutating func settle(under conditions: ClientConditions) -> [SessionEffect] {
        establish(under: conditions)
        var effects: [SessionEffect] = []
        for index in entries.indices {
            let report = report(of: entries[index], under: conditions)
            guard entries[index].lastSent != report else { continue }
            entries[index].lastSent = report
            effects.append(.report(report, number: entries[index].number, to: entries[index].connection))
        }
        let durable = durable
        if durable != kept {
            kept = durable
            effects.append(.keep(durable))
        }
        return effects
    }

    /// Makes each session take effect whose condition is met: for background activity, that the client is in the
    /// foreground; for a service session, that it is in use.
    mutating func establish(under conditions: ClientConditions) {
        for index in entries.indices where !entries[index].isEstablished {
            switch entries[index].held.kind {
            case .service: entries[index].isEstablished = conditions.isInUse
            case .backgroundActivity: entries[index].isEstablished = conditions.isForeground
            }
        }
    }

    /// The sessions that the client could resume if its last connection ended now; equal ones are listed once.
    ///
    /// The search ends at the largest number kept, because a client's connections together can hold far more sessions.
    var durable: [SessionGoal] {
        var durable: [SessionGoal] = []
        func note(_ held: SessionGoal) {
            var kept = held
            // The permission for the host to sleep is not kept, because the program states it again when it resumes the
            // session.
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

/// A consequence of a change of a client's sessions, which `Access` carries out.
enum SessionEffect: Sendable, Equatable {
    case report(SessionReport, number: UInt32, to: ClientID)
    /// Store these sessions in place of those stored before; if the list is empty, delete what is stored.
    case keep([SessionGoal])
}
