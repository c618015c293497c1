import BenchControl
import Boards
import Emulation
import Hardware
import Magnetism
import Magnetometers
import Testing

@testable import Tracker

@Suite("The bench's sensors")
struct BenchSensorsTests {
    private let bench = SensorBench()

    @Test func `the search finds both chips, and a sample has a time and both measurements`() throws {
        let events = try bench.events(of: [.find, .sample], try bench.sensors())
        #expect(events.count == 2)
        let (magnetometer, accelerometer) = (SensorBench.magnetometer, SensorBench.accelerometer)
        let found = FoundSensors(bus: "/dev/i2c-1", magnetometer: magnetometer, accelerometer: accelerometer)
        #expect(events.first == .found(found))
        guard case .sampled(let sample) = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(sample.instant == SensorBench.instant)
        let field = sample.field - SIMD3(10, 20, -40)
        #expect((field * field).sum().squareRoot() < 0.1)
        let force = try #require(sample.acceleration) - SIMD3(0, 0, 9.80665)
        #expect((force * force).sum().squareRoot() < 0.05)
        #expect(bench.transfers.allSatisfy { $0.bus == "/dev/i2c-1" && $0.instant == SensorBench.instant })
    }

    @Test func `orders wait until the test harness listens, and orders beyond the bound are refused`() throws {
        let (hardware, sensorPort) = try bench.sensorPort(try bench.sensors())
        let taken = (0..<6).map { _ in sensorPort.order(.find) }
        #expect(taken == [true, true, true, true, false, false])
        #expect(bench.told.isEmpty && bench.transfers.isEmpty)
        #expect(hardware.serveCompass())
        #expect(bench.told.count == 1 && hardware.edgeCount == 1)
        sensorPort.close()
        #expect(!hardware.serveCompass())
        let isTaken = sensorPort.order(.find)
        #expect(!isTaken)
    }

    @Test func `sensors that do not answer are reported absent, and are found once they answer`() throws {
        bench.bus.chips = []
        let (hardware, sensorPort) = try bench.sensorPort(try bench.sensors())
        _ = sensorPort.order(.find)
        _ = hardware.serveCompass()
        guard case .absent(let text) = bench.told.last else {
            Issue.record("\(bench.told)")
            return
        }
        #expect(text.hasPrefix("/dev/i2c-1: no accelerometer answers at "))
        bench.bus.chips = [bench.magnetometer, bench.accelerometer]
        _ = sensorPort.order(.find)
        _ = hardware.serveCompass()
        guard case .found = bench.told.last else {
            Issue.record("\(bench.told)")
            return
        }
    }

    @Test func `a board whose accelerometer does not answer has no compass rather than one without tilt compensation`()
        throws
    {
        bench.bus.chips = [bench.magnetometer]
        let events = try bench.events(of: [.find, .sample], try bench.sensors())
        guard case .absent(let text) = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(text.hasPrefix("/dev/i2c-1: no accelerometer answers at "))
        #expect(events.last == .failed("the sensors were not found yet; see the log for why"))
    }

    @Test func `a magnetometer without an accelerometer samples without tilt compensation`() throws {
        let events = try bench.events(of: [.find, .sample], try bench.sensors(accelerometer: false))
        let found = FoundSensors(bus: "/dev/i2c-1", magnetometer: SensorBench.magnetometer, accelerometer: nil)
        #expect(events.first == .found(found))
        guard case .sampled(let sample) = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(sample.acceleration == nil)
    }

    @Test func `an accelerometer without a magnetometer measures no heading`() throws {
        let events = try bench.events(of: [.find, .sample], try bench.sensors(magnetometer: false))
        guard case .found(let found) = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(found.magnetometer == nil && found.accelerometer == SensorBench.accelerometer)
        #expect(events.last == .failed("the sensors were not found yet; see the log for why"))
    }

    @Test func `a bus timeout fails the sample, and the next sample succeeds once the bus is free`() throws {
        let (hardware, sensorPort) = try bench.sensorPort(try bench.sensors())
        for fault: BusError.Kind? in [nil, .timeout, nil] {
            if bench.told.isEmpty {
                _ = sensorPort.order(.find)
                _ = hardware.serveCompass()
            }
            bench.bus.fault = fault
            _ = sensorPort.order(.sample)
            _ = hardware.serveCompass()
        }
        #expect(bench.kinds == ["found", "sampled", "hangs", "sampled"])
    }

    // MARK: Which chip it is

    @Test func `two chips that could both be the compass are an error that names both and the remedy`() throws {
        bench.bus.chips = [bench.magnetometer, EmulatedHMC5883L(scene: bench.magnetometer.scene), bench.accelerometer]
        var sensors = try bench.sensors()
        let events = try bench.events(of: [.find], sensors)
        #expect(
            events == [
                .failed(
                    "/dev/i2c-1: more than one magnetometer answers, hmc5883l at 0x1e and qmc5883l at 0x0d; "
                        + "give magnetometer.model and magnetometer.address of the one to use in the board file")
            ])
        sensors.magnetometer?.model = .qmc5883l
        guard case .found(let found) = try bench.events(of: [.find], sensors).last else {
            Issue.record("\(bench.told)")
            return
        }
        #expect(found.magnetometer == SensorBench.magnetometer)
    }

    @Test(arguments: SetResetPolarity.allCases)
    func `the pulse polarity comes from the board file`(polarity: SetResetPolarity) throws {
        let chip = EmulatedMMC5603(scene: bench.magnetometer.scene, isAlignedAfterSet: polarity == .afterSet)
        bench.bus.chips = [chip, bench.accelerometer]
        var sensors = try bench.sensors()
        sensors.magnetometer?.model = .mmc5603
        sensors.polarity = polarity
        guard case .sampled(let sample) = try bench.events(of: [.find, .sample], sensors).last else {
            Issue.record("\(bench.told)")
            return
        }
        let field = sample.field - SIMD3(10, 20, -40)
        #expect((field * field).sum().squareRoot() < 0.1)
    }

    @Test func `after the first search another chip is not taken for the one that was found`() throws {
        let (hardware, sensorPort) = try bench.sensorPort(try bench.sensors())
        let other = EmulatedHMC5883L(scene: bench.magnetometer.scene)
        for chips in [[bench.magnetometer], [other], [other, bench.magnetometer]] as [[any EmulatedChip]] {
            bench.bus.chips = chips + [bench.accelerometer]
            _ = sensorPort.order(.find)
            while hardware.serveCompass() {}
        }
        #expect(bench.kinds == ["found", "absent", "found"])
        guard case .found(let found) = bench.told.last else {
            Issue.record("not found: \(String(describing: bench.told.last))")
            return
        }
        #expect(found.magnetometer == SensorBench.magnetometer)
    }

    @Test func `a board without sensors has no compass`() throws {
        let hardware = try bench.hardware(nil)
        let failure = HardwareFailure("the compass: the board's file names no sensor", isMissing: true)
        #expect(throws: failure) { _ = try hardware.openSensors { _ in } }
    }
}
