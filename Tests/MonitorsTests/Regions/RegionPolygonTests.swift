import Fusion
import SextantUnits
import Testing

@testable import Monitors

@Suite("Region polygons")
struct RegionPolygonTests {
    private static func ring(_ positions: [(longitude: Double, latitude: Double)]) -> [RegionPolygon.Position] {
        positions.map { RegionPolygon.Position(latitude: $0.latitude, longitude: $0.longitude) }
    }

    struct Bad: Sendable {
        var rings: [[RegionPolygon.Position]]
        var error: RegionShapeError

        init(_ rings: [(Double, Double)]..., error: RegionShapeError) {
            self.rings = rings.map { RegionPolygonTests.ring($0.map { (longitude: $0.0, latitude: $0.1) }) }
            self.error = error
        }
    }

    static let bad: [Bad] = [
        Bad(error: RegionShapeError(.noRings)),
        Bad([], error: RegionShapeError(.fewerThanThreePoints, ring: 0)),
        Bad([(8, 47), (8.1, 47)], error: RegionShapeError(.fewerThanThreePoints, ring: 0)),
        Bad([(8, 47), (8.1, 47), (8, 47), (8, 47)], error: RegionShapeError(.fewerThanThreePoints, ring: 0)),
        Bad([(8, 47), (8.1, 47), (8.2, 47)], error: RegionShapeError(.noArea, ring: 0)),
        Bad(
            [(8, 47), (8.1, 47.1), (8.1, 47), (8, 47.1), (8, 47)],
            error: RegionShapeError(.crossesItself, ring: 0, position: 0)),
        Bad([(8, 47), (.nan, 47), (8, 48)], error: RegionShapeError(.notANumber, ring: 0, position: 1)),
        Bad([(8, 47), (9, .infinity), (8, 48)], error: RegionShapeError(.notANumber, ring: 0, position: 1)),
        Bad([(8, 47), (9, 47), (8, 91)], error: RegionShapeError(.latitudeOutOfRange(91), ring: 0, position: 2)),
        Bad([(8, 47), (400, 47), (8, 48)], error: RegionShapeError(.longitudeOutOfRange(400), ring: 0, position: 1)),
        Bad([(8, 80), (9, 90), (10, 80)], error: RegionShapeError(.coversPole, ring: 0, position: 1)),
        Bad(
            [(0, 80), (90, 80), (180, 80), (-90, 80), (0, 80)], error: RegionShapeError(.coversPole, ring: 0)),
        Bad([(-100, -10), (0, -10), (100, -10), (100, 10), (0, 10), (-100, 10)], error: RegionShapeError(.tooWide)),
        Bad(
            [(8, 47), (9, 47), (9, 48), (8, 48)], [(8.5, 47.5), (9.5, 47.5), (9.5, 47.7), (8.5, 47.7)],
            error: RegionShapeError(.crossesRing(0), ring: 1, position: 2)),
    ]

    @Test(arguments: bad.indices)
    func `an invalid polygon is refused with the place and the reason`(index: Int) {
        let bad = RegionPolygonTests.bad[index]
        let error = #expect(throws: RegionShapeError.self) { try RegionPolygon(bad.rings) }
        // Where two edges of two rings cross, either may be found first.
        if case .crossesRing = bad.error.reason {
            #expect(error?.ring == 1)
        } else {
            #expect(error == bad.error)
        }
        #expect(error?.description.isEmpty == false)
    }

    @Test(arguments: [0, -1, .nan, 6_000_000] as [Double])
    func `an invalid circle is refused`(radius: Double) {
        #expect(throws: RegionShapeError.self) { try RegionShape(latitude: 47, longitude: 8, radius: radius) }
    }

    @Test func `the order of a position's numbers is told of a polygon alone: a circle's have names`() {
        let circle = #expect(throws: RegionShapeError.self) {
            try RegionShape(latitude: 47, longitude: 400, radius: 100)
        }
        #expect(circle?.description == "longitude 400.0 is out of range; -180 to 180")
        let polygon = RegionShapeError(.longitudeOutOfRange(400), ring: 0, position: 1)
        #expect(polygon.description.hasSuffix("longitude 400.0 is out of range; -180 to 180, before the latitude"))
    }

    @Test func `the closing position is optional, and rings may turn either way`() throws {
        let corners: [(east: Double, north: Double)] = [(-100, -100), (100, -100), (100, 100), (-100, 100)]
        for ring in [corners, corners.reversed(), corners + [corners[0]]] {
            let ground = Ground()
            let shape = try ground.polygon(ring)
            #expect(RegionMonitor.isInside(shape, at: ground.location(east: 60, north: 60, at: 0)) == true)
            #expect(RegionMonitor.isInside(shape, at: ground.location(east: 120, north: 0, at: 0)) == false)
        }
    }

    @Test func `a point in a hole is outside`() throws {
        var ground = Ground()
        let shape = try ground.polygon(
            [(-300, -300), (300, -300), (300, 300), (-300, 300)], [(-100, -100), (100, -100), (100, 100), (-100, 100)])
        _ = ground.monitor.add(MonitoredRegion(shape))
        ground.stand(east: -500, from: 0, seconds: 60)
        ground.go(from: -500, to: 0, speed: 2, since: 60)
        #expect(ground.kinds == [.determined(isInside: false), .entered, .exited])
        #expect(abs((ground.events.last?.crossing.seconds ?? 0) - 260) < 0.1)
    }

    @Test(arguments: [[179.9, -179.9], [179.9, 180.1], [-180.1, -179.9]])
    func `a polygon across the antimeridian is one region`(longitudes: [Double]) throws {
        let (west, east) = (longitudes[0], longitudes[1])
        let polygon = try RegionPolygon([
            RegionPolygonTests.ring([(west, -0.1), (east, -0.1), (east, 0.1), (west, 0.1)])
        ])
        var ground = Ground(latitude: 0, longitude: 180)
        _ = ground.monitor.add(MonitoredRegion(.polygon(polygon)))
        ground.stand(east: -20_000, from: 0, seconds: 60)
        ground.go(from: -20_000, to: 20_000, speed: 30, since: 60)
        #expect(ground.kinds == [.determined(isInside: false), .entered, .exited])
    }

    @Test(arguments: [-15, -175] as [Double])
    func `a wide polygon near a pole is entered from either end`(longitude: Double) throws {
        let polygon = try RegionPolygon([RegionPolygonTests.ring([(0, 70), (170, 70), (170, 80), (0, 80)])])
        // 15 degrees of longitude on the parallel of 75 degrees, 433.5 km, of which those beyond 20 km count 60 %.
        let distance = polygon.offset(of: RegionPlace(latitude: 75, longitude: longitude)).distance
        #expect(abs(distance - 268_118) < 1)
        var ground = Ground(latitude: 75, longitude: longitude)
        _ = ground.monitor.add(MonitoredRegion(.polygon(polygon)))
        ground.stand(east: 0, from: 0, seconds: 30)
        ground.stand(east: longitude == -15 ? 600_000 : -600_000, from: 40, seconds: 30)
        #expect(ground.kinds == [.determined(isInside: false), .entered])
    }

    @Test func `parts split at the antimeridian have no border there`() throws {
        let west = RegionPolygonTests.ring([(179.9, -0.1), (180, -0.1), (180, 0.1), (179.9, 0.1), (179.9, -0.1)])
        let east = RegionPolygonTests.ring([(-180, -0.1), (-179.9, -0.1), (-179.9, 0.1), (-180, 0.1), (-180, -0.1)])
        let polygon = try RegionPolygon(parts: [[west], [east]])
        var ground = Ground(latitude: 0, longitude: 180)
        let slot = ground.monitor.add(MonitoredRegion(.polygon(polygon)))
        ground.stand(east: -5, from: 0, seconds: 60)
        ground.go(from: -5, to: 500, speed: 1.4, since: 60)
        #expect(ground.kinds == [.determined(isInside: true)])
        #expect(ground.monitor.isInside(slot) == true)
        #expect((ground.monitor.distanceToNearestBoundary ?? 0) > 5000)
    }

    /// A ring of so many teeth that are long in a direction, given in degrees from east, and lie side by side.
    private func comb(_ teeth: Int, turned degrees: Double) -> [RegionPolygon.Position] {
        let (sine, cosine) = Trigonometry.sineAndCosine(degrees * .pi / 180)
        var corners = (0..<2 * teeth).map { (along: Double($0 % 2), across: Double($0) / Double(4 * teeth)) }
        corners += [(along: 1, across: 1), (along: -0.5, across: 1), (along: -0.5, across: 0)]
        return corners.map { corner in
            RegionPolygon.Position(
                latitude: 47 + corner.along * sine + corner.across * cosine,
                longitude: 8 + corner.along * cosine - corner.across * sine)
        }
    }

    @Test(arguments: [0, 45, 90, 135])
    func `long edges side by side are compared along the direction in which they are short`(degrees: Double) throws {
        #expect(try RegionPolygon([comb(2500, turned: degrees)]).positionCount == 5003)
    }

    @Test func `a polygon that takes too many comparisons in every direction is refused`() {
        let ring = (0..<5000).map { corner in
            let (sine, cosine) = Trigonometry.sineAndCosine(Double(corner) * .pi / 2500)
            let radius = corner % 2 == 0 ? 1 : 0.01
            return RegionPolygon.Position(latitude: 47 + radius * sine, longitude: 8 + radius * cosine)
        }
        let error = #expect(throws: RegionShapeError.self) { try RegionPolygon([ring]) }
        #expect(error?.reason == .tooIntricate)
    }

    @Test func `a star of 180 spikes is still checked`() throws {
        let ring = (0..<360).map { corner in
            let (sine, cosine) = Trigonometry.sineAndCosine(Double(corner) * .pi / 180)
            let radius = corner % 2 == 0 ? 1 : 0.01
            return RegionPolygon.Position(latitude: 47 + radius * sine, longitude: 8 + radius * cosine)
        }
        #expect(try RegionPolygon([ring]).positionCount == 360)
    }

    @Test func `thousands of edges along the antimeridian in two parts are refused`() {
        let border = (0..<2000).map { RegionPolygon.Position(latitude: Double($0) / 1000, longitude: 180) }
        let west = border + [RegionPolygon.Position(latitude: 1, longitude: 179)]
        let east = border + [RegionPolygon.Position(latitude: 1, longitude: 181)]
        let error = #expect(throws: RegionShapeError.self) { try RegionPolygon(parts: [[west], [east]]) }
        #expect(error?.reason == .tooIntricate)
    }

    @Test func `a polygon that was checked before is equal without the check`() throws {
        let polygon = try RegionPolygon([comb(50, turned: 0)])
        #expect(try RegionPolygon(checked: polygon.parts) == polygon)
        let crossing = RegionPolygonTests.ring([(8, 47), (8.1, 47.1), (8.1, 47), (8, 47.1)])
        #expect(throws: Never.self) { try RegionPolygon(checked: [[crossing]]) }
    }

    @Test func `wide edges are measured in bounded steps, and the ball still holds them`() throws {
        let ring = (0..<5000).map { corner in
            RegionPolygon.Position(latitude: 40 + Double(corner) / 1000, longitude: corner % 2 == 0 ? -80 : 80)
        }
        let polygon = try RegionPolygon(checked: [[ring + [RegionPolygon.Position(latitude: 39, longitude: 0)]]])
        let (centre, radius) = polygon.ball
        for longitude in stride(from: -80.0, through: 80, by: 1) {
            let place = RegionPlace(latitude: 44, longitude: longitude)
            #expect((place.vector - centre.vector).length <= radius)
        }
    }

    @Test func `a polygon of ten thousand corners is checked in no time`() throws {
        let ring = (0..<10_000).map { corner in
            let (sine, cosine) = Trigonometry.sineAndCosine(Double(corner) * .pi / 5000)
            return RegionPolygon.Position(latitude: 47 + 0.1 * sine, longitude: 8 + 0.1 * cosine)
        }
        let polygon = try RegionPolygon([ring])
        let ground = Ground()
        #expect(RegionMonitor.isInside(.polygon(polygon), at: ground.location(east: 0, at: 0)) == true)
    }
}
