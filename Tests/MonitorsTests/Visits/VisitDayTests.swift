import Monitors
import SextantUnits
import Simulation
import Testing

@Suite("Visits of synthetic days")
struct VisitDayTests {
    /// What is asked of the three kinds of day that are held to a bar; `sextant-benchmark visits` scores many more.
    static let bars: [(name: String, f1: Double)] = [("5 s", 0.97), ("30 s", 0.93), ("60 s, 20 m, 60 % lost", 0.85)]

    @Test(arguments: bars)
    func `the visits of synthetic days are reported correctly`(bar: (name: String, f1: Double)) throws {
        let regime = try #require(VisitRegime.all.first { $0.name == bar.name })
        var score = VisitScore()
        for seed in 101...104 as ClosedRange<UInt64> {
            let day = VisitDay(seed: seed, regime: regime)
            let end = day.truth.last?.time ?? 0
            score.add(found: spans(follow(day.fixes, until: end), until: end), truth: day.visits)
        }
        #expect(score.f1 >= bar.f1)
        guard regime.interval <= 30 else { return }
        #expect(score.fragmentCount == 0)
        #expect(VisitScore.quantile(0.9, of: score.arrivalErrors) <= 60)
        #expect(VisitScore.quantile(0.9, of: score.departureErrors) <= 60)
    }

    @Test(arguments: VisitRegime.all.map(\.name))
    func `events are in order, reported once, and not before they can be known`(name: String) throws {
        let regime = try #require(VisitRegime.all.first { $0.name == name })
        guard regime.interval > 1, regime.days == 1 else { return }
        let day = VisitDay(seed: 55, regime: regime)
        let events = follow(day.fixes, until: day.truth.last?.time ?? 0)
        #expect(events.count >= 10)
        for (number, event) in events.enumerated() {
            #expect(event.kind == (number % 2 == 0 ? .arrival : .departure))
            #expect(event.since <= event.confirmed && (event.departure ?? event.since) <= event.confirmed)
            #expect((0...1).contains(event.confidence) && event.horizontalAccuracy > 0)
        }
        for (arrival, departure) in zip(events, events.dropFirst()) where arrival.kind == .arrival {
            #expect(departure.visit == arrival.visit && departure.arrival == arrival.arrival)
            #expect(seconds(departure.departure) - seconds(departure.since) >= 300)
        }
        for (departure, arrival) in zip(events, events.dropFirst()) where departure.kind == .departure {
            #expect(departure.departure ?? arrival.since <= arrival.since)
        }
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.confirmed <= $1.confirmed })
    }

    @Test func `a synthetic day is the same in every run`() {
        let regime = VisitRegime("30 s") { $0.interval = 30 }
        let (one, other) = (VisitDay(seed: 3, regime: regime), VisitDay(seed: 3, regime: regime))
        #expect(one.fixes == other.fixes && one.visits == other.visits)
        #expect(one.fixes != VisitDay(seed: 4, regime: regime).fixes)
        #expect(one.visits.count == 8 && one.visits.allSatisfy { $0.departure - $0.arrival >= 360 })
    }
}
