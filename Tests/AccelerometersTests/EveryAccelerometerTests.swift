import Accelerometers
import Emulation
import Hardware
import Testing

@Suite("Every accelerometer") struct EveryAccelerometerTests {
    static let gravity = ChipUnderTest.gravity
    static let rest = SIMD3(0, 0, gravity)

    @Test(
        arguments: ChipUnderTest.all,
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
        #expect(chip.agrees(measured, with: force), "\(measured)")
    }

    @Test(arguments: ChipUnderTest.all)
    func `sleeps after it is configured and between samples`(chip: ChipUnderTest) throws {
        var force = Self.rest
        let emulated = chip.make(SensorScene(acceleration: { force }))
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        #expect(!emulated.isConverting)
        for step in 1...3 {
            force.x = Double(step)
            let measured = try driver.measure(over: &bus)
            #expect(chip.agrees(measured, with: force))
            #expect(!emulated.isConverting)
            let conversions = emulated.conversions
            bus.pass(microseconds: 10_000_000)
            #expect(emulated.conversions == conversions)
        }
    }

    @Test(arguments: ChipUnderTest.all) func `data that never becomes ready is an error`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        emulated.isStuck = true
        #expect(throws: ChipError.notReady(chip: chip.model.rawValue)) { try driver.measure(over: &bus) }
    }

    @Test(arguments: ChipUnderTest.all.filter(\.marksData))
    func `does not report an old measurement as a new one`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        emulated.isStuck = true
        #expect(throws: ChipError.notReady(chip: chip.model.rawValue)) { try driver.measure(over: &bus) }
    }

    @Test(arguments: ChipUnderTest.all.filter(\.marksData))
    func `an abandoned measurement is not reported as the next one`(chip: ChipUnderTest) throws {
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

    @Test(arguments: ChipUnderTest.all.filter { $0.marksData && $0.isSettledAtFirst })
    func `waits longer for a measurement that is late`(chip: ChipUnderTest) throws {
        var bus = EmulatedBus(chips: [chip.make(SensorScene())])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        _ = try driver.start(over: &bus)
        let measured = try driver.read(over: &bus)
        #expect(chip.agrees(measured, with: Self.rest))
    }

    @Test(arguments: ChipUnderTest.all)
    func `detects that the chip lost power, and recovers`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        let time = try driver.start(over: &bus)
        emulated.powerCycle()
        bus.wait(microseconds: time)
        #expect(throws: ChipError.wasReset(chip: chip.model.rawValue)) { try driver.read(over: &bus) }
        try driver.configure(over: &bus)
        let measured = try driver.measure(over: &bus)
        #expect(chip.agrees(measured, with: Self.rest))
    }

    @Test(arguments: ChipUnderTest.all)
    func `a chip that stops answering at any transfer causes a bus error`(chip: ChipUnderTest) throws {
        for transfers in 0..<40 {
            var bus = EmulatedBus(chips: [chip.make(SensorScene())])
            var driver = try chip.driver(on: &bus)
            bus.fault = .noAcknowledge
            bus.transfersBeforeFault = transfers
            let error = #expect(throws: ChipError.self) {
                try driver.configure(over: &bus)
                try driver.watchMotion(MotionThreshold(acceleration: 1, duration: 1), over: &bus)
                for _ in 0..<40 { _ = try driver.measure(over: &bus) }
            }
            #expect(error == .bus(BusError(.noAcknowledge, bus: bus.name, address: driver.address)))
            bus.fault = nil
            try driver.configure(over: &bus)
            let measured = try driver.measure(over: &bus)
            #expect(chip.agrees(measured, with: Self.rest), "\(transfers)")
        }
    }

    @Test(arguments: ChipUnderTest.all)
    func `configures the chip from whatever state another program left it in`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        try chip.disturb(emulated)
        bus.pass(microseconds: 1500)
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        #expect(!emulated.isConverting)
        for _ in 0..<2 {
            let measured = try driver.measure(over: &bus)
            #expect(chip.agrees(measured, with: Self.rest))
        }
    }

    @Test(arguments: ChipUnderTest.all) func `configures the chip in the middle of a motion watch`(chip: ChipUnderTest)
        throws
    {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        var first = try chip.driver(on: &bus)
        try first.watchMotion(MotionThreshold(acceleration: 1, duration: 0), over: &bus)
        bus.pass(microseconds: 1_000_000)
        var second = try chip.driver(on: &bus)
        try second.configure(over: &bus)
        #expect(!emulated.isConverting)
        let measured = try second.measure(over: &bus)
        #expect(chip.agrees(measured, with: Self.rest))
    }

    @Test(arguments: [
        (
            0,
            [
                [0x6B, 0x08], [0x38, 0x00], [0x6A, 0x00], [0x6C, 0x07], [0x19, 0x00], [0x1A, 0x03], [0x1C, 0x00],
                [0x6B, 0x48], [0x6B, 0x08], [0x6B, 0x48],
            ] as [[UInt8]]
        ),
        (
            2,
            [
                [0x6B, 0x08], [0x38, 0x00], [0x69, 0x00], [0x6A, 0x00], [0x6C, 0x07], [0x19, 0x00], [0x1C, 0x00],
                [0x1D, 0x03], [0x6B, 0x48], [0x6B, 0x08], [0x6B, 0x48],
            ]
        ),
        (
            4,
            [
                [0x06, 0x09], [0x10, 0x00], [0x11, 0x00], [0x12, 0x00], [0x13, 0x00], [0x03, 0x00], [0x05, 0x00],
                [0x07, 0x07], [0x7F, 0x20], [0x10, 0x00], [0x11, 0x00], [0x12, 0x00], [0x14, 0x19], [0x7F, 0x00],
                [0x06, 0x49], [0x06, 0x09], [0x06, 0x49],
            ]
        ),
        (
            5,
            [
                [0x2D, 0x00], [0x2E, 0x00], [0x1E, 0x00], [0x1F, 0x00], [0x20, 0x00], [0x2C, 0x0A], [0x31, 0x0B],
                [0x38, 0x00], [0x2D, 0x08], [0x2D, 0x00],
            ]
        ),
        (
            6,
            [
                [0x30, 0x00], [0x20, 0x00], [0x21, 0x00], [0x22, 0x00], [0x23, 0x88], [0x24, 0x00], [0x25, 0x00],
                [0x20, 0x77], [0x20, 0x00],
            ]
        ),
        (
            7,
            [
                [0x30, 0x00], [0x20, 0x00], [0x21, 0x00], [0x22, 0x00], [0x23, 0x88], [0x24, 0x00], [0x25, 0x00],
                [0x20, 0x77], [0x20, 0x00],
            ]
        ),
    ])
    func `configuration writes exactly the expected registers`(index: Int, expected: [[UInt8]]) throws {
        let chip = ChipUnderTest.all[index]
        var bus = EmulatedBus(chips: [chip.make(SensorScene())])
        var driver = try chip.driver(on: &bus)
        bus.clearTranscript()
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        #expect(bus.writes == expected)
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
