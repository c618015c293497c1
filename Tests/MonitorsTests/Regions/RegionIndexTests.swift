import AllocationCounter
import Fusion
import Monitors
import SextantUnits
import Simulation
import Testing

@Suite("Regions in great number")
struct RegionIndexTests {
    /// Numbers that are the same on every run.
    private struct Numbers {
        private var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func next(_ range: ClosedRange<Double>) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let part = Double(state >> 11) / Double(UInt64(1) << 53)
            return range.lowerBound + part * (range.upperBound - range.lowerBound)
        }
    }

    /// A way with stops, fast legs and silences, at unequal intervals; metres.
    private func way(_ numbers: inout Numbers, steps: Int) -> [(seconds: Double, east: Double, north: Double)] {
        var way: [(seconds: Double, east: Double, north: Double)] = []
        var (seconds, east, north, speed, turn) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for step in 0..<steps {
            if step % 40 == 0 {
                speed = numbers.next(-10...30)
                turn = numbers.next(0...6.28)
            }
            let interval = step % 97 == 96 ? numbers.next(100...600) : numbers.next(0.5...6)
            let (sine, cosine) = Trigonometry.sineAndCosine(turn)
            seconds += interval
            east += max(0, speed) * interval * cosine + numbers.next(-1...1)
            north += max(0, speed) * interval * sine + numbers.next(-1...1)
            way.append((seconds, east, north))
        }
        return way
    }

    @Test func `regions that are registered again and again take no more slots, even before the first position`() {
        var ground = Ground()
        let region = MonitoredRegion(ground.circle(100, east: 0, north: 0))
        var slots = (0..<20).map { _ in ground.monitor.add(region) }
        var used = Set(slots)
        for _ in 0..<500 {
            for index in slots.indices {
                ground.monitor.remove(slots[index])
                slots[index] = ground.monitor.add(region)
                used.insert(slots[index])
            }
        }
        #expect(ground.monitor.count == 20 && used.count < 1000)
        for second in 0..<30 { ground.follow(east: 0, north: 0, at: Double(second)) }
        #expect(slots.allSatisfy { ground.monitor.isInside($0) == true })
        #expect(ground.events.count <= 20)
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `a region reports the same events among many as it does alone`(seed: UInt64) throws {
        var numbers = Numbers(seed: seed)
        let way = way(&numbers, steps: 800)
        var ground = Ground()
        var shapes: [RegionSlot: RegionShape] = [:]
        for index in 0..<150 {
            let about = way[Int(numbers.next(0...799))]
            let (east, north) = (about.east + numbers.next(-800...800), about.north + numbers.next(-800...800))
            let radius = index % 15 == 0 ? numbers.next(5000...400_000) : numbers.next(20...400)
            let shape =
                index % 3 == 0
                ? try ground.polygon([
                    (east - radius, north - radius / 2), (east + radius, north - radius / 3), (east, north + radius),
                ]) : ground.circle(radius, east: east, north: north)
            shapes[ground.monitor.add(MonitoredRegion(shape))] = shape
        }
        for point in way { ground.follow(east: point.east, north: point.north, at: point.seconds) }
        var among: [RegionSlot: [RegionEvent]] = [:]
        for event in ground.events { among[event.slot, default: []].append(event) }
        for (slot, shape) in shapes {
            var alone = Ground()
            let only = alone.monitor.add(MonitoredRegion(shape))
            for point in way { alone.follow(east: point.east, north: point.north, at: point.seconds) }
            #expect(alone.kinds == (among[slot] ?? []).map(\.kind))
            #expect(alone.events.map(\.crossing) == (among[slot] ?? []).map(\.crossing))
            #expect(alone.monitor.isInside(only) == ground.monitor.isInside(slot))
            #expect(alone.events.allSatisfy { $0.crossing <= $0.confirmed })
        }
    }

    @Test func `a reused slot reports nothing about its previous region`() {
        var ground = Ground()
        ground.stand(east: 0, from: 0, seconds: 10)
        var second = 10.0
        for _ in 0..<2000 {
            let slot = ground.monitor.add(MonitoredRegion(ground.circle(100, east: 5000)))
            ground.follow(east: 0, at: second)
            second += 1
            ground.monitor.remove(slot)
        }
        let kept = ground.monitor.add(MonitoredRegion(ground.circle(100)))
        ground.forget()
        ground.stand(east: 0, from: second, seconds: 30)
        #expect(ground.events.map(\.slot) == [kept])
        #expect(ground.kinds == [.determined(isInside: true)])
        #expect(ground.monitor.count == 1)
    }

    @Test func `leaving a thousand overlapping regions causes a thousand exits`() {
        var ground = Ground()
        for index in 0..<1000 { _ = ground.monitor.add(MonitoredRegion(ground.circle(1000 + Double(index)))) }
        ground.stand(east: 0, from: 0, seconds: 30)
        #expect(ground.kinds.count == 1000 && ground.kinds.allSatisfy { $0 == .determined(isInside: true) })
        ground.forget()
        ground.go(from: 0, to: 3000, speed: 25, since: 30)
        #expect(ground.kinds.count == 1000 && ground.kinds.allSatisfy { $0 == .exited })
    }

    @Test func `far from any border the distance to the nearest one is known`() throws {
        var ground = Ground()
        for index in 0..<1000 {
            _ = ground.monitor.add(MonitoredRegion(ground.circle(100, east: 20_000 + 300 * Double(index))))
        }
        #expect(ground.monitor.distanceToNearestBoundary == 0)
        ground.stand(east: 0, from: 0, seconds: 30)
        let distance = try #require(ground.monitor.distanceToNearestBoundary)
        #expect((19_800...19_901).contains(distance))
        let safe = try #require(ground.monitor.safeDistance)
        #expect(safe < distance && safe > distance - 100)
        // For the rest of the way it is never more than there is.
        for second in 0..<1800 {
            let east = 12 * Double(second)
            ground.follow(east: east, at: 31 + Double(second))
            let left = abs(19_900 - east)
            guard east < 19_900, let distance = ground.monitor.distanceToNearestBoundary else { continue }
            #expect(distance <= left + 0.5 && distance >= left / 3 - 50)
        }
        #expect(Ground().monitor.distanceToNearestBoundary == nil)
    }

    @Test func `no fix allocates heap memory, even at a crossing`() {
        var ground = Ground()
        for index in 0..<100 {
            _ = ground.monitor.add(MonitoredRegion(ground.circle(100, east: 150 * Double(index)), dwell: 60))
        }
        var events: [RegionEvent] = []
        events.reserveCapacity(10_000)
        var (noise, second) = (PositionNoise(seed: 5, deviation: 3), 0.0)
        var fewest = [UInt](repeating: .max, count: 300)
        // Other tests allocate at the same time, and a new look at the index does in a build for debugging: a fix does
        // not if it did not in one round.
        for round in 0..<40 {
            for place in fewest.indices {
                let error = noise.next(after: 1)
                let turn = Double(place) / 300 * 2 * .pi
                let location = ground.location(
                    east: 6000 + 90 * Trigonometry.sineAndCosine(turn).cosine + error.east, north: error.north,
                    at: second)
                second += 1
                let before = allocation_count()
                ground.monitor.found(location, into: &events)
                if round > 1 { fewest[place] = min(fewest[place], allocation_count() - before) }
            }
        }
        let allocating = fewest.indices.filter { fewest[$0] > 0 }
        #expect(allocating.isEmpty)
        #expect(events.count > 150)
    }
}

@Suite("Regions anywhere on Earth")
struct RegionEarthTests {
    struct Pair: Sendable {
        var from: (latitude: Double, longitude: Double)
        var to: (latitude: Double, longitude: Double)
        /// Metres over the ground, by GeographicLib's GeodSolve.
        var metres: Double
    }

    static let pairs: [Pair] = [
        Pair(from: (47, 8), to: (47.5, 9), metres: 93_916.635),
        Pair(from: (47, 8), to: (55, 8), metres: 889_983.304),
        Pair(from: (47, 8), to: (47, 20), metres: 911_778.187),
        Pair(from: (60, 10), to: (66, 25), metres: 1_007_844.677),
        Pair(from: (-33, 151), to: (-27, 160), metres: 1_093_019.490),
        Pair(from: (0, 179), to: (3, -172), metres: 1_054_932.970),
    ]

    @Test(arguments: pairs.indices)
    func `a large circle's border is at the geodesic distance`(index: Int) {
        let pair = RegionEarthTests.pairs[index]
        let location = FusedLocation(
            instant: at(0), latitude: pair.to.latitude, longitude: pair.to.longitude,
            covariance: HorizontalCovariance(accuracy: 0.001))
        // The least deviation taken is 2.5 m, of which 1.645 are asked for.
        for (radius, isInside) in [(pair.metres + 5, true), (pair.metres - 5, false)] {
            let circle = RegionShape.circle(
                latitude: pair.from.latitude, longitude: pair.from.longitude, radius: radius)
            #expect(RegionMonitor.isInside(circle, at: location) == isInside)
        }
    }

    @Test func `a circle around the pole can be left along any meridian`() {
        for longitude in stride(from: -180.0, to: 180, by: 30) {
            var monitor = RegionMonitor()
            _ = monitor.add(MonitoredRegion(.circle(latitude: 89.9, longitude: 10, radius: 50_000)))
            var events: [RegionEvent] = []
            for step in 0..<2000 {
                // From the pole along a meridian, 20 m a second and more.
                let latitude = 90 - Double(step) * 0.0004
                monitor.found(
                    FusedLocation(
                        instant: at(Double(step)), latitude: latitude, longitude: longitude,
                        covariance: HorizontalCovariance(accuracy: 5)),
                    into: &events)
            }
            #expect(events.map(\.kind) == [.determined(isInside: true), .exited])
        }
    }

    @Test func `walking across a pole is not taken for a jump`() {
        var monitor = RegionMonitor()
        _ = monitor.add(MonitoredRegion(.circle(latitude: 89.99, longitude: 0, radius: 500)))
        var events: [RegionEvent] = []
        for step in -400..<400 {
            let latitude = 90 - abs(Double(step)) * 0.00005
            monitor.found(
                FusedLocation(
                    instant: at(Double(step) + 500), latitude: latitude, longitude: step < 0 ? 180 : 0,
                    covariance: HorizontalCovariance(accuracy: 5)),
                into: &events)
        }
        #expect(events.map(\.kind) == [.determined(isInside: false), .entered, .exited])
    }

    @Test func `a circle across the antimeridian is one region`() {
        var ground = Ground(latitude: -17, longitude: 180)
        _ = ground.monitor.add(MonitoredRegion(ground.circle(300)))
        ground.stand(east: -1000, from: 0, seconds: 60)
        ground.go(from: -1000, to: 1000, speed: 10, since: 60)
        #expect(ground.kinds == [.determined(isInside: false), .entered, .exited])
    }
}
