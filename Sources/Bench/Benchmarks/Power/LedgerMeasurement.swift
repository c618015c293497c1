internal import AllocationCounter
internal import Power
internal import Receivers
internal import SextantUnits

/// The heap allocations of the energy ledger in the steady state.
struct LedgerMeasurement {
    /// The number of events that were entered while allocations were counted.
    let events = 60_000
    /// The heap allocations of all these events.
    private(set) var allocations = 0

    init() throws {
        let model = try EnergyModel(
            receiver: ReceiverModel.neoM8N.powerDraw, sensors: [1.5, 0.2], hostIdle: 600, hostWake: 25,
            batteryWattHours: 10)
        var ledger = EnergyLedger(model, at: .zero)
        ledger.join(1, label: "a")
        ledger.join(2, label: "b")
        // The third client is unknown to the ledger.
        let clients: [UInt32] = [1, 2, 3]
        var now: Int64 = 0
        // The ledger's arrays have their final capacity after a first round.
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
