import Fusion
import Monitors
import Testing
import Units

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

    @Test func `parts split at the antimeridian have no border there`() throws {
        let west = RegionPolygonTests.ring([(179.9, -0.1), (180, -0.1), (180, 0.1), (179.9, 0.1), (179.9, -0.1)])
        let east = RegionPolygonTests.ring([(-180, -0.1), (-179.9, -0.1), (-179.9, 0.1), (-180, 0.1), (-180, -0.1)])
        let polygon = try RegionPolygon(parts: [[west], [east]])
        var ground = Ground(latitude: 0, longitude: 180)
        let slot = ground.monitor.add(MonitoredRegion(.polygon(polygon)))
        ground.stand(east: -5, from: 0, seconds: 60)
        ground.go(from: -5, to: 500, speed: 1.4, since: 60)
        #expect(ground.kinds == [.determined(isInside: true)])
        #expect(ground.monitor.state(of: slot) == true)
        #expect((ground.monitor.distanceToNearestBoundary ?? 0) > 5000)
    }

    @Test func `a polygon of ten thousand corners is validated quickly`() throws {
        let ring = (0..<10_000).map { corner in
            let (sine, cosine) = Trigonometry.sineAndCosine(Double(corner) * .pi / 5000)
            return RegionPolygon.Position(latitude: 47 + 0.1 * sine, longitude: 8 + 0.1 * cosine)
        }
        let polygon = try RegionPolygon([ring])
        let ground = Ground()
        #expect(RegionMonitor.isInside(.polygon(polygon), at: ground.location(east: 0, at: 0)) == true)
    }
}
