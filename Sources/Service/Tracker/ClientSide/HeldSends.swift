internal import Parts

/// Lines that wait until the changes that they report are on the storage card.
///
/// Each line waits for its own changes, and for earlier lines to the same client. Other clients do not wait. A ticket
/// is the number of a transaction of the store.
struct HeldSends {
    /// The condition on which a line is sent, which depends on whether the changes that it reports were stored.
    enum Condition {
        case always
        /// Sent only once the changes are on the storage card.
        case ifKept
        /// Sent only if storing the changes failed.
        case ifRefused

        func holds(whereRefused isRefused: Bool) -> Bool {
            switch self {
            case .always: true
            case .ifKept: !isRefused
            case .ifRefused: isRefused
            }
        }
    }

    struct Line {
        var client: ClientID
        var bytes: [UInt8]
        fileprivate var condition: Condition
        fileprivate var ticket: UInt32
    }

    private struct Wait {
        /// The last ticket that a line of this client waits for.
        var ticket: UInt32
        var byteCount = 0
    }

    private var lines: [Line] = []
    private var waits: [ClientID: Wait] = [:]

    /// Whether a client's next line must wait behind earlier lines.
    func isWaiting(_ client: ClientID) -> Bool { waits[client] != nil }

    /// The number of bytes in the lines that wait for a client.
    func byteCount(of client: ClientID) -> Int { waits[client]?.byteCount ?? 0 }

    /// Makes all further lines to a client wait for a ticket.
    mutating func wait(_ client: ClientID, for ticket: UInt32) {
        waits[client, default: Wait(ticket: ticket)].ticket = ticket
    }

    /// Adds a line behind the waiting lines of its client.
    ///
    /// - Parameter condition: The condition; it is about the changes of the ticket that the client waits for.
    mutating func hold(_ bytes: [UInt8], for client: ClientID, _ condition: Condition) {
        guard var wait = waits[client] else { return }
        wait.byteCount += bytes.count
        waits[client] = wait
        lines.append(Line(client: client, bytes: bytes, condition: condition, ticket: wait.ticket))
    }

    /// Takes the lines that need not wait any longer and whose condition is met, in their order.
    ///
    /// This is `release` in the Promela models authorization.pml and outbox.pml.
    ///
    /// - Parameters:
    ///   - ticket: The last finished ticket; all tickets before it are finished too.
    ///   - isRefused: Whether storing the changes of the tickets that finish now has failed.
    mutating func release(through ticket: UInt32, isRefused: Bool) -> [Line] {
        let due = lines.filter { $0.ticket <= ticket }
        lines.removeAll { $0.ticket <= ticket }
        for line in due { waits[line.client]?.byteCount -= line.bytes.count }
        waits = waits.filter { $0.value.ticket > ticket }
        return due.filter { $0.condition.holds(whereRefused: isRefused) }
    }

    /// Removes the lines of a client that has gone.
    mutating func forget(_ client: ClientID) {
        guard waits.removeValue(forKey: client) != nil else { return }
        lines.removeAll { $0.client == client }
    }
}
