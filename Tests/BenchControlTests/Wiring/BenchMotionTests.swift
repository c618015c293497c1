import Accelerometers
import BenchControl
import Boards
import Emulation
import Hardware
import SextantUnits
import Testing

@testable import Engine
@testable import Tracker

@Suite("The bench's accelerometer")
struct BenchMotionTests {
    private let bench = SensorBench()

    /// A board that has its accelerometer watch for motion.
    private func watching(magnetometer: Bool = true) throws -> BoardSensors {
        var sensors = try bench.sensors(magnetometer: magnetometer)
        sensors.motion = MotionThreshold(acceleration: 1, duration: 0)
        return sensors
    }

    /// Hits the board, and says whether the line has risen then.
    private func hit(_ chip: EmulatedRegisterChip, _ isHigh: () -> Bool) -> Bool {
        bench.bus.pass(microseconds: 1_000_000)
        chip.scene.acceleration = { SIMD3(4, 0, 9.80665) }
        bench.bus.pass(microseconds: 1_000_000)
        chip.scene.acceleration = { SIMD3(0, 0, 9.80665) }
        return isHigh()
    }

    @Test func `motion is reported although the magnetometer does not answer`() throws {
        bench.bus.chips = [bench.accelerometer]
        guard case .absent = try bench.events(of: [.find], try watching()).last else {
            Issue.record("\(bench.told)")
            return
        }
        bench.bus.pass(microseconds: 1_000_000)
        bench.accelerometer.scene.acceleration = { SIMD3(4, 0, 9.80665) }
        bench.bus.pass(microseconds: 1_000_000)
        #expect(bench.accelerometer.interruptLevel)
    }

    @Test(arguments: [true, false])
    func `an accelerometer configured to watch for motion reports it`(hasMagnetometer: Bool) throws {
        let events = try bench.events(of: [.find], try watching(magnetometer: hasMagnetometer))
        guard case .found = events.last else {
            Issue.record("\(events)")
            return
        }
        bench.bus.pass(microseconds: 1_000_000)
        #expect(!bench.accelerometer.interruptLevel)
        bench.accelerometer.scene.acceleration = { SIMD3(4, 0, 9.80665) }
        bench.bus.pass(microseconds: 1_000_000)
        #expect(bench.accelerometer.interruptLevel)
    }

    @Test func `restarting the motion watch releases a held interrupt line, with or without a magnetometer`() throws {
        let adxl = EmulatedADXL345(scene: bench.accelerometer.scene)
        bench.bus.chips = [bench.magnetometer, adxl]
        let serve = try bench.server(try watching())
        serve(.find)
        for isMagnetometerGone in [false, true] {
            bench.magnetometer.isPresent = !isMagnetometerGone
            #expect(hit(adxl) { adxl.interruptLevel })
            bench.bus.pass(microseconds: 5_000_000)
            #expect(adxl.interruptLevel)
            serve(.watchMotion)
            #expect(!adxl.interruptLevel)
            bench.bus.pass(microseconds: 5_000_000)
            #expect(!adxl.interruptLevel)
        }
        #expect(bench.kinds == ["found", "watching", "watching"])
    }

    /// What the chip feels, and what comes of it at the first three looks at its line.
    private func looks(
        at chip: EmulatedRegisterChip, _ isHigh: () -> Bool, feeling motion: (Int) -> SIMD3<Double>
    ) throws -> [Bool?] {
        bench.bus.chips = [bench.magnetometer, chip]
        let (hardware, sensorPort) = try bench.sensorPort(try watching())
        _ = sensorPort.order(.find)
        var hold = MotionHold()
        var changes: [Bool?] = []
        var (wasHigh, hasRisen, nextLook) = (false, false, Int64.max)
        for hundredth in 0..<500 {
            while hardware.serveCompass() {}
            let force = motion(hundredth)
            chip.scene.acceleration = { force }
            bench.bus.pass(microseconds: 10_000)
            if !wasHigh, isHigh() { hasRisen = true }
            wasHigh = isHigh()
            let now = MonotonicInstant(nanoseconds: Int64(hundredth) * 10_000_000)
            guard hasRisen && nextLook == .max || nextLook <= now.nanoseconds else { continue }
            let wasMoving = hold.isMoving
            let outcome = hold.sensed(hasRisen: hasRisen, isActive: wasHigh, at: now)
            changes.append(hold.isMoving == wasMoving ? nil : hold.isMoving)
            if outcome.watchesAnew { _ = sensorPort.order(.watchMotion) }
            nextLook = outcome.nextLook?.nanoseconds ?? .max
            hasRisen = false
        }
        return changes
    }

    /// A chip that holds its line, and one whose line follows what it feels.
    private func looks(at kind: String, feeling motion: (Int) -> SIMD3<Double>) throws -> [Bool?] {
        let rest = SIMD3(0, 0, 9.80665)
        let scene = SensorScene(acceleration: { rest })
        let (lis, adxl) = (EmulatedLIS3DH(scene: scene), EmulatedADXL345(scene: scene))
        return kind == "lis3dh"
            ? try looks(at: lis, { lis.interruptLevel }, feeling: { rest + motion($0) })
            : try looks(at: adxl, { adxl.interruptLevel }, feeling: { rest + motion($0) })
    }

    @Test(arguments: ["lis3dh", "adxl345"]) func `a knock counts as over by the third check`(kind: String) throws {
        let changes = try looks(at: kind) { 100..<120 ~= $0 ? SIMD3(8, 0, 0) : .zero }
        #expect(changes == [true, nil, false])
    }

    @Test(arguments: ["lis3dh", "adxl345"]) func `continuing motion is still reported at the third check`(kind: String)
        throws
    {
        let changes = try looks(at: kind) { $0 >= 100 ? SIMD3($0 % 60 < 30 ? 3 : -3, 0, 0) : .zero }
        #expect(changes == [true, nil, nil])
    }

    @Test func `an accelerometer that lost power watches again, and the magnetometer is left alone`()
        throws
    {
        let serve = try bench.server(try watching())
        serve(.find)
        bench.accelerometer.powerCycle()
        #expect(!hit(bench.accelerometer) { bench.accelerometer.interruptLevel })
        bench.transfers = []
        serve(.watchMotion)
        #expect(hit(bench.accelerometer) { bench.accelerometer.interruptLevel })
        let addressed = bench.transfers.filter {
            switch $0.transfer {
            case .read(let address, _, _), .write(let address, _, _), .writeRow(let address, _, _):
                address == I2CAddress(0x0D)
            case .wait: false
            }
        }
        #expect(addressed.isEmpty)
        #expect(bench.kinds == ["found", "watching"])
    }

    @Test(arguments: [true, false])
    func `a missing accelerometer is searched for again when a motion watch is requested`(hasMagnetometer: Bool)
        throws
    {
        bench.bus.chips = [bench.magnetometer]
        let serve = try bench.server(try watching(magnetometer: hasMagnetometer))
        serve(.watchMotion)
        guard case .notWatching(let text) = bench.told.last else {
            Issue.record("\(bench.told)")
            return
        }
        #expect(text.hasPrefix("/dev/i2c-1: no accelerometer answers at "))
        bench.bus.chips = [bench.magnetometer, bench.accelerometer]
        serve(.watchMotion)
        let found = FoundSensors(bus: "/dev/i2c-1", magnetometer: nil, accelerometer: SensorBench.accelerometer)
        #expect(bench.told.last == .watching(found))
        #expect(hit(bench.accelerometer) { bench.accelerometer.interruptLevel })
    }
}
