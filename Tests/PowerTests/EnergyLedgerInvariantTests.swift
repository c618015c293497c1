import Power
import Receivers
import SextantUnits
import Testing

/// Random events, the same ones every time.
private struct Sequence {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func below(_ bound: UInt64) -> UInt64 { random.next() % bound }
}

@Suite("Energy ledger's invariants")
struct EnergyLedgerInvariantTests {
    /// Attojoules of everything, added up without the ledger.
    private struct Truth {
        var draws: [UInt64] = [96_000_000, 87_000_000, 87_000_000, 60_000, 45_000, 0]
        var sensors: [UInt64] = [1_500_000, 200_000]
        var state = 5
        var on = [false, false]
        var attojoules: Int128 = 0

        mutating func pass(_ nanoseconds: Int64) {
            var draw: UInt64 = 600_000_000 + draws[state]
            for index in on.indices where on[index] { draw += sensors[index] }
            attojoules += Int128(draw) * Int128(nanoseconds)
        }
    }

    private static func isExact(_ spent: EnergySpent) -> Bool {
        EnergyCause.allCases.reduce(Int64(0)) { $0 + spent.cause($1) } == spent.caused
            && spent.clients.reduce(Int64(0)) { $0 + $1.nanojoules } == spent.caused
            && EnergyLedger.State.allCases.reduce(spent.sensors + spent.hostWake + spent.hostIdle) {
                $0 + spent.receiver($1)
            } == spent.total
    }

    @Test func `after two hundred thousand random events the sums agree to the nanojoule`() throws {
        var random = Sequence(seed: 1)
        var ledger = EnergyLedger(try EnergyLedgerTests.model(), at: .zero)
        var truth = Truth()
        var now: Int64 = 0
        var exact = 0
        for event in 1...200_000 {
            let step = Int64(random.below(4_000_000_000))
            now += step
            truth.pass(step)
            let instant = MonotonicInstant(nanoseconds: now)
            let cause = EnergyCause(rawValue: UInt8(random.below(UInt64(EnergyCause.allCases.count)))) ?? .aiding
            let id = UInt32(random.below(200))
            switch random.below(10) {
            case 0: ledger.join(id, label: "client \(id % 90)")
            case 1: ledger.leave(id)
            case 2:
                ledger.hostWoke(cause, clients: [id, id / 2], at: instant)
                truth.attojoules += 25_000_000 * 1_000_000_000
            case 3:
                ledger.sensor(Int(id % 2), isOn: id % 4 < 2, at: instant)
                truth.on[Int(id % 2)] = id % 4 < 2
            default:
                truth.state = Int(id % 6)
                let state = EnergyLedger.State(rawValue: UInt8(id % 6)) ?? .off
                ledger.enter(state, cause: cause, clients: [id, id + 1, id / 3], at: instant)
            }
            guard event % 4000 == 0 else { continue }
            ledger.advance(to: instant)
            if EnergyLedger.Window.allCases.allSatisfy({ Self.isExact(ledger.spent(over: $0)) }) { exact += 1 }
        }
        #expect(exact == 50)
        let total = ledger.spent(over: .sinceBoot).total
        let missing = truth.attojoules - Int128(total) * 1_000_000_000
        // Three meters, each of which holds back less than a nanojoule.
        #expect(missing >= 0 && missing < 3_000_000_000)
    }
}
