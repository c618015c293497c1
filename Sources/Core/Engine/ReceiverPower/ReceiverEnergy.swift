internal import Power
internal import SextantUnits

/// The accounts to which the energy of receiver, radio and host is charged; none where the board's power draws are not
/// known.
struct ReceiverEnergy {
    var ledger: EnergyLedger?
    /// The number of times the host was woken since the daemon started.
    private(set) var hostWakes: UInt64 = 0
    private var account = Account(state: .off, cause: .idleSleep, clients: [])
    private var lastWake: MonotonicInstant?

    private struct Account: Equatable {
        var state: EnergyLedger.State
        var cause: EnergyCause
        var clients: [UInt32]
    }

    /// Nanoseconds within which successive inputs count as one wake-up of the host.
    private static let oneWake: Int64 = 1_000_000

    mutating func begin(_ model: EnergyModel, hasMotionSensor: Bool, at instant: MonotonicInstant) {
        var begun = EnergyLedger(model, at: instant)
        if hasMotionSensor { begun.sensor(0, isOn: true, at: instant) }
        ledger = begun
    }

    /// Counts a wake-up of the host, unless the previous input came so shortly before that the host was still awake.
    mutating func hostRuns(at instant: MonotonicInstant) {
        defer { lastWake = instant }
        if let lastWake, instant.nanoseconds(since: lastWake) < ReceiverEnergy.oneWake { return }
        hostWakes += 1
        ledger?.hostWoke(account.cause, clients: account.clients, at: instant)
    }

    /// From now on, charges the receiver's energy to its present state, cause and clients.
    mutating func charge(
        _ state: EnergyLedger.State, _ cause: EnergyCause, _ clients: [UInt32], at instant: MonotonicInstant
    ) {
        let now = Account(state: state, cause: cause, clients: clients)
        guard now != account else { return }
        account = now
        ledger?.enter(state, cause: cause, clients: clients, at: instant)
    }

    /// The account names to which these clients' energy is charged, each once.
    func payers(_ clients: [UInt32]) -> [String] { ledger?.labels(of: clients) ?? [] }

    func report(at instant: MonotonicInstant) -> EnergyReport? {
        guard var ledger else { return nil }
        ledger.advance(to: instant)
        return ledger.report
    }

    /// The energy used in each minute of the last hour, or in each quarter of an hour of the last day, oldest first;
    /// nil where the board's power draws are not known.
    func history(of window: EnergyLedger.HistoryWindow, at instant: MonotonicInstant) -> [EnergyLedger.HistoryRow]? {
        guard var ledger else { return nil }
        ledger.advance(to: instant)
        return ledger.history(of: window)
    }
}
