import Beacons
import Emulation
import Testing
import Units

@testable import Monitors

/// The scan policy against the model of `../shared/spec/beacons.md` 5.2: heard above -92 dBm while a window is open; 5 dB
/// of fading a packet, and 4 dB that last for 15 s.
@Suite("Listening for beacons")
struct BeaconScanTests {
    /// What a simulation came to.
    private struct Outcome {
        var exits = 0
        var entries: [Double] = []
        var listening = 0.0
        var seconds = 0.0
        var duty: Double { listening / seconds }
    }

    /// A sender, the policy, and the region's state.
    private struct Radio {
        var presence: BeaconPresence
        var random: SplitMix64
        let level: Double?
        let period: Double
        let isRanging: Bool
        private var slow = 0.0
        private(set) var time = 0.0
        private var next: Double
        /// When the present scan began, and how it listens.
        private var scan = (begin: 0.0, timing: BeaconScanPolicy.sparse)
        var outcome = Outcome()

        init(_ state: BeaconPresence.State, level: Double?, period: Double, seed: UInt64, isRanging: Bool = false) {
            presence = BeaconPresence(state, listened: 0)
            random = SplitMix64(seed: seed)
            self.level = level
            self.period = period
            self.isRanging = isRanging
            next = 0
            next = Double.random(in: 0..<period, using: &random)
        }

        private var listened: Int64 { Int64(time * 1e9) }

        /// Goes on for so many seconds, or until an event.
        mutating func run(seconds length: Double, untilEvent: Bool = false) -> BeaconPresence.Event? {
            let end = time + length
            while time < end {
                // The policy's bounds lie at whole advertisements within 0.1 s.
                let step = min(next, time + 1, end)
                outcome.listening += (step - time) * scan.timing.duty
                time = step
                var event: BeaconPresence.Event?
                if step == next { event = advertise() }
                event = event ?? presence.listened(listened, at: seconds(time))
                follow()
                if case .exited = event { outcome.exits += 1 }
                if untilEvent, let event { return event }
            }
            outcome.seconds = time
            return nil
        }

        private mutating func advertise() -> BeaconPresence.Event? {
            let gap = period + Double.random(in: 0..<0.01, using: &random)
            next = time + gap
            let memory = max(0, 1 - gap / 15)
            slow = memory * slow + (1 - memory * memory).squareRoot() * 4 * scatter(&random)
            guard let level, level + slow + 5 * scatter(&random) > -92, isOpen else { return nil }
            return presence.heard(at: seconds(time), listened: listened)
        }

        private var isOpen: Bool {
            let interval = Double(scan.timing.interval) * 0.000625
            return (time - scan.begin).truncatingRemainder(dividingBy: interval) < interval * scan.timing.duty
        }

        private mutating func follow() {
            let timing = BeaconScanPolicy.timing(
                for: [presence], isRanging: isRanging, listened: listened, at: seconds(time))
            guard let timing, timing != scan.timing else { return }
            scan = (time - Double.random(in: 0..<0.3, using: &random), timing)
        }
    }

    @Test func `BEAC-19 and BEAC-20: few false exits at a duty of less than a sixth, a beacon a second, in 100 h`() {
        var weak = Radio(.inside, level: -85, period: 1, seed: 1)
        _ = weak.run(seconds: 360_000)
        #expect(weak.outcome.exits <= 5 && weak.outcome.duty <= 0.15, "\(weak.outcome)")
        var weaker = Radio(.inside, level: -90, period: 1, seed: 2)
        _ = weaker.run(seconds: 360_000)
        #expect(weaker.outcome.exits <= 100, "\(weaker.outcome)")
        var nothing = Radio(.outside, level: nil, period: 1, seed: 3)
        _ = nothing.run(seconds: 3600)
        #expect(nothing.outcome.duty <= 0.101, "\(nothing.outcome)")
    }

    @Test(
        arguments: [
            (0.1, false, 3), (0.3, false, 8), (1, false, 25), (0.1, true, 1.5), (0.3, true, 1.5), (1, true, 3),
        ] as [(Double, Bool, Double)])
    func `BEAC-18: an entry comes soon at -75 dBm`(period: Double, isRanging: Bool, limit: Double) throws {
        var delays: [Double] = []
        for seed in 0..<400 {
            var radio = Radio(.outside, level: -75, period: period, seed: UInt64(seed), isRanging: isRanging)
            let event = radio.run(seconds: 600, untilEvent: true)
            guard case .entered = event else {
                Issue.record("no entry")
                return
            }
            delays.append(radio.time)
        }
        delays.sort()
        #expect(delays[delays.count * 9 / 10] <= limit, "\(delays[delays.count * 9 / 10])")
    }

    @Test func `BEAC-39: without a need the radio does not listen, and with ranging it listens all the time`() {
        func timing(_ regions: [BeaconPresence], isRanging: Bool = false) -> ScanTiming? {
            BeaconScanPolicy.timing(for: regions, isRanging: isRanging, listened: 0, at: .zero)
        }
        #expect(timing([]) == nil)
        #expect(timing([], isRanging: true)?.duty == 1)
        #expect(timing([BeaconPresence(.outside, listened: 0)])?.interval == 0x254)
    }

    @Test func `the radio listens to all after a first advertisement for 3 s, and from 15 s of silence inside`() {
        var near = BeaconPresence(.outside, listened: 0)
        _ = near.heard(at: seconds(100), listened: 0)
        func duty(_ presence: BeaconPresence, at second: Double) -> Double? {
            BeaconScanPolicy.timing(
                for: [presence], isRanging: false, listened: Int64(second * 1e9), at: seconds(second))?.duty
        }
        #expect(duty(near, at: 102.9) == 1)
        #expect(duty(near, at: 103) != 1)
        let inside = BeaconPresence(.inside, listened: 0)
        #expect(duty(inside, at: 14.9) != 1)
        #expect(duty(inside, at: 15) == 1)
    }
}
