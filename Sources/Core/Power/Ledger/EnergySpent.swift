/// The energy spent in a window of time.
///
/// The energy of receiver, sensors, radio and host wake-ups is split up by cause and also by client, and each split
/// adds up exactly to the sum of these four; the idle host's energy has no client.
public struct EnergySpent: Sendable, Equatable {
    /// The energy spent for one client.
    public struct Client: Sendable, Equatable {
        /// The client's number; nil for the daemon's own account, and for the common account of clients without one of
        /// their own.
        public var id: UInt32?
        public var label: String
        /// Whether the client is still connected.
        public var isPresent: Bool
        public var nanojoules: Int64
    }

    /// The window's length in nanoseconds, less than its name says while the daemon has not run that long.
    public let nanoseconds: UInt64
    /// The nanojoules by part, cause and client, in the order of `EnergyAccounts.Column`.
    private let row: [Int64]
    /// The clients for which energy was spent, that with the most energy first.
    public private(set) var clients: [Client]
    /// The energy of a full battery at the board's 5 V, in watt hours; nil without a battery, or where it was not
    /// given.
    public let batteryWattHours: Double?
    private let hasRadio: Bool

    /// The label (client name) of the daemon's own account, for energy that no client asked for.
    public static let ownLabel = "sextantd"
    /// The label (client name) under which the energy of all clients without an account of their own is listed.
    public static let othersLabel = "others"

    init(row: [Int64], nanoseconds: UInt64, clients table: EnergyClients, model: EnergyModel) {
        self.row = row
        self.nanoseconds = nanoseconds
        batteryWattHours = model.batteryWattHours
        hasRadio = model.radio != nil
        var clients: [Client] = []
        for slot in Array(table.accounts.indices) + [EnergyClients.own, EnergyClients.others] {
            let nanojoules = row[EnergyAccounts.Column.account(slot)]
            guard nanojoules != 0, let client = EnergySpent.client(slot, nanojoules, table) else { continue }
            clients.append(client)
        }
        self.clients = EnergySpent.sorted(clients)
    }

    private static func sorted(_ clients: [Client]) -> [Client] {
        clients.sorted { ($1.nanojoules, $0.label) < ($0.nanojoules, $1.label) }
    }

    /// A copy of this report with all clients' accounts summed into one, except the daemon's account and that of the
    /// client with this label.
    public func seen(as label: String) -> EnergySpent {
        let isShown = { (client: Client) in
            client.id == nil ? client.label == EnergySpent.ownLabel : client.label == label
        }
        let hidden = clients.filter { !isShown($0) }.reduce(0) { $0 + $1.nanojoules }
        var seen = self
        seen.clients.removeAll { !isShown($0) }
        if hidden != 0 {
            seen.clients.append(
                Client(id: nil, label: EnergySpent.othersLabel, isPresent: true, nanojoules: hidden))
        }
        seen.clients = EnergySpent.sorted(seen.clients)
        return seen
    }

    private static func client(_ slot: Int, _ nanojoules: Int64, _ table: EnergyClients) -> Client? {
        switch slot {
        case EnergyClients.own: Client(id: nil, label: ownLabel, isPresent: true, nanojoules: nanojoules)
        case EnergyClients.others: Client(id: nil, label: othersLabel, isPresent: true, nanojoules: nanojoules)
        default:
            table.accounts[slot].map {
                Client(id: $0.id, label: $0.label, isPresent: $0.isPresent, nanojoules: nanojoules)
            }
        }
    }

    /// Nanojoules of the receiver in a state.
    public func receiver(_ state: EnergyLedger.State) -> Int64 {
        row[EnergyAccounts.Column.states + Int(state.rawValue)]
    }

    /// Nanojoules of the receiver in all its states.
    public var receiver: Int64 { EnergyLedger.State.allCases.reduce(0) { $0 + receiver($1) } }
    /// Nanojoules of the sensors.
    public var sensors: Int64 { row[EnergyAccounts.Column.sensors] }
    /// Nanojoules of the radio while it listened for beacons; nil where its draw is not known.
    public var radio: Int64? { hasRadio ? row[EnergyAccounts.Column.radio] : nil }
    /// Nanoseconds for which windows of the radio's scan were open.
    public var scanned: Int64 { row[EnergyAccounts.Column.scanned] }
    /// Nanojoules of the host's wake-ups beyond its idling.
    public var hostWake: Int64 { row[EnergyAccounts.Column.hostWake] }
    /// Nanojoules of the host's idling.
    public var hostIdle: Int64 { row[EnergyAccounts.Column.hostIdle] }
    /// Nanojoules that have a cause and a client: all but the idle host's.
    public var caused: Int64 { receiver + sensors + row[EnergyAccounts.Column.radio] + hostWake }
    /// Nanojoules of the whole device.
    public var total: Int64 { caused + hostIdle }

    /// Nanojoules spent for a cause.
    public func cause(_ cause: EnergyCause) -> Int64 { row[EnergyAccounts.Column.causes + Int(cause.rawValue)] }
}

extension EnergySpent {
    public var hours: Double { Double(nanoseconds) / 3.6e12 }

    /// The whole device's mean draw in milliwatts; nil before any time has passed.
    public var deviceMilliwatts: Double? {
        nanoseconds > 0 ? Double(total) / Double(nanoseconds) * 1e3 : nil
    }

    /// The receiver's part of the whole device's energy, 0 to 1; nil before any energy was spent.
    public var receiverShare: Double? { total > 0 ? Double(receiver) / Double(total) : nil }

    /// Hours for which a full battery feeds the whole device at this window's mean draw; nil without a battery, or
    /// where the window is shorter than a minute and so tells nothing.
    public var batteryHours: Double? {
        guard nanoseconds >= EnergyAccounts.minute, let batteryWattHours, let deviceMilliwatts, deviceMilliwatts > 0
        else { return nil }
        return batteryWattHours * 1e3 / deviceMilliwatts
    }
}
