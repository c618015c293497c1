/// The waiting events of each client.
struct EventsByClient {
    private(set) var clients: [String: PendingEvents] = [:]
    /// The last event number of a daemon up to 0.1, which numbered all clients' events together; each client's own
    /// numbers begin after it.
    private var firstNumber: UInt64 = 0

    @discardableResult
    mutating func change<Result>(_ client: String, _ change: (inout PendingEvents) -> Result) -> Result {
        change(&clients[client, default: PendingEvents(of: client, lastNumber: firstNumber)])
    }

    /// - Parameter client: The client's name; empty for a number that a daemon up to 0.1 counted for all clients.
    mutating func restore(lastNumber number: UInt64, of client: String) {
        if client.isEmpty { firstNumber = number }
        for name in client.isEmpty ? Array(clients.keys) : [client] {
            change(name) { $0.restore(lastNumber: number) }
        }
    }
}
