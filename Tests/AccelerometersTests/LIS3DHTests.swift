import Accelerometers
import Emulation
import Hardware
import Testing

@Suite("LIS3DH and LSM303DLHC") struct LIS3DHTests {
    /// One model, with the chips of its board.
    struct ChipUnderTest: Sendable, CustomTestStringConvertible {
        var model: AccelerometerModel
        var make: @Sendable (SensorScene) -> EmulatedLIS3DH
        var testDescription: String { model.rawValue }

        func driver(on bus: inout EmulatedBus) throws -> any AccelerometerDriver {
            try AccelerometerSearch(model: model).run(over: &bus)[0]
        }
    }

    static let all = [
        ChipUnderTest(model: .lis3dh, make: { EmulatedLIS3DH(scene: $0) }),
        ChipUnderTest(model: .lsm303dlhc, make: { EmulatedLSM303DLHCAccelerometer(scene: $0) }),
    ]
    static let gravity = 9.80665

    @Test(
        arguments: all,
        [
            SIMD3<Double>(gravity, 0, 0), SIMD3(-gravity, 0, 0), SIMD3(0, gravity, 0), SIMD3(0, -gravity, 0),
            SIMD3(0, 0, gravity), SIMD3(0, 0, -gravity), SIMD3(3, -4, 8.5),
        ])
    func `measures each axis with its scale and sign`(chip: ChipUnderTest, force: SIMD3<Double>) throws {
        let emulated = chip.make(SensorScene(acceleration: { force }))
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        let measured = try driver.measure(over: &bus)
        for axis in 0..<3 { #expect(abs(measured[axis] - force[axis]) < 0.005) }
        #expect(!emulated.isConverting)
    }

    @Test(arguments: all)
    func `configures from whatever state another program left`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        let rows: [[UInt8]] = [
            [0x21, 0xFF], [0x22, 0xFF], [0x23, 0x30], [0x24, 0x08], [0x25, 0x02], [0x32, 1], [0x30, 0xFF],
            [0x20, 0x5F],
        ]
        for row in rows { _ = emulated.write(row, at: emulated.address) }
        bus.pass(microseconds: 100_000)
        var driver = try chip.driver(on: &bus)
        try driver.watchMotion(MotionThreshold(acceleration: 1, duration: 0), over: &bus)
        bus.pass(microseconds: 10_000_000)
        #expect(!emulated.interruptLevel)
        try driver.configure(over: &bus)
        #expect(!emulated.isConverting)
        #expect(!emulated.interruptLevel)
        for _ in 0..<2 {
            let measured = try driver.measure(over: &bus)
            #expect(abs(measured.z - Self.gravity) < 0.005)
        }
    }

    @Test(arguments: all)
    func `writes`(chip: ChipUnderTest) throws {
        var bus = EmulatedBus(chips: [chip.make(SensorScene())])
        var driver = try chip.driver(on: &bus)
        bus.clearTranscript()
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        #expect(
            bus.writes == [
                [0x30, 0x00], [0x20, 0x00], [0x21, 0x00], [0x22, 0x00], [0x23, 0x88], [0x24, 0x00],
                [0x25, 0x00], [0x20, 0x77], [0x20, 0x00],
            ])
    }

    @Test(arguments: all)
    func `does not take an old measurement for a new one`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        emulated.isStuck = true
        #expect(throws: ChipError.notReady(chip: chip.model.rawValue)) { try driver.measure(over: &bus) }
    }

    @Test(arguments: all)
    func `a measurement that was given up is not taken for the next`(chip: ChipUnderTest) throws {
        var force = SIMD3(0, 0, Self.gravity)
        let emulated = chip.make(SensorScene(acceleration: { force }))
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        bus.wait(microseconds: try driver.start(over: &bus))
        force.z = -Self.gravity
        try driver.configure(over: &bus)
        emulated.isStuck = true
        #expect(throws: ChipError.notReady(chip: chip.model.rawValue)) { try driver.measure(over: &bus) }
    }

    @Test(arguments: all)
    func `a chip that lost its power is noticed and recovers`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        let time = try driver.start(over: &bus)
        emulated.powerCycle()
        bus.wait(microseconds: time)
        #expect(throws: ChipError.wasReset(chip: chip.model.rawValue)) { try driver.read(over: &bus) }
        emulated.powerCycle()
        #expect(throws: ChipError.wasReset(chip: chip.model.rawValue)) { try driver.measure(over: &bus) }
        try driver.configure(over: &bus)
        let measured = try driver.measure(over: &bus)
        #expect(abs(measured.z - Self.gravity) < 0.005)
    }

    @Test(arguments: all)
    func `a chip that answers no more is an error of the bus`(chip: ChipUnderTest) throws {
        for transfers in 0..<12 {
            var bus = EmulatedBus(chips: [chip.make(SensorScene())])
            var driver = try chip.driver(on: &bus)
            bus.fault = .noAcknowledge
            bus.transfersBeforeFault = transfers
            #expect(throws: ChipError.self) {
                try driver.configure(over: &bus)
                for _ in 0..<5 { _ = try driver.measure(over: &bus) }
            }
        }
    }
}

extension AccelerometerDriver {
    mutating func measure(over bus: inout EmulatedBus) throws(ChipError) -> SIMD3<Double> {
        bus.wait(microseconds: try start(over: &bus))
        return try read(over: &bus)
    }
}

extension EmulatedBus {
    /// What was written, in order.
    var writes: [[UInt8]] {
        transcript.compactMap { transfer in
            guard case .write(_, let register, let value) = transfer else { return nil }
            return [register, value]
        }
    }
}
