import HostSleep
import Testing

@Suite("Ten thousand sleeps among faults")
struct FaultSequenceTests {
    /// A kind of switch: the horizon of its alarm, and its second way back.
    struct Kind: CustomTestStringConvertible {
        var name: String
        var traits: HostSwitchTraits
        var testDescription: String { name }

        init(_ name: String, horizon: Double, backstop: HostSwitchTraits.Backstop?) {
            self.name = name
            traits = HostSwitchTraits(
                horizon: horizon, backstop: backstop, tellsCause: true, proof: .chip, cutTrigger: .command, cutDelay: 30
            )
        }
    }

    static let kinds = [
        Kind("minutes besides a week", horizon: 7 * 86_400, backstop: .init(unit: 60, most: 65_535)),
        Kind("hours besides a month", horizon: 27 * 86_400, backstop: .init(unit: 3600, most: 127)),
        Kind("a month alone", horizon: 27 * 86_400, backstop: nil),
        Kind("a day alone", horizon: 86_400, backstop: nil),
        Kind("no bound", horizon: 136 * 365 * 86_400, backstop: .init(unit: 60, most: 65_535)),
    ]

    @Test(arguments: kinds)
    func `SLEEP-01, SLEEP-02, SLEEP-10: no cut without an alarm in the chip, and every host wakes in time`(kind: Kind) {
        var (sleeps, lost, wakes) = (0, 0, [WakeCause: Int]())
        for seed in 0..<100 {
            var board = FaultySleeps(kind.traits, seed: UInt64(seed))
            board.run(boots: 40)
            #expect(board.wrongs == FaultySleeps.Wrongs(), "\(kind.name), seed \(seed)")
            sleeps += board.sleeps
            lost += board.lost
            wakes.merge(board.wakes) { $0 + $1 }
        }
        // The faults happened, and did not keep the board from sleeping at all.
        #expect(sleeps > 2000, "\(sleeps)")
        #expect(lost > 0)
        for cause in [WakeCause.alarm, .motion] { #expect(wakes[cause] ?? 0 > 100, "\(cause)") }
        #expect((wakes[.backstop] ?? 0 > 10) == (kind.traits.backstop != nil))
    }
}
