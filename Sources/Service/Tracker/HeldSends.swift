internal import Engine
internal import Sessions

/// Lines that wait until the changes they tell of are on the card.
///
/// Each line waits for its own changes, and for earlier lines to the same client. Other clients do not wait.
struct HeldSends {
    struct Line {
        var client: ClientID
        var bytes: [UInt8]
        fileprivate var ticket: UInt32
    }

    private struct Wait {
        /// The last of the store's tickets that a line of this client waits for.
        var ticket: UInt32
        var byteCount = 0
    }

    private var lines: [Line] = []
    private var waits: [ClientID: Wait] = [:]

    /// Whether a client's next line has to wait behind others.
    func isWaiting(_ client: ClientID) -> Bool { waits[client] != nil }

    /// Makes all further lines to a client wait for a ticket.
    mutating func wait(_ client: ClientID, for ticket: UInt32) {
        waits[client, default: Wait(ticket: ticket)].ticket = ticket
    }

    /// Adds a line behind the waiting lines of its client.
    ///
    /// - Parameter ticket: The ticket of the changes that the line tells of; nil for a line that only waits for its
    ///   turn.
    /// - Returns: The number of bytes that wait for the client now.
    mutating func hold(_ bytes: [UInt8], for client: ClientID, behind ticket: UInt32?) -> Int {
        if let ticket { wait(client, for: ticket) }
        guard var wait = waits[client] else { return 0 }
        wait.byteCount += bytes.count
        waits[client] = wait
        lines.append(Line(client: client, bytes: bytes, ticket: wait.ticket))
        return wait.byteCount
    }

    /// Takes the lines whose wait is over, in their order.
    ///
    /// - Parameter ticket: The last finished ticket; all tickets before it are finished too.
    mutating func release(through ticket: UInt32) -> [Line] {
        let due = lines.filter { $0.ticket <= ticket }
        lines.removeAll { $0.ticket <= ticket }
        for line in due { waits[line.client]?.byteCount -= line.bytes.count }
        waits = waits.filter { $0.value.ticket > ticket }
        return due
    }

    /// Forgets a client that has gone.
    mutating func forget(_ client: ClientID) {
        guard waits.removeValue(forKey: client) != nil else { return }
        lines.removeAll { $0.client == client }
    }
}
