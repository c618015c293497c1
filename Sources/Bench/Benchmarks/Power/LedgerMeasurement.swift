internal import AllocationCounter
internal import Power
internal import Receivers
internal import SextantUnits

/// Counts the heap allocations of the energy ledger, which divides the energy that the board has used between its
/// clients.
struct LedgerMeasurement {
    /// The number of events that the ledger records while allocations are counted.
    let events = 60_000
    /// The number of heap allocations during all these events together.
    private(set) var allocations = 0

    init() throws {
        let model = try EnergyModel(
            receiver: ReceiverModel.neoM8N.powerDraw, sensors: [1.5, 0.2], hostIdle: 600, hostWake: 25,
            batteryWattHours: 10)
        var ledger = EnergyLedger(model, at: .zero)
        ledger.join(1, label: "a")
        ledger.join(2, label: "b")
        // Client 3 has never been registered with the ledger, so that this case is measured as well.
        let clients: [UInt32] = [1, 2, 3]
        var now: Int64 = 0
        // Only the second round is counted: during the first one the ledger's arrays grow to their final capacity.
        for isCounted in [false, true] {
            let before = allocation_count()
            for _ in 0..<events / 3 {
                now += 7_000_000_000
                let instant = MonotonicInstant(nanoseconds: now)
                ledger.enter(.tracking, cause: .gpsd, clients: clients, at: instant)
                ledger.sensor(0, isOn: now % 2 == 0, at: instant)
                ledger.hostWoke(.gpsd, clients: clients, at: instant)
            }
            if isCounted { allocations = Int(allocation_count() - before) }
        }
    }
}
