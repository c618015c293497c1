import Accelerometers
import Emulation
import Hardware
import Testing

@Suite("The watch for motion of the inertial chips") struct InertialMotionTests {
    /// A chip that lies slanted, in a scene that a test shakes.
    final class Bench {
        var shake = 0.0
        var slant = SIMD3(6.0, -3, 7)
        private(set) var pulses = 0
        let chip: ChipUnderTest
        private(set) var emulated: EmulatedRegisterChip
        var bus: EmulatedBus
        var driver: any AccelerometerDriver

        init(_ chip: ChipUnderTest, threshold: Double = 1.5) throws {
            self.chip = chip
            let scene = SensorScene()
            var told: () -> Void = {}
            emulated = chip.make(scene, { told() })
            bus = EmulatedBus(chips: [emulated])
            driver = try chip.driver(on: &bus)
            scene.acceleration = { [unowned self] in slant + SIMD3(0, shake, 0) }
            told = { [unowned self] in pulses += 1 }
            try driver.watchMotion(MotionThreshold(acceleration: threshold, duration: 0.1), over: &bus)
        }

        /// Lets seconds pass, in steps.
        func pass(seconds: Int = 1, shaking amplitude: Double = 0) {
            for step in 0..<20 * seconds {
                shake = step / 3 % 2 == 0 ? amplitude : -amplitude
                bus.pass(microseconds: 50_000)
            }
            shake = 0
        }
    }

    @Test(arguments: ChipUnderTest.all) func `a chip lying still reports no motion, at any tilt`(chip: ChipUnderTest)
        throws
    {
        let bench = try Bench(chip)
        bench.pass(seconds: 60)
        #expect(bench.pulses == 0)
        #expect(bench.emulated.isConverting)
    }

    @Test(arguments: ChipUnderTest.all) func `motion pulses the interrupt pin`(chip: ChipUnderTest) throws {
        let bench = try Bench(chip)
        bench.pass(seconds: 3)
        bench.pass(seconds: 2, shaking: 3)
        #expect(bench.pulses > 0)
        bench.pass(seconds: 3)
        // The ADXL345's pin stays high until somebody reads.
        _ = try bench.driver.measure(over: &bench.bus)
        let before = bench.pulses
        bench.pass(seconds: 10)
        #expect(bench.pulses == before)
        bench.pass(seconds: 2, shaking: 3)
        #expect(bench.pulses > before)
    }

    @Test(arguments: ChipUnderTest.all) func `acceleration below the threshold is not reported as motion`(
        chip: ChipUnderTest
    ) throws {
        let bench = try Bench(chip, threshold: 4)
        bench.pass(seconds: 10, shaking: 1.2)
        #expect(bench.pulses == 0)
    }

    @Test(arguments: ChipUnderTest.all)
    func `restarting the motion watch takes the current attitude as its reference`(chip: ChipUnderTest) throws {
        let bench = try Bench(chip)
        bench.slant = SIMD3(-3, 6, 7)
        bench.pass(seconds: 3)
        try bench.driver.watchMotion(MotionThreshold(acceleration: 1.5, duration: 0.1), over: &bench.bus)
        let before = bench.pulses
        bench.pass(seconds: 10)
        #expect(bench.pulses == before)
    }

    @Test(arguments: ChipUnderTest.all) func `measures during a motion watch without ending it`(chip: ChipUnderTest)
        throws
    {
        let bench = try Bench(chip)
        for _ in 0..<3 {
            let measured = try bench.driver.measure(over: &bench.bus)
            #expect(chip.agrees(measured, with: bench.slant))
        }
        #expect(bench.emulated.isConverting)
        #expect(bench.pulses == 0)
        bench.pass(seconds: 2, shaking: 3)
        #expect(bench.pulses > 0)
    }

    @Test(arguments: ChipUnderTest.all)
    func `a measurement during a motion watch waits for a late sample`(chip: ChipUnderTest) throws {
        let bench = try Bench(chip)
        bench.pass(seconds: 3)
        _ = try bench.driver.measure(over: &bench.bus)
        _ = try bench.driver.start(over: &bench.bus)
        let measured = try bench.driver.read(over: &bench.bus)
        #expect(chip.agrees(measured, with: bench.slant))
    }

    @Test(arguments: ChipUnderTest.all)
    func `a chip lying still reports no motion, whatever state another program left it in`(chip: ChipUnderTest) throws {
        let bench = try Bench(chip)
        try chip.disturb(bench.emulated)
        try bench.driver.watchMotion(MotionThreshold(acceleration: 1.5, duration: 0.1), over: &bench.bus)
        let before = bench.pulses
        bench.pass(seconds: 60)
        #expect(bench.pulses == before)
        #expect((bench.emulated.conversions) / 60 <= 20)
        bench.pass(seconds: 2, shaking: 3)
        #expect(bench.pulses > before)
    }

    @Test(arguments: ChipUnderTest.all) func `samples slowly during a motion watch`(chip: ChipUnderTest) throws {
        let bench = try Bench(chip)
        let before = bench.emulated.conversions
        bench.pass(seconds: 10)
        #expect((bench.emulated.conversions - before) / 10 <= 20)
    }

    @Test(arguments: ChipUnderTest.all) func `configuring the chip ends the motion watch`(chip: ChipUnderTest) throws {
        let bench = try Bench(chip)
        try bench.driver.configure(over: &bench.bus)
        #expect(!bench.emulated.isConverting)
        bench.pass(shaking: 5)
        #expect(bench.pulses == 0)
        _ = try bench.driver.measure(over: &bench.bus)
        #expect(bench.pulses == 0)
    }

    @Test(arguments: ChipUnderTest.all) func `a loss of power ends the motion watch and is detected`(
        chip: ChipUnderTest
    )
        throws
    {
        let bench = try Bench(chip)
        bench.emulated.powerCycle()
        #expect(throws: ChipError.wasReset(chip: chip.model.rawValue)) {
            try bench.driver.measure(over: &bench.bus)
        }
    }

    @Test(arguments: [
        (0, UInt8(0x1F), 32.0), (1, 0x1F, 4), (2, 0x1F, 4), (4, 0x13, 4), (5, 0x24, 62.5),
    ])
    func `a threshold is rounded to the chip's steps and clamped to the register's range`(
        index: Int, register: UInt8, step: Double
    ) throws {
        let chip = ChipUnderTest.all[index]
        let g = ChipUnderTest.gravity
        let expected: [(Double, UInt8)] = [
            (step * 10 * g / 1000, 10), (0, 1), (-5, 1), (.nan, 1), (1e9, 255), (.infinity, 255),
        ]
        for (acceleration, steps) in expected {
            let bench = try Bench(chip, threshold: acceleration)
            #expect(bench.bus.writes.contains([register, steps]), "\(acceleration)")
        }
    }

    @Test(arguments: [
        (
            0,
            [
                [0x6B, 0x08], [0x1A, 0x00], [0x1F, 5], [0x20, 1], [0x37, 0x00], [0x1C, 0x07], [0x38, 0x40],
                [0x6C, 0x87], [0x6B, 0x28],
            ] as [[UInt8]]
        ),
        (
            1,
            [
                [0x6B, 0x08], [0x1D, 0x01], [0x37, 0x00], [0x38, 0x40], [0x69, 0xC0], [0x1F, 38], [0x1E, 0x05],
                [0x6B, 0x28],
            ]
        ),
        (
            4,
            [
                [0x06, 0x09], [0x0F, 0x00], [0x7F, 0x20], [0x11, 111], [0x12, 0x03], [0x13, 38], [0x7F, 0x00],
                [0x10, 0x08], [0x05, 0x20], [0x06, 0x29],
            ]
        ),
        (5, [[0x2C, 0x17], [0x24, 2], [0x27, 0xF0], [0x2F, 0x00], [0x2E, 0x10], [0x2D, 0x08]]),
    ])
    func `starting a motion watch ends with the expected register writes`(index: Int, expected: [[UInt8]]) throws {
        let bench = try Bench(ChipUnderTest.all[index])
        #expect(Array(bench.bus.writes.suffix(expected.count)) == expected)
    }

    @Test func `configuring leaves the bypass to the magnetometer behind the chip enabled`() throws {
        let scene = SensorScene()
        let icm = EmulatedICM20948(scene: scene)
        _ = icm.write([0x0F, 0x02], at: I2CAddress(0x68))
        let mpu = EmulatedMPU6500(scene: scene, identity: .mpu9250, address: I2CAddress(0x69))
        _ = mpu.write([0x37, 0x02], at: I2CAddress(0x69))
        var bus = EmulatedBus(chips: [icm, mpu])
        let drivers: [any AccelerometerDriver] = [ICM20948(at: icm.address), MPU9250(at: mpu.address)]
        for var driver in drivers {
            try driver.configure(over: &bus)
            _ = try driver.measure(over: &bus)
            try driver.watchMotion(MotionThreshold(acceleration: 1, duration: 0), over: &bus)
            _ = try driver.measure(over: &bus)
        }
        #expect(icm.isBypassed)
        #expect(mpu.isBypassed)
    }
}
