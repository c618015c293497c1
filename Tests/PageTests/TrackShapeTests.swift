import Testing

@testable import Page

@Suite("The shape of a track")
struct TrackShapeTests {
    private func point(_ second: Int, _ latitude: Double, _ longitude: Double) -> DrawnPoint? {
        let time = [second / 3600 % 24, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return DrawnPoint(
            Array(
                #"{"time":"2026-01-01T\#(time.joined(separator: ":"))Z","latitude":\#(latitude),"longitude":\#(longitude)}"#
                    .utf8))
    }

    private func thinned(_ places: [(Double, Double)], to limit: Int) -> TrackShape {
        var shape = TrackShape(limit: limit)
        for (second, place) in places.enumerated() {
            if let point = point(second, place.0, place.1) { shape.add(point) }
        }
        shape.thin()
        return shape
    }

    @Test func `a track that is short enough is kept whole`() {
        let shape = thinned([(47.5, 8.5), (47.5, 8.5), (47.6, 8.5)], to: 3)
        #expect(shape.points.count == 3)
        #expect(shape.deviation == 0)
    }

    @Test func `the corners of a way are kept, and the points between them are not`() {
        // Three legs of 2.2 km with a point each 11 m.
        let south = (0..<200).map { (47.5 + 1e-4 * Double($0), 8.5) }
        let east = (0..<200).map { (47.52, 8.5 + 1.5e-4 * Double($0)) }
        let north = (0...200).map { (47.52 - 1e-4 * Double($0), 8.53) }
        let shape = thinned(south + east + north, to: 4)
        let corners = shape.points.map { [$0.latitude, $0.longitude] }
        #expect(corners == [[47.5, 8.5], [47.52, 8.5], [47.52, 8.53], [47.5, 8.53]])
        #expect(shape.deviation < 1)
    }

    @Test(arguments: [100, 4001, 50_000])
    func `PAGE-06 of a long track 2000 points remain at most, and no point lies farther off than is said`(count: Int) {
        var (latitude, longitude, course, dice) = (47.5, -3.0, 0.0, UInt32(1))
        let places = (0..<count).map { _ in
            dice = dice &* 1_664_525 &+ 1_013_904_223
            course = course / 2 + Double(dice >> 16) / 65_536 - 0.5
            latitude += 1e-4 * (1 - course * course)
            longitude += 1.4e-4 * course
            return (latitude, longitude)
        }
        let shape = thinned(places, to: 2000)
        #expect(shape.points.count == min(count, 2000))
        #expect(shape.points.first?.latitude == places.first?.0 && shape.points.last?.latitude == places.last?.0)
        let all = places.compactMap { point(0, $0.0, $0.1)?.position }
        let farthest = TrackShapeTests.farthest(all, shape.points.map(\.position))
        #expect(farthest <= shape.deviation + 0.001)
        // Steps of 11 m with a random course: of 50 000, one in 25 remains.
        #expect(shape.deviation < 60)
    }

    /// Metres from the line through the kept places to the place that is farthest off it.
    private static func farthest(_ all: [SIMD3<Double>], _ kept: [SIMD3<Double>]) -> Double {
        var (next, farthest) = (0, 0.0)
        for place in all {
            if next + 1 < kept.count, place == kept[next + 1] { next += 1 }
            guard next + 1 < kept.count else { break }
            let (way, there) = (kept[next + 1] - kept[next], place - kept[next])
            let length = (way * way).sum()
            let share = length > 0 ? min(1, max(0, (way * there).sum() / length)) : 0
            let off = there - share * way
            farthest = max(farthest, (off * off).sum().squareRoot())
        }
        return farthest
    }

    @Test(arguments: [179.99, 0.0])
    func `a way over 180 degrees is thinned as one beside it`(west: Double) {
        let places = (0..<100).map { step -> (Double, Double) in
            let longitude = west + 2e-4 * Double(step)
            return (-16.8 + (step == 50 ? 0.01 : 0), longitude > 180 ? longitude - 360 : longitude)
        }
        let shape = thinned(places, to: 5)
        #expect(shape.points.map { Int($0.seconds) % 86_400 } == [0, 49, 50, 51, 99])
    }

    @Test func `a way over the pole is a straight line`() {
        let places = (0...100).map { step -> (Double, Double) in
            let north = 89.9 + 0.002 * Double(step)
            return north > 90 ? (180 - north, -160) : (north, 20)
        }
        let shape = thinned(places, to: 20)
        #expect(shape.points.count == 20)
        #expect(shape.deviation < 1)
    }

    @Test func `a gap outlives the points beside it`() {
        var shape = TrackShape(limit: 2)
        for (second, isBeforeGap) in [(0, false), (1, true), (2, false)] {
            guard var point = point(second, 47.5, 8.5 + Double(second)) else { continue }
            point.isBeforeGap = isBeforeGap
            shape.add(point)
        }
        shape.thin()
        #expect(shape.points.map(\.isBeforeGap) == [true, false])
    }
}
