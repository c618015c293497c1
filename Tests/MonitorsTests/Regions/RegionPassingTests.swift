import Fusion
import Monitors
import SextantUnits
import Simulation
import Testing

@Suite("Region passings")
struct RegionPassingTests {
    /// Drives along the east past a region about the place, and on for a kilometre.
    private func drive(
        _ shape: (Ground) throws -> RegionShape, from start: Double, north: Double, speed: Double,
        every interval: Double
    ) rethrows -> Ground {
        var ground = Ground()
        _ = ground.monitor.add(MonitoredRegion(try shape(ground)))
        ground.go(from: start, to: 1000, north: north, speed: speed, since: 0, every: interval)
        return ground
    }

    @Test(arguments: [25.0, 50], [1, 0.8, 0.6])
    func `a region narrower than the step between fixes is entered and left`(radius: Double, chord: Double) throws {
        let north = radius * (1 - chord * chord).squareRoot()
        for phase in 0..<75 {
            let start = -2000 - 2 * Double(phase)
            let ground = drive({ $0.circle(radius) }, from: start, north: north, speed: 30, every: 5)
            #expect(ground.kinds == [.determined(isInside: false), .entered, .exited])
            for (event, border) in zip(ground.events.dropFirst(), [-radius * chord, radius * chord]) {
                #expect(abs(event.crossing.seconds - (border - start) / 30) < 0.1)
                #expect(event.confirmed >= event.crossing)
            }
        }
    }

    @Test(arguments: [1.4, 8, 30])
    func `a rectangle of 120 m is not missed with a fix every 100 m`(speed: Double) throws {
        for phase in 0..<20 {
            let ground = try drive(
                { try $0.polygon([(-60, -40), (60, -40), (60, 40), (-60, 40)]) }, from: -1500 - 5 * Double(phase),
                north: 0, speed: speed, every: 100 / speed)
            #expect(ground.kinds == [.determined(isInside: false), .entered, .exited])
        }
    }

    @Test func `a hole narrower than the step between fixes is left and entered`() throws {
        let ground = try drive(
            {
                try $0.polygon(
                    [(-5000, -5000), (5000, -5000), (5000, 5000), (-5000, 5000)],
                    [(-25, -25), (25, -25), (25, 25), (-25, 25)])
            }, from: -2000, north: 0, speed: 30, every: 5)
        #expect(ground.kinds == [.determined(isInside: true), .exited, .entered])
    }

    @Test func `passing beside a region causes no event`() {
        for phase in 0..<30 {
            let ground = drive({ $0.circle(25) }, from: -2000 - 5 * Double(phase), north: 30, speed: 30, every: 5)
            #expect(ground.kinds == [.determined(isInside: false)])
        }
    }

    @Test func `driving along a border with noisy fixes causes no crossing`() throws {
        for seed in 0..<20 {
            var ground = Ground()
            _ = ground.monitor.add(
                MonitoredRegion(try ground.polygon([(-9000, 0), (9000, 0), (9000, 3000), (-9000, 3000)])))
            var noise = PositionNoise(seed: UInt64(seed), deviation: 4)
            for second in 0..<1000 {
                let error = noise.next(after: 1)
                ground.follow(
                    east: -8000 + 15 * Double(second) + error.east, north: -12 + error.north, at: Double(second),
                    accuracy: error.accuracy)
            }
            #expect(!ground.kinds.contains(.entered))
        }
    }

    @Test func `no crossing is inferred from the line across a gap of hours`() {
        var ground = Ground()
        _ = ground.monitor.add(MonitoredRegion(ground.circle(100)))
        ground.stand(east: -5000, from: 0, seconds: 60)
        ground.stand(east: 5000, from: 7200, seconds: 60)
        #expect(ground.kinds == [.determined(isInside: false)])
    }
}
