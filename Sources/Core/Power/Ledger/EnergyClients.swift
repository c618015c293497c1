/// The energy accounts: a bounded table of clients, one entry for all others and one for the daemon itself.
///
/// A client that left keeps its account until its share has left the day; then its energy since the start goes to the
/// others. One that comes back under the same label meanwhile goes on with its old account.
struct EnergyClients: Sendable {
    struct Account: Sendable {
        var id: UInt32
        var label: String
        var isPresent: Bool
    }

    /// Clients with an account of their own.
    static let maximum = 64
    /// The daemon's own account: what nobody asked for.
    static let own = maximum
    /// The account of clients for which there was no room.
    static let others = maximum + 1
    static let slotCount = maximum + 2

    private(set) var accounts: [Account?] = Array(repeating: nil, count: maximum)
    /// The ids of those accounts whose clients are present.
    private var present: [UInt32?] = Array(repeating: nil, count: maximum)

    mutating func join(_ id: UInt32, label: String) {
        guard slot(of: id) == EnergyClients.others else { return }
        let known = accounts.firstIndex { $0.map { !$0.isPresent && $0.label == label } ?? false }
        guard let slot = known ?? accounts.firstIndex(where: { $0 == nil }) else { return }
        accounts[slot] = Account(id: id, label: label, isPresent: true)
        present[slot] = id
    }

    mutating func leave(_ id: UInt32) {
        let slot = slot(of: id)
        guard slot != EnergyClients.others else { return }
        accounts[slot]?.isPresent = false
        present[slot] = nil
    }

    mutating func forget(slot: Int) { accounts[slot] = nil }

    /// Where a client's energy goes; a stranger's to the others.
    func slot(of id: UInt32) -> Int {
        for slot in 0..<EnergyClients.maximum where present[slot] == id { return slot }
        return EnergyClients.others
    }
}
