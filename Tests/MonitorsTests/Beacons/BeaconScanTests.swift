import Beacons
import SextantUnits
import Simulation
import Testing

@testable import Monitors

/// The scan policy against the model of `../shared/spec/beacons.md` 5.2.
@Suite("Listening for beacons")
struct BeaconScanTests {
    private func simulate(
        level: Double?, isInside: Bool = true, hours: Double, seed: UInt64
    ) -> BeaconReach.Outcome {
        var reach = BeaconReach(
            .sextant(isRanging: false), level: level, interval: 1, isInside: isInside, seed: seed)
        return reach.run(seconds: hours * 3600)
    }

    @Test func `BEAC-19 and BEAC-20: few false exits at a duty of less than a sixth, a beacon a second, in 100 h`() {
        let weak = simulate(level: -85, hours: 100, seed: 1)
        #expect(weak.exits <= 5 && weak.duty <= 0.15, "\(weak)")
        let weaker = simulate(level: -90, hours: 30, seed: 2)
        #expect(weaker.exits <= 30, "\(weaker)")
        // Without a beacon one hour is as another.
        let nothing = simulate(level: nil, isInside: false, hours: 5, seed: 3)
        #expect(nothing.duty <= 0.101 && nothing.exits == 0, "\(nothing)")
    }

    @Test func `BEAC-19: an exit after 10 s without an advertisement, another library's rule, is often false`() {
        var reach = BeaconReach(.silence(scans: .half), level: -85, interval: 1, isInside: true, seed: 1)
        let outcome = reach.run(seconds: 36_000)
        #expect(outcome.exitsPerHour > 1 && outcome.duty > 0.49, "\(outcome)")
    }

    @Test(
        arguments: [
            (0.1, false, 3), (0.3, false, 8), (1, false, 25), (0.1, true, 1.5), (0.3, true, 1.5), (1, true, 3),
        ] as [(Double, Bool, Double)])
    func `BEAC-18: an entry comes soon at -75 dBm`(interval: Double, isRanging: Bool, limit: Double) throws {
        var delays: [Double] = []
        for seed in 0..<400 {
            var reach = BeaconReach(
                .sextant(isRanging: isRanging), level: -75, interval: interval, isInside: false, seed: UInt64(seed))
            let delay = reach.secondsToEnter(limit: 600)
            delays.append(try #require(delay))
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
