import Accelerometers
import CompassUnit
import Emulation
import Hardware
import Magnetism
import Magnetometers
import Testing
import Units

@Suite("A compass unit") struct CompassUnitTests {
    /// A LIS3MDL and a LIS3DH on one bus.
    final class Bench {
        let magnetometer: EmulatedLIS3MDL
        let accelerometer: EmulatedLIS3DH
        var bus: EmulatedBus
        var unit: CompassUnit
        var instants = 0

        init() {
            let scene = SensorScene(field: { SIMD3(12, 20, -44) }, acceleration: { SIMD3(1, -2, 9.5) })
            magnetometer = EmulatedLIS3MDL(scene: scene)
            accelerometer = EmulatedLIS3DH(scene: scene)
            bus = EmulatedBus(chips: [magnetometer, accelerometer])
            unit = CompassUnit(
                magnetometer: LIS3MDL(at: I2CAddress(0x1C)), accelerometer: LIS3DH(at: I2CAddress(0x18)))
        }

        func sample() throws(ChipError) -> CompassSample {
            guard
                let sample = try unit.sample(
                    over: &bus,
                    at: {
                        instants += 1
                        return MonotonicInstant(nanoseconds: Int64(instants) * 1_000_000)
                    })
            else { throw .notReady(chip: "none") }
            return sample
        }

        var areAsleep: Bool { !magnetometer.isConverting && !accelerometer.isConverting }
    }

    private func isRight(_ sample: CompassSample) -> Bool {
        guard let force = sample.acceleration else { return false }
        let field = sample.field - SIMD3(12, 20, -44)
        let rest = force - SIMD3(1, -2, 9.5)
        return (field * field).sum() < 0.01 && (rest * rest).sum() < 0.001 && !sample.isSaturated
    }

    @Test func `samples both and lets both sleep`() throws {
        let bench = Bench()
        for count in 1...3 {
            let sample = try bench.sample()
            #expect(isRight(sample))
            #expect(sample.instant.nanoseconds == Int64(count) * 1_000_000)
            #expect(bench.areAsleep)
        }
    }

    /// Every magnetometer's driver with its emulated chip.
    static let magnetometers: [@Sendable (SensorScene) -> (any MagnetometerDriver, EmulatedRegisterChip)] = [
        { (HMC5883L(at: I2CAddress(0x1E)), EmulatedHMC5883L(scene: $0)) },
        { (LSM303DLHCMagnetometer(at: I2CAddress(0x1E)), EmulatedLSM303DLHCMagnetometer(scene: $0)) },
        { (QMC5883L(at: I2CAddress(0x0D)), EmulatedQMC5883L(scene: $0)) },
        { (QMC5883P(at: I2CAddress(0x2C)), EmulatedQMC5883P(scene: $0)) },
        { (LIS3MDL(at: I2CAddress(0x1C)), EmulatedLIS3MDL(scene: $0)) },
        { (LIS2MDL(at: I2CAddress(0x1E)), EmulatedLIS2MDL(scene: $0)) },
    ]

    @Test(arguments: magnetometers.indices)
    func `samples with every magnetometer, over a power failure too`(index: Int) throws {
        let scene = SensorScene(field: { SIMD3(12, 20, -44) }, acceleration: { SIMD3(1, -2, 9.5) })
        let (driver, chip) = Self.magnetometers[index](scene)
        let bench = Bench()
        bench.bus = EmulatedBus(chips: [chip, bench.accelerometer])
        bench.unit = CompassUnit(magnetometer: driver, accelerometer: LIS3DH(at: I2CAddress(0x18)))
        for _ in 0..<3 {
            #expect(isRight(try bench.sample()))
            #expect(!chip.isConverting)
            chip.powerCycle()
        }
    }

    @Test func `waits once, for the slower of the two`() throws {
        let bench = Bench()
        _ = try bench.sample()
        bench.bus.clearTranscript()
        _ = try bench.sample()
        let waits = bench.bus.transcript.filter { if case .wait = $0 { true } else { false } }
        #expect(waits == [.wait(microseconds: 20_000)])
    }

    @Test func `does without an accelerometer`() throws {
        let bench = Bench()
        bench.unit = CompassUnit(magnetometer: LIS3MDL(at: I2CAddress(0x1C)), accelerometer: nil)
        try bench.unit.watchMotion(MotionThreshold(acceleration: 1, duration: 0), over: &bench.bus)
        let sample = try bench.sample()
        #expect(sample.acceleration == nil)
    }

    @Test func `a chip that lost its power between samples costs no sample`() throws {
        let bench = Bench()
        _ = try bench.sample()
        bench.magnetometer.powerCycle()
        #expect(isRight(try bench.sample()))
        bench.accelerometer.powerCycle()
        #expect(isRight(try bench.sample()))
        bench.magnetometer.powerCycle()
        bench.accelerometer.powerCycle()
        #expect(isRight(try bench.sample()))
        #expect(bench.areAsleep)
    }

    @Test func `a measurement that never comes is tried twice, and the other chip sleeps then`() throws {
        let bench = Bench()
        _ = try bench.sample()
        bench.magnetometer.isStuck = true
        bench.bus.clearTranscript()
        #expect(throws: ChipError.notReady(chip: "lis3mdl")) { try bench.sample() }
        let starts = bench.bus.transcript.filter { $0 == .write(I2CAddress(0x1C), register: 0x22, value: 0x01) }
        #expect(starts.count == 2)
        #expect(!bench.accelerometer.isConverting)
        bench.magnetometer.isStuck = false
        #expect(isRight(try bench.sample()))
    }

    @Test func `a bus that fails is an error at once, and the next sample configures anew`() throws {
        let bench = Bench()
        _ = try bench.sample()
        for transfers in 0..<12 {
            bench.bus.fault = .timeout
            bench.bus.transfersBeforeFault = transfers
            #expect(throws: ChipError.self) {
                for _ in 0..<3 { _ = try bench.sample() }
            }
            bench.bus.fault = nil
            #expect(isRight(try bench.sample()))
            #expect(bench.areAsleep)
        }
    }

    @Test func `a chip that is unplugged is an error until it is back`() throws {
        let bench = Bench()
        _ = try bench.sample()
        bench.accelerometer.isPresent = false
        for _ in 0..<3 {
            #expect(
                throws: ChipError.bus(
                    BusError(.noAcknowledge, bus: "/dev/i2c-1", address: I2CAddress(0x18)))
            ) { try bench.sample() }
        }
        bench.accelerometer.isPresent = true
        bench.accelerometer.powerCycle()
        #expect(isRight(try bench.sample()))
    }

    @Test func `watches for motion between samples, and again after a power failure`() throws {
        let bench = Bench()
        let threshold = MotionThreshold(acceleration: 0.5, duration: 0)
        try bench.unit.watchMotion(threshold, over: &bench.bus)
        #expect(isRight(try bench.sample()))
        #expect(bench.accelerometer.isConverting)
        #expect(!bench.magnetometer.isConverting)
        bench.accelerometer.powerCycle()
        #expect(!bench.accelerometer.isConverting)
        #expect(isRight(try bench.sample()))
        #expect(bench.accelerometer.isConverting)
        try bench.unit.watchMotion(nil, over: &bench.bus)
        #expect(bench.areAsleep)
    }

    /// The microseconds from the field's measurement to its instant, and those of the whole sample.
    private func times(of count: Int, on bench: Bench) throws -> [(age: Int, whole: Int)] {
        var times: [(age: Int, whole: Int)] = []
        for _ in 0..<count {
            bench.bus.clearTranscript()
            var stampedAt = 0
            var bus = bench.bus
            _ = try bench.unit.sample(over: &bus) { [bus] in
                stampedAt = bus.transcript.count
                return .zero
            }
            let rows = bus.transcript
            let start = try #require(
                rows.firstIndex(of: .write(I2CAddress(0x1C), register: 0x22, value: 0x01)))
            func waited(_ part: ArraySlice<EmulatedBus.Transfer>) -> Int {
                part.reduce(0) { if case .wait(let microseconds) = $1 { $0 + microseconds } else { $0 } }
            }
            times.append((waited(rows[start..<stampedAt]), waited(rows[...])))
        }
        return times
    }

    @Test func `the field is measured last, and its instant is that of its own measurement`() throws {
        let bench = Bench()
        try bench.unit.watchMotion(MotionThreshold(acceleration: 0.5, duration: 0), over: &bench.bus)
        _ = try bench.sample()
        for (age, whole) in try times(of: 3, on: bench) {
            #expect(age <= 20_000)
            #expect(whole >= 110_000 && whole < 150_000)
        }
    }

    @Test func `a magnetometer that is gone leaves the accelerometer asleep, or watching`() throws {
        let bench = Bench()
        _ = try bench.sample()
        bench.magnetometer.isPresent = false
        for _ in 0..<3 {
            #expect(throws: ChipError.self) { try bench.sample() }
            #expect(!bench.accelerometer.isConverting)
        }
        try bench.unit.watchMotion(MotionThreshold(acceleration: 0.5, duration: 0), over: &bench.bus)
        for _ in 0..<3 {
            bench.accelerometer.powerCycle()
            #expect(throws: ChipError.self) { try bench.sample() }
            #expect(bench.accelerometer.isConverting)
        }
    }

    @Test func `watching anew says nothing to the magnetometer`() throws {
        let bench = Bench()
        _ = try bench.sample()
        bench.bus.clearTranscript()
        try bench.unit.watchMotion(MotionThreshold(acceleration: 0.5, duration: 0), over: &bench.bus)
        #expect(
            bench.bus.transcript.allSatisfy {
                switch $0 {
                case .read(let address, _, _), .write(let address, _, _): address == I2CAddress(0x18)
                case .wait: true
                }
            })
    }

    @Test func `an accelerometer alone has no sample, sleeps, and watches`() throws {
        let bench = Bench()
        bench.unit = CompassUnit(magnetometer: nil, accelerometer: LIS3DH(at: I2CAddress(0x18)))
        try bench.unit.configure(over: &bench.bus)
        #expect(bench.areAsleep)
        #expect(try bench.unit.sample(over: &bench.bus) { .zero } == nil)
        try bench.unit.watchMotion(MotionThreshold(acceleration: 0.5, duration: 0), over: &bench.bus)
        #expect(bench.accelerometer.isConverting)
    }

    @Test func `what cannot be configured does not keep the other from it`() throws {
        let bench = Bench()
        bench.magnetometer.isPresent = false
        #expect(throws: ChipError.self) { try bench.unit.configure(over: &bench.bus) }
        #expect(bench.bus.transcript.contains { if case .write(I2CAddress(0x18), _, _) = $0 { true } else { false } })
        bench.magnetometer.isPresent = true
        bench.accelerometer.isPresent = false
        bench.bus.clearTranscript()
        #expect(throws: ChipError.self) { try bench.unit.configure(over: &bench.bus) }
        #expect(bench.bus.transcript.contains { if case .write(I2CAddress(0x1C), _, _) = $0 { true } else { false } })
    }

    @Test func `a saturated field is said to be`() throws {
        let bench = Bench()
        bench.magnetometer.scene.field = { SIMD3(0, 0, 470) }
        #expect(try bench.sample().isSaturated)
    }
}
