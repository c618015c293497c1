internal import Engine
internal import Sessions

/// Lines that wait until what they tell is on the card.
///
/// Each waits for its own changes, and for the lines before it to the same client. Other clients do not wait.
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

    /// Has whatever is sent to a client wait for a ticket.
    mutating func wait(_ client: ClientID, for ticket: UInt32) {
        waits[client, default: Wait(ticket: ticket)].ticket = ticket
    }

    /// Keeps a line behind the others of its client.
    ///
    /// - Parameter ticket: The ticket of the changes that it tells of; nil for a line that waits for its turn alone.
    /// - Returns: How many bytes wait for the client now.
    mutating func hold(_ bytes: [UInt8], for client: ClientID, behind ticket: UInt32?) -> Int {
        if let ticket { wait(client, for: ticket) }
        guard var wait = waits[client] else { return 0 }
        wait.byteCount += bytes.count
        waits[client] = wait
        lines.append(Line(client: client, bytes: bytes, ticket: wait.ticket))
        return wait.byteCount
    }

    /// Takes the lines that wait for nothing any more, in their order.
    ///
    /// - Parameter ticket: The last ticket that is done, and all before it.
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
