import Fusion
import Monitors
import SextantUnits
import Testing

@Suite("Region dwell")
struct RegionDwellTests {
    private func entered(dwell: Double) -> Ground {
        var ground = Ground()
        _ = ground.monitor.add(MonitoredRegion(ground.circle(100), dwell: dwell))
        ground.stand(east: -300, from: 0, seconds: 60)
        ground.go(from: -300, to: 0, speed: 10, since: 60)
        return ground
    }

    @Test func `a dwell is reported once per stay, the dwell time after the crossing`() throws {
        var ground = entered(dwell: 300)
        let deadline = try #require(ground.monitor.deadline)
        #expect(abs(deadline.seconds - 380) < 0.1)
        ground.advance(to: 379)
        #expect(ground.kinds == [.determined(isInside: false), .entered])
        ground.advance(to: 381)
        #expect(ground.kinds == [.determined(isInside: false), .entered, .dwelled])
        #expect(ground.events.last?.crossing == deadline)
        #expect(ground.events.last?.confirmed == at(381))
        #expect(ground.monitor.deadline == nil)
        ground.stand(east: 0, from: 382, seconds: 1000)
        #expect(ground.kinds.count == 3)
    }

    @Test func `leaving in time cancels the dwell, and the next stay starts it again`() {
        var ground = entered(dwell: 300)
        let there = ground.go(from: 0, to: 400, speed: 10, since: 91)
        #expect(ground.monitor.deadline == nil)
        ground.stand(east: 400, from: there + 1, seconds: 600)
        #expect(ground.kinds == [.determined(isInside: false), .entered, .exited])
        ground.go(from: 400, to: 0, speed: 10, since: 1000)
        #expect(abs((ground.monitor.deadline?.seconds ?? 0) - 1330) < 0.1)
    }

    @Test func `the dwell is delayed while the board appears to be outside`() {
        var ground = entered(dwell: 300)
        ground.go(from: 0, to: 105, speed: 1.4, since: 91)
        ground.stand(east: 105, from: 167, seconds: 300)
        #expect(ground.kinds == [.determined(isInside: false), .entered])
        #expect(ground.monitor.deadline == nil)
        ground.stand(east: 60, from: 500, seconds: 10)
        #expect(ground.kinds == [.determined(isInside: false), .entered, .dwelled])
    }

    @Test func `registering inside starts the dwell at the first determination`() {
        var ground = Ground()
        _ = ground.monitor.add(MonitoredRegion(ground.circle(100), dwell: 60))
        ground.stand(east: 0, from: 100, seconds: 70)
        #expect(ground.kinds == [.determined(isInside: true), .dwelled])
        #expect(ground.events.last?.crossing == at(160))
    }
}
