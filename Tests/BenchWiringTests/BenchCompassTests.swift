import Accelerometers
import BenchControl
import BenchWiring
import Boards
import Emulation
import Hardware
import Magnetism
import Magnetometers
import Reactor
import Testing
import Units

@testable import Tracker

@Suite("The bench's sensors")
struct BenchCompassTests {
    private final class Told {
        var events: [CompassEvent] = []
        var transfers: [BenchTransfer] = []
    }

    private static let instant = MonotonicInstant(nanoseconds: 77)
    private let told = Told()
    private let bus = EmulatedBus()
    private let magnetometer: EmulatedQMC5883L
    private let accelerometer: EmulatedLIS3DH

    init() {
        let scene = SensorScene(field: { SIMD3(10, 20, -40) }, acceleration: { SIMD3(0, 0, 9.80665) })
        magnetometer = EmulatedQMC5883L(scene: scene)
        accelerometer = EmulatedLIS3DH(scene: scene)
        bus.chips = [magnetometer, accelerometer]
    }

    private func sensors(magnetometer: Bool = true, accelerometer: Bool = true) throws -> BoardSensors {
        let mounting = try Mounting(x: .right, y: .forward)
        return BoardSensors(
            bus: "/dev/i2c-1",
            magnetometer: magnetometer ? BoardChip(model: nil, address: nil, mounting: mounting) : nil,
            accelerometer: accelerometer ? BoardChip(model: nil, address: nil, mounting: mounting) : nil)
    }

    private func hardware(_ sensors: BoardSensors?) throws -> BenchHardware {
        let clock = DrivenClock(now: Self.instant, utc: UTCInstant(nanoseconds: 0), isSynchronized: false)
        return BenchHardware(
            device: "/dev/virtual", sensors: sensors, reactor: try Reactor(time: .driven(clock)), tell: { _ in },
            ask: { [bus, told] transfer in
                told.transfers.append(transfer)
                return bus.carryOut(transfer.transfer)
            })
    }

    /// What comes of orders, each carried out before the next one is left.
    private func events(of orders: [CompassOrder], _ sensors: BoardSensors) throws -> [CompassEvent] {
        let hardware = try hardware(sensors)
        let compass = try hardware.openCompass { [told] in told.events.append($0) }
        for order in orders {
            let isTaken = compass.order(order)
            #expect(isTaken)
            while hardware.serveCompass() {}
        }
        return told.events
    }

    @Test func `chips are found, and a sample has its instant and both measurements`() throws {
        let events = try events(of: [.find, .sample], try sensors())
        #expect(events.count == 2)
        let place = "/dev/i2c-1, 0x0d and 0x18"
        #expect(events.first == .found(FoundSensors(magnetometer: "qmc5883l", accelerometer: "lis3dh", place: place)))
        guard case .sampled(let sample) = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(sample.instant == Self.instant)
        let field = sample.field - SIMD3(10, 20, -40)
        #expect((field * field).sum().squareRoot() < 0.1)
        let force = try #require(sample.acceleration) - SIMD3(0, 0, 9.80665)
        #expect((force * force).sum().squareRoot() < 0.05)
        #expect(told.transfers.allSatisfy { $0.bus == "/dev/i2c-1" && $0.instant == Self.instant })
    }

    @Test func `orders wait until the harness listens, and what exceeds the bound is refused`() throws {
        let hardware = try hardware(try sensors())
        let compass = try hardware.openCompass { [told] in told.events.append($0) }
        let taken = (0..<6).map { _ in compass.order(.find) }
        #expect(taken == [true, true, true, true, false, false])
        #expect(told.events.isEmpty && told.transfers.isEmpty)
        #expect(hardware.serveCompass())
        #expect(told.events.count == 1 && hardware.edgeCount == 1)
        compass.close()
        #expect(!hardware.serveCompass())
        let isTaken = compass.order(.find)
        #expect(!isTaken)
    }

    @Test func `where nobody answers the sensors are absent, and are found when they have come`() throws {
        bus.chips = []
        let hardware = try hardware(try sensors())
        let compass = try hardware.openCompass { [told] in told.events.append($0) }
        _ = compass.order(.find)
        _ = hardware.serveCompass()
        guard case .absent(let text) = told.events.last else {
            Issue.record("\(told.events)")
            return
        }
        #expect(text.hasPrefix("/dev/i2c-1: no accelerometer answers at "))
        bus.chips = [magnetometer, accelerometer]
        _ = compass.order(.find)
        _ = hardware.serveCompass()
        guard case .found = told.events.last else {
            Issue.record("\(told.events)")
            return
        }
    }

    @Test func `a board whose accelerometer does not answer has no compass, rather than one that is wrong when tilted`()
        throws
    {
        bus.chips = [magnetometer]
        let events = try events(of: [.find, .sample], try sensors())
        guard case .absent(let text) = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(text.hasPrefix("/dev/i2c-1: no accelerometer answers at "))
        #expect(events.last == .failed("the sensors were not found yet; see the log for why"))
    }

    @Test func `motion is told although the magnetometer does not answer`() throws {
        bus.chips = [accelerometer]
        var sensors = try sensors()
        sensors.motion = MotionThreshold(acceleration: 1, duration: 0)
        guard case .absent = try events(of: [.find], sensors).last else {
            Issue.record("\(told.events)")
            return
        }
        bus.pass(microseconds: 1_000_000)
        accelerometer.scene.acceleration = { SIMD3(4, 0, 9.80665) }
        bus.pass(microseconds: 1_000_000)
        #expect(accelerometer.interruptLevel)
    }

    @Test func `a magnetometer alone measures without tilt`() throws {
        let events = try events(of: [.find, .sample], try sensors(accelerometer: false))
        #expect(
            events.first
                == .found(FoundSensors(magnetometer: "qmc5883l", accelerometer: nil, place: "/dev/i2c-1, 0x0d")))
        guard case .sampled(let sample) = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(sample.acceleration == nil)
    }

    @Test(arguments: [true, false])
    func `an accelerometer that is to watch for motion does, and tells of it`(hasMagnetometer: Bool) throws {
        var sensors = try sensors(magnetometer: hasMagnetometer)
        sensors.motion = MotionThreshold(acceleration: 1, duration: 0)
        let events = try events(of: [.find], sensors)
        guard case .found = events.last else {
            Issue.record("\(events)")
            return
        }
        bus.pass(microseconds: 1_000_000)
        #expect(!accelerometer.interruptLevel)
        accelerometer.scene.acceleration = { SIMD3(4, 0, 9.80665) }
        bus.pass(microseconds: 1_000_000)
        #expect(accelerometer.interruptLevel)
    }

    @Test func `an accelerometer alone does not measure a heading`() throws {
        let events = try events(of: [.find, .sample], try sensors(magnetometer: false))
        guard case .found(let found) = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(found.magnetometer == nil && found.accelerometer == "lis3dh")
        #expect(events.last == .failed("the sensors were not found yet; see the log for why"))
    }

    @Test func `a bus that hangs fails the sample, and the next one is measured when it is free`() throws {
        let hardware = try hardware(try sensors())
        let compass = try hardware.openCompass { [told] in told.events.append($0) }
        for fault: BusError.Kind? in [nil, .timeout, nil] {
            if told.events.isEmpty {
                _ = compass.order(.find)
                _ = hardware.serveCompass()
            }
            bus.fault = fault
            _ = compass.order(.sample)
            _ = hardware.serveCompass()
        }
        let kinds = told.events.map { event in
            switch event {
            case .found: "found"
            case .sampled: "sampled"
            case .failed(let text): text.contains("the bus hangs") ? "hangs" : text
            case .absent, .watching, .notWatching: "\(event)"
            }
        }
        #expect(kinds == ["found", "sampled", "hangs", "sampled"])
    }

    // MARK: Motion

    /// A board that has its accelerometer watch for motion.
    private func watching(magnetometer: Bool = true) throws -> BoardSensors {
        var sensors = try sensors(magnetometer: magnetometer)
        sensors.motion = MotionThreshold(acceleration: 1, duration: 0)
        return sensors
    }

    /// The words of each answer's kind.
    private var kinds: [String] {
        told.events.map { event in
            switch event {
            case .found: "found"
            case .sampled: "sampled"
            case .failed: "failed"
            case .absent: "absent"
            case .watching: "watching"
            case .notWatching: "not watching"
            }
        }
    }

    /// Hits the board, and says whether the line has risen then.
    private func hit(_ chip: EmulatedRegisterChip, _ isHigh: () -> Bool) -> Bool {
        bus.pass(microseconds: 1_000_000)
        chip.scene.acceleration = { SIMD3(4, 0, 9.80665) }
        bus.pass(microseconds: 1_000_000)
        chip.scene.acceleration = { SIMD3(0, 0, 9.80665) }
        return isHigh()
    }

    @Test func `a line that is held falls when motion is watched for anew, without a magnetometer too`() throws {
        let adxl = EmulatedADXL345(scene: accelerometer.scene)
        bus.chips = [magnetometer, adxl]
        let hardware = try hardware(try watching())
        let compass = try hardware.openCompass { [told] in told.events.append($0) }
        func serve(_ order: CompassOrder) {
            _ = compass.order(order)
            while hardware.serveCompass() {}
        }
        serve(.find)
        for isMagnetometerGone in [false, true] {
            magnetometer.isPresent = !isMagnetometerGone
            #expect(hit(adxl) { adxl.interruptLevel })
            bus.pass(microseconds: 5_000_000)
            #expect(adxl.interruptLevel)
            serve(.watchMotion)
            #expect(!adxl.interruptLevel)
            bus.pass(microseconds: 5_000_000)
            #expect(!adxl.interruptLevel)
        }
        #expect(kinds == ["found", "watching", "watching"])
    }

    /// What the chip feels, and what comes of it at the first three looks at its line.
    private func looks(
        at chip: EmulatedRegisterChip, _ isHigh: () -> Bool, feeling motion: (Int) -> SIMD3<Double>
    ) throws -> [Bool?] {
        bus.chips = [magnetometer, chip]
        let hardware = try hardware(try watching())
        let compass = try hardware.openCompass { [told] in told.events.append($0) }
        _ = compass.order(.find)
        var hold = MotionHold()
        var changes: [Bool?] = []
        var (wasHigh, hasRisen, nextLook) = (false, false, Int64.max)
        for hundredth in 0..<500 {
            while hardware.serveCompass() {}
            let force = motion(hundredth)
            chip.scene.acceleration = { force }
            bus.pass(microseconds: 10_000)
            if !wasHigh, isHigh() { hasRisen = true }
            wasHigh = isHigh()
            let now = MonotonicInstant(nanoseconds: Int64(hundredth) * 10_000_000)
            guard hasRisen && nextLook == .max || nextLook <= now.nanoseconds else { continue }
            let outcome = hold.looked(hasRisen: hasRisen, isActive: wasHigh, at: now)
            changes.append(outcome.change)
            if outcome.watchesAnew { _ = compass.order(.watchMotion) }
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

    @Test(arguments: ["lis3dh", "adxl345"]) func `a knock is over by the third look`(kind: String) throws {
        let changes = try looks(at: kind) { 100..<120 ~= $0 ? SIMD3(8, 0, 0) : .zero }
        #expect(changes == [true, nil, false])
    }

    @Test(arguments: ["lis3dh", "adxl345"]) func `motion goes on at the third look`(kind: String) throws {
        let changes = try looks(at: kind) { $0 >= 100 ? SIMD3($0 % 60 < 30 ? 3 : -3, 0, 0) : .zero }
        #expect(changes == [true, nil, nil])
    }

    @Test func `an accelerometer that lost its power watches again, and is not reset by what is asked of the other`()
        throws
    {
        let hardware = try hardware(try watching())
        let compass = try hardware.openCompass { [told] in told.events.append($0) }
        func serve(_ order: CompassOrder) {
            _ = compass.order(order)
            while hardware.serveCompass() {}
        }
        serve(.find)
        accelerometer.powerCycle()
        #expect(!hit(accelerometer) { accelerometer.interruptLevel })
        told.transfers = []
        serve(.watchMotion)
        #expect(hit(accelerometer) { accelerometer.interruptLevel })
        let addressed = told.transfers.filter {
            switch $0.transfer {
            case .read(let address, _, _), .write(let address, _, _): address == I2CAddress(0x0D)
            case .wait: false
            }
        }
        #expect(addressed.isEmpty)
        #expect(kinds == ["found", "watching"])
    }

    @Test(arguments: [true, false])
    func `an accelerometer that was not found is looked for when motion is to be watched for`(hasMagnetometer: Bool)
        throws
    {
        bus.chips = [magnetometer]
        let hardware = try hardware(try watching(magnetometer: hasMagnetometer))
        let compass = try hardware.openCompass { [told] in told.events.append($0) }
        func serve(_ order: CompassOrder) {
            _ = compass.order(order)
            while hardware.serveCompass() {}
        }
        serve(.watchMotion)
        guard case .notWatching(let text) = told.events.last else {
            Issue.record("\(told.events)")
            return
        }
        #expect(text.hasPrefix("/dev/i2c-1: no accelerometer answers at "))
        bus.chips = [magnetometer, accelerometer]
        serve(.watchMotion)
        let found = FoundSensors(magnetometer: nil, accelerometer: "lis3dh", place: "/dev/i2c-1, 0x18")
        #expect(told.events.last == .watching(found))
        #expect(hit(accelerometer) { accelerometer.interruptLevel })
    }

    // MARK: Which chip it is

    @Test func `two that may be the compass are an error that names both and the mend`() throws {
        bus.chips = [magnetometer, EmulatedHMC5883L(scene: magnetometer.scene), accelerometer]
        var sensors = try sensors()
        let events = try events(of: [.find], sensors)
        #expect(
            events == [
                .failed(
                    "/dev/i2c-1: more than one magnetometer answers, hmc5883l at 0x1e and qmc5883l at 0x0d; "
                        + "give magnetometer.model and magnetometer.address of the one to use in the board file")
            ])
        sensors.magnetometer?.model = .qmc5883l
        guard case .found(let found) = try self.events(of: [.find], sensors).last else {
            Issue.record("\(told.events)")
            return
        }
        #expect(found.magnetometer == "qmc5883l")
    }

    @Test(arguments: SetResetPolarity.allCases)
    func `a chip's polarity is what the board's file says`(polarity: SetResetPolarity) throws {
        let chip = EmulatedMMC5603(scene: magnetometer.scene, isAlignedAfterSet: polarity == .afterSet)
        bus.chips = [chip, accelerometer]
        var sensors = try sensors()
        sensors.magnetometer?.model = .mmc5603
        sensors.polarity = polarity
        guard case .sampled(let sample) = try events(of: [.find, .sample], sensors).last else {
            Issue.record("\(told.events)")
            return
        }
        let field = sample.field - SIMD3(10, 20, -40)
        #expect((field * field).sum().squareRoot() < 0.1)
    }

    @Test func `what was found once is not mistaken for another later`() throws {
        let hardware = try hardware(try sensors())
        let compass = try hardware.openCompass { [told] in told.events.append($0) }
        let other = EmulatedHMC5883L(scene: magnetometer.scene)
        for chips in [[magnetometer], [other], [other, magnetometer]] as [[any EmulatedChip]] {
            bus.chips = chips + [accelerometer]
            _ = compass.order(.find)
            while hardware.serveCompass() {}
        }
        #expect(kinds == ["found", "absent", "found"])
        let place = "/dev/i2c-1, 0x0d and 0x18"
        let found = FoundSensors(magnetometer: "qmc5883l", accelerometer: "lis3dh", place: place)
        #expect(told.events.last == .found(found))
    }

    @Test func `a board without sensors has no compass`() throws {
        let hardware = try hardware(nil)
        let failure = HardwareFailure("the compass: the board's file names no sensor", isMissing: true)
        #expect(throws: failure) { _ = try hardware.openCompass { _ in } }
    }
}
