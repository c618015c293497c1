/// The waiting events of each client.
struct EventsByClient {
    private(set) var clients: [String: PendingEvents] = [:]
    /// The number after which each client's own event numbers begin: daemons up to 0.1 numbered the events of all
    /// clients together.
    private var firstNumber: UInt64 = 0

    @discardableResult
    mutating func change<Result>(_ client: String, _ change: (inout PendingEvents) -> Result) -> Result {
        change(&clients[client, default: PendingEvents(of: client, lastNumber: firstNumber)])
    }

    /// - Parameter client: The client's name; empty for the number that all clients shared in daemons up to 0.1.
    mutating func restore(lastNumber number: UInt64, of client: String) {
        if client.isEmpty { firstNumber = number }
        for name in client.isEmpty ? Array(clients.keys) : [client] {
            change(name) { $0.restore(lastNumber: number) }
        }
    }
}
