internal import Parts

/// Lines (JSON objects to clients) that wait until the changes that they report are on the storage card.
///
/// Each line waits for its own changes, and for earlier lines to the same client, but not for those to other clients. A
/// ticket is the number of a group of changes given to the store.
struct HeldSends {
    /// The condition on which a line is sent, which depends on whether the changes that it reports were stored.
    enum Condition {
        case always
        /// The line is sent only if the changes were stored on the storage card.
        case ifKept
        /// The line is sent only if storing the changes failed.
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
        /// The last ticket (number of a group of changes to store) that this client's lines wait for.
        var ticket: UInt32
        var byteCount = 0
    }

    private var lines: [Line] = []
    private var waits: [ClientID: Wait] = [:]

    /// Whether the next line to a client must wait because earlier lines to it wait.
    func isWaiting(_ client: ClientID) -> Bool { waits[client] != nil }

    /// The number of bytes in the lines that wait for a client.
    func byteCount(of client: ClientID) -> Int { waits[client]?.byteCount ?? 0 }

    /// Makes all further lines to a client wait until the changes with a ticket (a number) are stored or refused.
    mutating func wait(_ client: ClientID, for ticket: UInt32) {
        let earlier = waits[client]?.ticket ?? ticket
        waits[client, default: Wait(ticket: ticket)].ticket = max(earlier, ticket)
    }

    /// Adds a line behind the waiting lines of its client.
    ///
    /// - Parameter condition: Whether the line is sent if the changes that the client waits for are stored, if they are
    ///   not, or in both cases.
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
    ///   - ticket: The number of the last changes that are stored or refused; all changes with lower numbers are too.
    ///   - isRefused: Whether the changes that finish with this ticket could not be stored.
    mutating func release(through ticket: UInt32, isRefused: Bool) -> [Line] {
        let due = lines.filter { $0.ticket <= ticket }
        lines.removeAll { $0.ticket <= ticket }
        for line in due { waits[line.client]?.byteCount -= line.bytes.count }
        waits = waits.filter { $0.value.ticket > ticket }
        return due.filter { $0.condition.holds(whereRefused: isRefused) }
    }

    /// Removes the lines of a client that has disconnected.
    mutating func forget(_ client: ClientID) {
        guard waits.removeValue(forKey: client) != nil else { return }
        lines.removeAll { $0.client == client }
    }
}
