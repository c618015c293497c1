import Emulation
import Hardware
import Magnetometers
import Testing

@Suite("Every magnetometer") struct EveryMagnetometerTests {
    static let earth = SIMD3(18.0, -7, -43)

    @Test(
        arguments: ChipUnderTest.all,
        [
            SIMD3<Double>(50, 0, 0), SIMD3(-50, 0, 0), SIMD3(0, 50, 0), SIMD3(0, -50, 0), SIMD3(0, 0, 50),
            SIMD3(0, 0, -50), earth, SIMD3(-31, 22, 65),
        ])
    func `measures each axis with its scale and sign`(chip: ChipUnderTest, field: SIMD3<Double>) throws {
        var bus = EmulatedBus(chips: [chip.make(SensorScene(field: { field }))])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        let reading = try driver.measure(over: &bus)
        for axis in 0..<3 {
            #expect(abs(reading.field[axis] - field[axis]) <= chip.resolution * 1.001)
        }
        #expect(!reading.isSaturated)
    }

    @Test(arguments: ChipUnderTest.all)
    func `follows the field from sample to sample`(chip: ChipUnderTest) throws {
        var field = Self.earth
        var bus = EmulatedBus(chips: [chip.make(SensorScene(field: { field }))])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        for step in 0..<20 {
            field.x = Double(step) * 3 - 30
            let reading = try driver.measure(over: &bus)
            #expect(abs(reading.field.x - field.x) <= chip.resolution * 1.001)
        }
    }

    @Test(arguments: ChipUnderTest.all)
    func `sleeps after it is configured and between samples`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        #expect(!emulated.isConverting)
        for _ in 0..<3 {
            _ = try driver.measure(over: &bus)
            #expect(!emulated.isConverting)
            let conversions = emulated.conversions
            bus.pass(microseconds: 10_000_000)
            #expect(emulated.conversions == conversions)
        }
    }

    @Test(arguments: ChipUnderTest.all)
    func `says that a field beyond the range is saturated, and measures again after it`(chip: ChipUnderTest) throws {
        var field = Self.earth
        var bus = EmulatedBus(chips: [chip.make(SensorScene(field: { field }))])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        field = SIMD3(0, -chip.beyond, 0)
        let saturated = try driver.measure(over: &bus)
        #expect(saturated.isSaturated)
        field = Self.earth
        let reading = try driver.measure(over: &bus)
        #expect(!reading.isSaturated)
        #expect(abs(reading.field.z - field.z) <= 0.25)
    }

    @Test(arguments: ChipUnderTest.all)
    func `does not take an old measurement for a new one`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        emulated.isStuck = true
        #expect(throws: ChipError.notReady(chip: chip.model.rawValue)) { try driver.measure(over: &bus) }
    }

    @Test(arguments: ChipUnderTest.all)
    func `waits some more for a measurement that is late`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        _ = try driver.start(over: &bus)
        let reading = try driver.read(over: &bus)
        #expect(abs(reading.field.y - 20) <= chip.resolution * 1.001)
    }

    @Test(arguments: ChipUnderTest.all)
    func `a measurement that was given up is not taken for the next`(chip: ChipUnderTest) throws {
        var field = SIMD3(10.0, 0, 0)
        var bus = EmulatedBus(chips: [chip.make(SensorScene(field: { field }))])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        _ = try driver.start(over: &bus)
        bus.pass(microseconds: 50_000)
        field.x = -10
        _ = try driver.start(over: &bus)
        let reading = try driver.read(over: &bus)
        #expect(abs(reading.field.x + 10) <= chip.resolution * 1.001)
    }

    @Test(arguments: ChipUnderTest.all)
    func `a chip that lost its power in mid-measurement is noticed and recovers`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        let time = try driver.start(over: &bus)
        emulated.powerCycle()
        bus.wait(microseconds: time)
        #expect(throws: ChipError.wasReset(chip: chip.model.rawValue)) { try driver.read(over: &bus) }
        try driver.configure(over: &bus)
        let reading = try driver.measure(over: &bus)
        #expect(abs(reading.field.y - 20) <= chip.resolution * 1.001)
    }

    @Test(arguments: ChipUnderTest.all)
    func `a chip that lost its power between samples is noticed`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        emulated.powerCycle()
        #expect(throws: ChipError.wasReset(chip: chip.model.rawValue)) { try driver.measure(over: &bus) }
    }

    @Test(arguments: ChipUnderTest.all)
    func `a chip that answers no more is an error of the bus, wherever it falls silent`(chip: ChipUnderTest) throws {
        for transfers in 0..<30 {
            var bus = EmulatedBus(chips: [chip.make(SensorScene())])
            var driver = try chip.driver(on: &bus)
            bus.clearTranscript()
            bus.fault = .noAcknowledge
            bus.transfersBeforeFault = transfers
            #expect(throws: ChipError.self) {
                try driver.configure(over: &bus)
                for _ in 0..<20 { _ = try driver.measure(over: &bus) }
            }
            bus.fault = nil
            try driver.configure(over: &bus)
            let reading = try driver.measure(over: &bus)
            #expect(abs(reading.field.y - 20) <= chip.resolution * 1.001)
        }
    }

    @Test(arguments: ChipUnderTest.all)
    func `configures from the middle of a measurement`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        _ = try driver.start(over: &bus)
        bus.pass(microseconds: 1000)
        try driver.configure(over: &bus)
        #expect(!emulated.isConverting)
        let reading = try driver.measure(over: &bus)
        #expect(abs(reading.field.y - 20) <= chip.resolution * 1.001)
    }
}
