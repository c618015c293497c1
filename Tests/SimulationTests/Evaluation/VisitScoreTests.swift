import Simulation
import Testing

@Suite("Scores of visits")
struct VisitScoreTests {
    private let home = VisitSpan(arrival: 1000, departure: 5000, latitude: 47, longitude: 8, place: 1)

    private func span(_ arrival: Double, _ departure: Double, north metres: Double = 0, place: Int = 1) -> VisitSpan {
        VisitSpan(
            arrival: arrival, departure: departure, latitude: 47 + metres / 111_195, longitude: 8, place: place)
    }

    @Test func `a visit is right if it overlaps the true one by more than half of both, within 150 m`() {
        #expect(VisitScore.isRight(span(1000, 5000), home))
        #expect(VisitScore.isRight(span(1000, 3100), home))
        #expect(!VisitScore.isRight(span(1000, 2900), home))
        #expect(VisitScore.isRight(span(1000, 5000, north: 149), home))
        #expect(!VisitScore.isRight(span(1000, 5000, north: 151), home))
    }

    @Test func `pieces of a visit are counted as fragments`() {
        var score = VisitScore()
        score.add(found: [span(1000, 2000), span(2100, 3000), span(3100, 5000)], truth: [home])
        #expect(score.fragmentCount == 2)
        #expect(score.precision == 0 && score.recall == 0 && score.f1 == 0)
    }

    @Test func `errors of arrival and departure are signed, and percentiles use absolute values`() {
        var score = VisitScore()
        score.add(found: [span(1030, 4980)], truth: [home])
        #expect(score.arrivalErrors == [30] && score.departureErrors == [-20])
        #expect(VisitScore.quantile(0.9, of: [-5, 40, -60, 10]) == 54)
        #expect(score.f1 == 1)
    }

    @Test func `merging two places or splitting one counts as confusion`() {
        let truth = [home, span(6000, 9000, place: 1), span(10_000, 12_000, north: 500, place: 2)]
        var score = VisitScore()
        score.add(
            found: [span(1000, 5000), span(6000, 9000, place: 7), span(10_000, 12_000, north: 500, place: 7)],
            truth: truth)
        #expect(score.pairs == 3 && score.confusedPairs == 2)
    }

    @Test func `a stay point continues while fixes are near its first one`() {
        let fixes = (0..<200).map { step in
            MeasuredFix(
                time: Double(step) * 10, latitude: 47 + Double(max(0, step - 100)) * 100 / 111_195, longitude: 8,
                horizontalAccuracy: 5)
        }
        let visits = StayPoints(distance: 150, shortest: 300).visits(of: fixes)
        #expect(visits.count == 1)
        #expect(visits.first?.arrival == 0 && visits.first?.departure == 1020)
    }
}
