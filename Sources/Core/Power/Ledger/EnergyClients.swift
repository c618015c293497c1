/// The energy accounts: a bounded table of clients, one entry for all others and one for the daemon itself.
///
/// A client that left keeps its account while some of its energy was spent within the last day; after that, its energy
/// since the start is added to the entry for all others. A client that returns with the same name (label) before that
/// continues its old account.
struct EnergyClients: Sendable {
    struct Account: Sendable {
        var id: UInt32
        var label: String
        var isPresent: Bool
    }

    /// The largest number of clients with an account of their own.
    static let maximum = 64
    /// The slot, or index in the table, of the daemon's own account, for energy that no client asked for.
    static let own = maximum
    /// The slot, or index in the table, of the one account for all clients for which there was no room.
    static let others = maximum + 1

    /// The clients' accounts, nil where one was closed; as many entries as the largest number of accounts at one time.
    private(set) var accounts: [Account?] = []
    /// For each entry of `accounts`, the client's number while the client is present; nil after it left.
    private var present: [UInt32?] = []

    mutating func join(_ id: UInt32, label: String) {
        guard slot(of: id) == EnergyClients.others else { return }
        let known = accounts.firstIndex { $0.map { !$0.isPresent && $0.label == label } ?? false }
        let slot = known ?? accounts.firstIndex { $0 == nil } ?? accounts.count
        guard slot < EnergyClients.maximum else { return }
        if slot == accounts.count {
            accounts.append(nil)
            present.append(nil)
        }
        accounts[slot] = Account(id: id, label: label, isPresent: true)
        present[slot] = id
    }

    mutating func leave(_ id: UInt32) {
        let slot = slot(of: id)
        guard slot != EnergyClients.others else { return }
        accounts[slot]?.isPresent = false
        present[slot] = nil
    }

    /// Opens an account for each client, given by its label, that has regions or visits registered; clients that had
    /// some before and have none now count as left.
    mutating func register(_ labels: [String]) {
        let ids = labels.map(EnergyLedger.number(ofRegistrations:))
        for case let account? in accounts
        where account.isPresent && account.id >= EnergyLedger.firstRegistrations && !ids.contains(account.id) {
            leave(account.id)
        }
        for (id, label) in zip(ids, labels) { join(id, label: label) }
    }

    mutating func forget(slot: Int) { accounts[slot] = nil }

    /// The index in the table of a client's energy account; for a client without one, the index of the common account.
    func slot(of id: UInt32) -> Int {
        for slot in present.indices where present[slot] == id { return slot }
        return EnergyClients.others
    }
}
