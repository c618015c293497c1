import GNSS
import SextantUnits
import Testing
import TimeService

@Suite("Which pulses give the time")
struct PulseTests {
    private static let millisecond: Int64 = 1_000_000
    private static let hour: Int64 = 3_600_000_000_000

    /// A receiver whose pulses are believed.
    private static func rig(delay: Int64 = 100) -> Rig {
        var rig = Rig(hasPulses: true)
        rig.pulsedEpochs(0..<100, delay: { _ in delay * millisecond })
        return rig
    }

    @Test(arguments: [50, 100, 300, 499, 500, 501, 700, 850, 880] as [Int64])
    func `TIME-02: the second is right for each of 10 000 pulses whose messages come 50 to 880 ms later`(delay: Int64) {
        var rig = Rig(hasPulses: true)
        let spread = min(delay - 25, 895 - delay, 140)
        rig.pulsedEpochs(0..<10_000) { _ in
        } delay: {
            (delay + Int64($0 * 7919 % (2 * Int(spread) + 1)) - spread) * Self.millisecond
        }
        // The first epoch has none before it, and 60 show the delay.
        #expect(rig.pulses.count >= 9_900)
        // Off by the jitter of 2 µs alone: a wrong second would be 1 s.
        #expect(rig.pulses.allSatisfy { abs($0.offset) <= 2_000 })
        #expect(rig.pulseRefusals.keys.allSatisfy { [.discontinuous, .irregularPulse, .delayNotLearned].contains($0) })
        // One that is so slow may as well have late pulses.
        #expect(rig.doubts == (delay > 600 ? 1 : 0) && rig.troubles.count == rig.doubts)
    }

    @Test func `TIME-03: pulses that are 0.3 s late from the beginning are doubted once where no clock is kept`() {
        var rig = Rig(hasPulses: true)
        rig.pulseLate = 300 * Self.millisecond
        // A message of 0.1 s finds the pulse of the second before.
        for second in 1..<200 {
            rig.pulse(second - 1)
            rig.epoch(second)
        }
        #expect(rig.doubts == 1 && rig.troubles.count == 1)
    }

    /// How the messages of a receiver come that numbers no pulse.
    enum Delays: CaseIterable {
        case growingSlowlyBeyondASecond, longerByASecondAllAtOnce, wanderingBy400ms, belowTwentyMillisecondsNowAndThen

        func milliseconds(_ second: Int) -> Int64 {
            switch self {
            case .growingSlowlyBeyondASecond: 500 + Int64(second) / 10
            case .longerByASecondAllAtOnce: second < 40 ? 100 : 1100
            case .wanderingBy400ms: [100, 300, 500, 300][second % 4]
            case .belowTwentyMillisecondsNowAndThen: second % 10 == 0 ? 10 : 120
            }
        }
    }

    @Test(arguments: Delays.allCases)
    func `TIME-02: no pulse is numbered wrong where the messages' delay does not say its second`(delays: Delays) {
        var rig = Rig(hasPulses: true)
        rig.pulsedEpochs(0..<10_000, delay: { delays.milliseconds($0) * Self.millisecond })
        #expect(rig.pulses.allSatisfy { abs($0.offset) <= 2_000 })
        #expect(rig.pulseRefusals[.delayUncertain, default: 0] > 5_000)
        // One line for the log, and it has the delays.
        let told = rig.troubles.drop { if case .lateMessages = $0 { true } else { false } }
        guard case .unevenDelay(let earliest, let latest)? = told.first else {
            Issue.record("no trouble told")
            return
        }
        let bounds = 20 * Self.millisecond...900 * Self.millisecond
        #expect(
            !bounds.contains(earliest) || !bounds.contains(latest) || latest - earliest > 300 * Self.millisecond)
    }

    @Test func `TIME-02: once pulses have shown it, the messages' delay is taken off their times`() {
        let rig = Self.rig(delay: 480)
        #expect(rig.service.learnedDelay.map { abs($0 - 480 * Self.millisecond) <= 2_000 } == true)
        #expect(rig.samples.first?.offset == -380 * Self.millisecond)
        #expect(rig.samples.last.map { abs($0.offset) <= 2_000 } == true)
    }

    @Test(arguments: [TimeRefusal.noFix, .notValid, .inaccurate, .leapSecondsUnknown, .impossibleDate])
    func `TIME-03: pulses whose messages a gate stops are counted under that gate`(refusal: TimeRefusal) {
        var rig = Self.rig()
        let before = rig.pulses.count
        rig.pulsedEpochs(100..<120) { report in
            switch refusal {
            case .noFix: report.hasFix = false
            case .notValid: report.isValid = false
            case .inaccurate: report.accuracy = 2e-6
            case .leapSecondsUnknown:
                report.leap = LeapKnowledge(isFromSatellites: false, change: 0, secondsToChange: 0)
            default: report.utc = report.utc?.advanced(byNanoseconds: 1024 * 7 * UTCInstant.nanosecondsPerDay)
            }
        }
        #expect(rig.pulses.count == before)
        #expect(rig.pulseRefusals[refusal] == 20)
    }

    @Test func `TIME-03: pulses before the first fix give nothing, nor do they teach the delay`() {
        var rig = Rig(hasPulses: true)
        rig.pulsedEpochs(0..<300) { $0.hasFix = false }
        rig.pulsedEpochs(300..<360)
        #expect(rig.pulses.count == 1)
        #expect(rig.pulseRefusals == [.noFix: 300, .delayNotLearned: 59])
    }

    @Test(arguments: [300, -300] as [Int64])
    func `TIME-03: a pulse 0.3 s off gives no sample, nor do the two after it, and one line says by how much`(
        late: Int64
    ) {
        var rig = Self.rig()
        let before = rig.pulses.count
        rig.pulse(100, late: late * Self.millisecond)
        rig.delay = 400 * Self.millisecond
        rig.epoch(100)
        rig.pulsedEpochs(101..<110)
        #expect(rig.pulses.count == before + 7)
        #expect(rig.pulses.allSatisfy { abs($0.offset) <= 2_000 })
        #expect(rig.pulseRefusals[.irregularPulse] == 1 + 3)
        guard case .irregular(let nanoseconds)? = rig.troubles.first else {
            Issue.record("no trouble told")
            return
        }
        #expect(abs(nanoseconds - late * Self.millisecond) <= 4_000)
    }

    /// The last pulse before a message of second 100 that came so many milliseconds late, and what is refused for it.
    @Test(arguments: [(99, 0, [:]), (101, 900, [.discontinuous: 2])] as [(Int, Int64, [TimeRefusal: Int])])
    func `TIME-03: a message whose last pulse is another second's gives no sample, and makes no other one wrong`(
        pulse: Int, late: Int64, refusals: [TimeRefusal: Int]
    ) {
        var rig = Self.rig(delay: 50)
        let (before, refused) = (rig.pulses.count, rig.pulseRefusals)
        rig.pulse(pulse)
        rig.epoch(100, later: late * Self.millisecond)
        #expect(rig.pulses.count == before)
        rig.pulsedEpochs(101..<110, delay: { _ in 50 * Self.millisecond })
        #expect(rig.pulseRefusals.merging(refused) { $0 - $1 }.filter { $0.value > 0 } == refusals)
        #expect(rig.pulses.count == before + (refusals.isEmpty ? 9 : 8))
        #expect(rig.pulses.allSatisfy { abs($0.offset) <= 2_000 })
        #expect(rig.troubles == [])
    }

    @Test(arguments: [300, -300, 500] as [Int64])
    func `TIME-03: pulses that move by 0.3 s and stay there give no sample until they are back`(moved: Int64) {
        var rig = Self.rig(delay: 400)
        let before = rig.pulses.count
        rig.pulseLate = moved * Self.millisecond
        rig.pulsedEpochs(100..<400, delay: { _ in 400 * Self.millisecond })
        #expect(rig.pulses.count == before)
        #expect(rig.pulseRefusals[.pulseOff, default: 0] >= 290)
        #expect(rig.troubles.contains { if case .moved = $0 { true } else { false } })
        rig.pulseLate = 0
        rig.pulsedEpochs(400..<410, delay: { _ in 400 * Self.millisecond })
        #expect(rig.pulses.count == before + 8)
        #expect(rig.pulses.allSatisfy { abs($0.offset) <= 2_000 })
    }

    @Test func `TIME-03: pulses that are 0.3 s off from the beginning are refused where another clock is kept`() {
        var rig = Rig(hasPulses: true)
        rig.isSynchronized = true
        rig.pulseLate = 300 * Self.millisecond
        rig.pulsedEpochs(0..<200, delay: { _ in 500 * Self.millisecond })
        #expect(rig.pulses.isEmpty)
        #expect(rig.pulseRefusals[.pulseOff, default: 0] > 130)
        guard case .offClock(let by)? = rig.troubles.first else {
            Issue.record("no trouble told")
            return
        }
        #expect(abs(by - 300 * Self.millisecond) < 3_000)
    }

    @Test func `a clock that our own messages have set is not held against a pulse`() {
        var rig = Rig(hasPulses: true)
        rig.pulsedEpochs(0..<10, delay: { _ in 500 * Self.millisecond })
        (rig.isSynchronized, rig.wallAhead) = (true, -400 * Self.millisecond)
        rig.pulsedEpochs(10..<200, delay: { _ in 500 * Self.millisecond })
        #expect(rig.pulses.count > 120)
        #expect(rig.troubles == [])
    }

    @Test func `TIME-02: a receiver that learns the leap seconds after a cold start gives its pulses from then on`() {
        var rig = Rig(hasPulses: true)
        rig.pulsedEpochs(0..<100) {
            $0.utc = $0.utc?.advanced(byNanoseconds: 1_000_000_000)
            $0.leap = LeapKnowledge(isFromSatellites: false, change: 0, secondsToChange: 0)
        }
        #expect(rig.pulses.isEmpty)
        rig.pulsedEpochs(100..<110)
        #expect(rig.pulses.count == 9 && rig.pulseRefusals[.pulseOff] == nil)
        #expect(rig.pulses.allSatisfy { abs($0.offset) <= 2_000 })
    }

    @Test func `TIME-03: a second whose message is missing gives no sample, and costs no other`() {
        var rig = Self.rig()
        let before = rig.pulses.count
        rig.pulse(100)
        rig.pulsedEpochs(101..<110)
        #expect(rig.pulses.count == before + 9)
        #expect(rig.pulses.allSatisfy { abs($0.offset) <= 2_000 })
    }

    @Test func `TIME-03: without a pulse for its second a message gives none, and a minute of that is told once`() {
        var rig = Self.rig()
        let before = rig.pulses.count
        for second in 102..<300 { rig.epoch(second) }
        #expect(rig.pulses.count == before)
        #expect(rig.pulseRefusals[.noPulse] == 198)
        #expect(rig.troubles == [.missing])
    }

    @Test func `TIME-03: a clock step of 1 h gives no sample until three pulses came after it`() {
        var rig = Self.rig()
        let before = rig.pulses.count
        rig.wallAhead = Self.hour
        rig.pulsedEpochs(100..<110)
        #expect(rig.pulses.count == before + 9)
        #expect(rig.pulses[before...].allSatisfy { abs($0.offset + Self.hour) <= 2_000 })
        #expect(rig.pulseRefusals[.clockStepped] == 1)
    }

    @Test func `TIME-03: messages that waited for 1 h while the host slept name no pulse`() {
        var rig = Self.rig()
        let before = rig.pulses.count
        rig.pulse(3700)
        rig.epoch(100, later: Self.hour)
        #expect(rig.pulses.count == before)
        rig.pulsedEpochs(3701..<3710)
        #expect(rig.pulses.allSatisfy { abs($0.offset) <= 2_000 })
        #expect(rig.pulses.count > before)
    }

    @Test func `a receiver that sleeps keeps its delay, and gives pulses from the third of each burst on`() {
        var rig = Rig(hasPulses: true)
        for burst in 0..<6 { rig.pulsedEpochs(burst * 600..<burst * 600 + 30) }
        #expect(rig.pulses.count == 6 * 28 - 59)
        #expect(rig.pulses.allSatisfy { abs($0.offset) <= 2_000 })
        #expect(rig.troubles == [])
    }

    @Test func `five epochs a second give each pulse once`() {
        var rig = Rig(hasPulses: true)
        for second in 0..<100 {
            rig.pulse(second)
            for fifth in 0..<5 {
                rig.delay = Int64(fifth) * 200 * Self.millisecond + 100 * Self.millisecond
                rig.processing = 50 * Self.millisecond
                rig.epoch(second) { $0.utc = $0.utc?.advanced(byNanoseconds: Int64(fifth) * 200 * Self.millisecond) }
            }
        }
        #expect(Set(rig.pulses.map(\.clock)).count == rig.pulses.count)
        #expect(rig.pulses.count >= 85)
        #expect(rig.pulses.allSatisfy { $0.offset == 0 && $0.source == .pulse })
    }
}
