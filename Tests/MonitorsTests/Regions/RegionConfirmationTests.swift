import Fusion
import Monitors
import SextantUnits
import Simulation
import Testing

@Suite("Region confirmation")
struct RegionConfirmationTests {
    @Test func `registering inside determines the state without an entry, and leaving for good is one exit`() {
        var ground = Ground()
        let slot = ground.monitor.add(MonitoredRegion(ground.circle(100)))
        #expect(ground.monitor.isInside(slot) == nil)
        ground.stand(east: 0, from: 0, seconds: 3600)
        #expect(ground.kinds == [.determined(isInside: true)])
        #expect(ground.monitor.isInside(slot) == true)
        ground.go(from: 0, to: 400, speed: 1.4, since: 3600)
        #expect(ground.kinds == [.determined(isInside: true), .exited])
        #expect(ground.monitor.isInside(slot) == false)
    }

    @Test(arguments: [1.4, 12, 30])
    func `REG-26: a crossing has its own time and place, and is never confirmed earlier`(speed: Double) throws {
        var ground = Ground()
        _ = ground.monitor.add(MonitoredRegion(ground.circle(100)))
        ground.go(from: -900, to: 400, speed: speed, since: 60)
        #expect(ground.kinds == [.determined(isInside: false), .entered, .exited])
        for (event, border) in zip(ground.events.dropFirst(), [-100.0, 100]) {
            #expect(abs(event.crossing.seconds - (60 + (border + 900) / speed)) < 0.1)
            #expect(event.confirmed >= event.crossing)
            #expect(event.confirmed.seconds - event.crossing.seconds <= (speed < 10 ? 15 : 5))
            let place = ground.frame.point(latitude: event.latitude, longitude: event.longitude)
            #expect(abs(place.east - border) < 1)
        }
    }

    /// In large regions a board that comes slowly has to be deeper inside than this region is.
    @Test(arguments: [1.4, 0.3])
    func `REG-24: a region with a radius of 20 m is entered and left`(speed: Double) {
        var ground = Ground()
        _ = ground.monitor.add(MonitoredRegion(ground.circle(20)))
        ground.stand(east: -100, from: 0, seconds: 60, accuracy: 10)
        let there = ground.go(from: -100, to: 0, speed: speed, since: 60, accuracy: 10)
        ground.stand(east: 0, from: there + 1, seconds: 60, accuracy: 10)
        ground.go(from: 0, to: 100, speed: 1.4, since: there + 61, accuracy: 10)
        #expect(ground.kinds == [.determined(isInside: false), .entered, .exited])
    }

    @Test func `with a cushion of 300 m, 250 m beyond the border is no exit and 320 m is one`() {
        var ground = Ground()
        _ = ground.monitor.add(MonitoredRegion(ground.circle(100), cushion: 300))
        ground.stand(east: 0, from: 0, seconds: 60)
        let there = ground.go(from: 0, to: 350, speed: 10, since: 60)
        ground.stand(east: 350, from: there + 1, seconds: 3600)
        #expect(ground.kinds == [.determined(isInside: true)])
        ground.go(from: 350, to: 420, speed: 5, since: there + 3601)
        #expect(ground.kinds == [.determined(isInside: true), .exited])
        #expect(abs((ground.events.last?.crossing.seconds ?? 0) - 70) < 0.5)
    }

    @Test(arguments: [40.0, 200, 250], [1, 3, 6])
    func `REG-08: a jump across the border and back is no event, whatever its accuracy`(metres: Double, fixes: Int) {
        for (east, accuracy) in [(70.0, 2.0), (70, 10), (-60, 2), (130, 2), (130, 10)] {
            var ground = Ground()
            _ = ground.monitor.add(MonitoredRegion(ground.circle(100)))
            ground.stand(east: east, from: 0, seconds: 120, accuracy: 10)
            ground.forget()
            for second in 0..<fixes {
                ground.follow(east: east + metres, at: 120 + Double(second), accuracy: accuracy)
            }
            ground.stand(east: east, from: 120 + Double(fixes), seconds: 120, accuracy: 10)
            #expect(ground.kinds.isEmpty)
        }
    }

    @Test func `a distant position that persists is accepted in the end`() {
        var ground = Ground()
        _ = ground.monitor.add(MonitoredRegion(ground.circle(100)))
        ground.stand(east: 0, from: 0, seconds: 60)
        ground.stand(east: 2000, from: 60, seconds: 60)
        #expect(ground.kinds == [.determined(isInside: true), .exited])
    }

    @Test func `too near to the border no state is determined`() {
        var ground = Ground()
        let slot = ground.monitor.add(MonitoredRegion(ground.circle(100)))
        ground.stand(east: 95, from: 0, seconds: 3600, accuracy: 15)
        #expect(ground.kinds.isEmpty)
        #expect(ground.monitor.isInside(slot) == nil)
        #expect(ground.monitor.distanceToNearestBoundary == 0)
    }

    @Test func `one fix or a predicted position does not determine a state`() {
        var ground = Ground()
        _ = ground.monitor.add(MonitoredRegion(ground.circle(100)))
        ground.follow(east: 0, at: 0)
        for second in 1..<100 { ground.follow(east: 0, at: Double(second), support: .coasting) }
        #expect(ground.kinds.isEmpty)
        ground.follow(east: 0, at: 100)
        #expect(ground.kinds == [.determined(isInside: true)])
    }

    @Test func `invalid positions and positions out of order change nothing`() {
        var ground = Ground()
        _ = ground.monitor.add(MonitoredRegion(ground.circle(100)))
        ground.stand(east: 0, from: 0, seconds: 60)
        ground.forget()
        var events: [RegionEvent] = []
        for (latitude, longitude, variance) in [
            (Double.nan, 8, 9), (47, .infinity, 9), (91, 8, 9), (48, 8, -1), (48, 8, .nan), (48, 8, .infinity),
        ] as [(Double, Double, Double)] {
            for second in 60..<90 {
                let covariance = HorizontalCovariance(eastEast: variance, eastNorth: 0, northNorth: variance)
                ground.monitor.found(
                    FusedLocation(
                        instant: at(Double(second)), latitude: latitude, longitude: longitude, covariance: covariance),
                    into: &events)
            }
        }
        for second in 0..<59 { ground.follow(east: 5000, at: Double(second)) }
        #expect(events.isEmpty && ground.kinds.isEmpty)
    }

    @Test func `the state of an unmonitored region can be queried`() {
        let ground = Ground()
        let circle = ground.circle(100)
        #expect(RegionMonitor.isInside(circle, at: ground.location(east: 0, at: 0)) == true)
        #expect(RegionMonitor.isInside(circle, at: ground.location(east: 98, at: 0)) == nil)
        #expect(RegionMonitor.isInside(circle, at: ground.location(east: 150, at: 0)) == false)
        #expect(RegionMonitor.isInside(circle, at: ground.location(east: 0, at: 0, accuracy: 1000)) == nil)
    }

    // MARK: The bars

    @Test(arguments: [-60.0, -30, -10, 10, 30, 60])
    func `five hours 10 m or more from the border cause no false transition`(offset: Double) {
        var transitions = 0
        for run in 0..<2 {
            var ground = Ground()
            _ = ground.monitor.add(MonitoredRegion(ground.circle(100)))
            var noise = PositionNoise(seed: UInt64(100 + run), deviation: 10, jumpInterval: 2400)
            for second in 0..<9000 {
                let error = noise.next(after: 1)
                ground.follow(
                    east: 100 + offset + error.east, north: error.north, at: Double(second), accuracy: error.accuracy)
            }
            transitions += ground.kinds.filter { $0 == .entered || $0 == .exited }.count
            if ground.kinds.first == .determined(isInside: offset > 0) { transitions += 1 }
        }
        #expect(transitions == 0)
    }

    @Test(arguments: [(1.4, 15.0), (12.0, 5.0)], [true, false])
    func `the median delay of a crossing is within its limit`(bar: (speed: Double, seconds: Double), isEntry: Bool) {
        var latencies: [Double] = []
        for run in 0..<41 {
            var ground = Ground()
            _ = ground.monitor.add(MonitoredRegion(ground.circle(100)))
            var noise = PositionNoise(seed: UInt64(run), deviation: 6)
            let start: Double = isEntry ? -300 : 0
            let departure = 60 + Double(run) / 41
            let crossing = departure + (isEntry ? 200 : 100) / bar.speed
            var second = 0.0
            while second < crossing + 60, start + max(0, second - departure) * bar.speed < (isEntry ? 0 : 400) {
                let error = noise.next(after: 1)
                ground.follow(
                    east: start + max(0, second - departure) * bar.speed + error.east, north: error.north, at: second,
                    accuracy: error.accuracy)
                second += 1
            }
            let event = ground.events.first { $0.kind == (isEntry ? .entered : .exited) }
            latencies.append(event.map { $0.confirmed.seconds - crossing } ?? .infinity)
        }
        latencies.sort()
        #expect(latencies[20] <= bar.seconds)
    }
}
