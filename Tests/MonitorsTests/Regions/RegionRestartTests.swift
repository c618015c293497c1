import Fusion
import Monitors
import SextantUnits
import Testing

@Suite("Regions over a restart")
struct RegionRestartTests {
    private func state(isInside: Bool, since seconds: Double = 0, hasDwelled: Bool = false) -> RegionState {
        RegionState(isInside: isInside, since: at(seconds), hasDwelled: hasDwelled)
    }

    @Test func `after a restart inside, nothing is reported`() {
        var ground = Ground()
        let slot = ground.monitor.add(MonitoredRegion(ground.circle(100), state: state(isInside: true)))
        #expect(ground.monitor.isInside(slot) == true)
        ground.stand(east: 20, from: 1000, seconds: 3600)
        #expect(ground.kinds.isEmpty)
    }

    @Test(arguments: [300.0, 50_000, 2_000_000])
    func `leaving during the restart is one exit`(metres: Double) {
        var ground = Ground()
        _ = ground.monitor.add(MonitoredRegion(ground.circle(100), state: state(isInside: true)))
        ground.frame = LocalFrame(latitude: 47 - metres / 111_200, longitude: 8)
        ground.stand(east: 0, from: 1000, seconds: 3600)
        #expect(ground.kinds == [.exited])
        #expect(ground.events.first?.crossing == at(1000))
    }

    @Test func `entering during the restart is one entry`() {
        var ground = Ground()
        _ = ground.monitor.add(MonitoredRegion(ground.circle(100), state: state(isInside: false)))
        ground.stand(east: 0, from: 1000, seconds: 3600)
        #expect(ground.kinds == [.entered])
    }

    @Test func `a wrong first fix after a restart is not an exit`() {
        var ground = Ground()
        _ = ground.monitor.add(MonitoredRegion(ground.circle(100), state: state(isInside: true)))
        ground.stand(east: 400, from: 1000, seconds: 6, accuracy: 3)
        ground.stand(east: 0, from: 1006, seconds: 600)
        #expect(ground.kinds.isEmpty)
    }

    @Test func `a reported dwell is not repeated after a restart, and a pending one is reported`() {
        var ground = Ground()
        let done = MonitoredRegion(
            ground.circle(100), dwell: 60, state: state(isInside: true, since: 900, hasDwelled: true))
        let pending = MonitoredRegion(
            ground.circle(120), dwell: 600, state: state(isInside: true, since: 900))
        _ = ground.monitor.add(done)
        let slot = ground.monitor.add(pending)
        ground.stand(east: 0, from: 1000, seconds: 600)
        #expect(ground.kinds == [.dwelled])
        #expect(ground.events.first?.slot == slot)
        #expect(ground.events.first?.crossing == at(1500))
        #expect(ground.monitor.state(of: slot)?.hasDwelled == true)
    }

    @Test func `with restarts at every second of a day's track each crossing is reported once`() {
        for restart in stride(from: 40.0, to: 400, by: 7) {
            var ground = Ground()
            var slot = ground.monitor.add(MonitoredRegion(ground.circle(100)))
            var kinds: [RegionEvent.Kind] = []
            for second in 0..<420 {
                let east = min(300, -300 + max(0, Double(second) - 60) * 2)
                if Double(second) == restart {
                    kinds += ground.kinds
                    let state = ground.monitor.state(of: slot)
                    ground = Ground()
                    slot = ground.monitor.add(MonitoredRegion(ground.circle(100), state: state))
                }
                ground.follow(east: east, at: Double(second))
            }
            ground.stand(east: 300, from: 420, seconds: 60)
            kinds += ground.kinds
            #expect(kinds == [.determined(isInside: false), .entered, .exited])
        }
    }
}
