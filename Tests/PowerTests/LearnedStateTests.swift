import Power
import Receivers
import Testing

@Suite("Learned state")
struct LearnedStateTests {
    static let times = ReceiverModel.neoM8N.startTimes

    static func fresh() -> LearnedState { LearnedState(receiver: "NEO-M8N 3.01", believing: times) }

    private static let hour = 3600.0

    @Test func `before any start is measured, the receiver's documented start times are used`() {
        let state = Self.fresh()
        // 1 s of boot and a median of 4 s: a median of 5 s.
        #expect(abs(state.quantile(0.5, .software, off: 60, ephemerisAge: 0) - 5) < 0.01)
        #expect(abs(state.quantile(0.5, .software, off: 5 * Self.hour, ephemerisAge: 0) - 28) < 0.1)
        #expect(abs(state.quantile(0.5, .cut, off: 60, ephemerisAge: 0) - 31) < 0.1)
        #expect(abs(state.quantile(0.5, .cyclic, off: 60, ephemerisAge: 0) - 4) < 0.01)
        #expect(abs(state.firstStartQuantile(0.5) - 31) < 0.1)
        #expect(state.backup == .good)
    }

    @Test func `a missing ephemeris counts as an expired one`() {
        let state = Self.fresh()
        #expect(
            state.expected(.hardware, off: 1, ephemerisAge: nil)
                == state.expected(.hardware, off: 0, ephemerisAge: 20_000))
        #expect(
            state.warmProbability(ephemerisAge: nil) == 1 && state.warmProbability(ephemerisAge: 0) == 0)
    }

    @Test func `an older ephemeris and a higher quantile never make a start shorter`() {
        let state = Self.fresh()
        for kind in [SleepKind.software, .hardware] {
            let ages = [0, 2000, 4000, 8000, 12_000, 15_000] as [Double]
            let expected = ages.map { state.expected(kind, off: 0, ephemerisAge: $0) }
            #expect(
                expected == expected.sorted()
                    && ages.map(state.warmProbability) == ages.map(state.warmProbability).sorted())
            let parts = [0.05, 0.5, 0.8, 0.95].map {
                state.quantile($0, kind, off: 0, ephemerisAge: 8000)
            }
            #expect(parts == parts.sorted())
        }
    }

    @Test func `forty measured starts outweigh the documented times, only for their own kind and age`() {
        var state = Self.fresh()
        let before = state
        for index in 0..<40 {
            state.noteStart(
                .software, off: 600, ephemerisAge: 0, seconds: index.isMultiple(of: 2) ? 1.8 : 2.2)
        }
        #expect(abs(state.quantile(0.5, .software, off: 600, ephemerisAge: 0) - 2) < 0.3)
        #expect(state.expected(.software, off: 600, ephemerisAge: 0) < 3)
        #expect(
            state.expected(.hardware, off: 600, ephemerisAge: 0)
                == before.expected(.hardware, off: 600, ephemerisAge: 0))
        #expect(
            state.expected(.software, off: 600, ephemerisAge: 3 * Self.hour)
                == before.expected(.software, off: 600, ephemerisAge: 3 * Self.hour))
    }

    @Test func `start times that change are learned anew, because old samples lose weight`() {
        var state = Self.fresh()
        for _ in 0..<500 { state.noteStart(.hardware, off: 60, ephemerisAge: 0, seconds: 2) }
        for _ in 0..<60 { state.noteStart(.hardware, off: 60, ephemerisAge: 0, seconds: 9) }
        #expect(abs(state.quantile(0.5, .hardware, off: 60, ephemerisAge: 0) - 9) < 1)
    }

    @Test(arguments: [0, -1, .nan, .infinity, 3601] as [Double])
    func `a duration that no start can have is not learned`(seconds: Double) {
        var state = Self.fresh()
        state.noteStart(.software, off: 60, ephemerisAge: 0, seconds: seconds)
        state.noteFirstStart(seconds: seconds)
        #expect(state == Self.fresh())
    }

    @Test func `the first start after boot is learned separately`() {
        var state = Self.fresh()
        for _ in 0..<20 { state.noteFirstStart(seconds: 120) }
        #expect(state.firstStartQuantile(0.5) > 80)
        #expect(
            state.expected(.cut, off: 60, ephemerisAge: nil)
                == Self.fresh().expected(.cut, off: 60, ephemerisAge: nil))
    }

    @Test func `the ageing of ephemerides is learned from whether starts were warm or hot`() {
        var state = Self.fresh()
        #expect(abs(state.warmProbability(ephemerisAge: 2.5 * Self.hour) - 0.25) < 1e-9)
        for _ in 0..<30 {
            state.noteStart(.software, off: 2.5 * Self.hour, ephemerisAge: 0, seconds: 29)
        }
        #expect(state.warmProbability(ephemerisAge: 2.5 * Self.hour) > 0.8)
        for _ in 0..<60 {
            state.noteStart(.software, off: 2.5 * Self.hour, ephemerisAge: 0, seconds: 4)
        }
        #expect(state.warmProbability(ephemerisAge: 2.5 * Self.hour) < 0.1)
    }

    @Test
    func
        `a dead backup supply is detected by starts that should have been hot, until a hot one`()
    {
        var state = Self.fresh()
        var seen: [LearnedState.Backup] = []
        for _ in 0..<5 {
            state.noteStart(.hardware, off: 600, ephemerisAge: 0, seconds: 32)
            seen.append(state.backup)
        }
        #expect(seen == [.good, .suspect, .suspect, .failed, .failed])
        #expect(state.warmProbability(ephemerisAge: 600) == 0)
        state.noteStart(.hardware, off: 600, ephemerisAge: 0, seconds: 4)
        #expect(state.backup == .good)
    }

    @Test func `a start that had to be slow does not make the backup supply suspect`() {
        var state = Self.fresh()
        for _ in 0..<10 {
            state.noteStart(.hardware, off: 3 * Self.hour, ephemerisAge: 0, seconds: 32)
            state.noteStart(.hardware, off: 60, ephemerisAge: nil, seconds: 32)
            state.noteStart(.cut, off: 60, ephemerisAge: 0, seconds: 32)
        }
        #expect(state.backup == .good)
    }
}
