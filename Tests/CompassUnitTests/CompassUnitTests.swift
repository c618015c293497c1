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
            try unit.sample(over: &bus) {
                instants += 1
                return MonotonicInstant(nanoseconds: Int64(instants) * 1_000_000)
            }
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
        #expect(bench.unit.magnetometerModel == .lis3mdl)
        #expect(bench.unit.accelerometerModel == nil)
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

    @Test func `a saturated field is said to be`() throws {
        let bench = Bench()
        bench.magnetometer.scene.field = { SIMD3(0, 0, 470) }
        #expect(try bench.sample().isSaturated)
    }
}
