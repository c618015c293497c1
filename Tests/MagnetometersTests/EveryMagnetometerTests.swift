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
        #expect(chip.agrees(reading, with: field), "\(reading)")
    }

    @Test(arguments: ChipUnderTest.all.filter { $0.beyond > 600 })
    func `measures a strong field`(chip: ChipUnderTest) throws {
        let field = SIMD3<Double>(-310, 220, 450)
        var bus = EmulatedBus(chips: [chip.make(SensorScene(field: { field }))])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        let reading = try driver.measure(over: &bus)
        #expect(chip.agrees(reading, with: field), "\(reading)")
    }

    @Test(arguments: ChipUnderTest.all)
    func `follows the field from sample to sample`(chip: ChipUnderTest) throws {
        var field = Self.earth
        var bus = EmulatedBus(chips: [chip.make(SensorScene(field: { field }))])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        for step in 0..<120 {
            field.x = Double(step) * 0.7 - 40
            let reading = try driver.measure(over: &bus)
            #expect(chip.agrees(reading, with: field), "\(step): \(reading)")
        }
    }

    @Test(arguments: ChipUnderTest.all)
    func `sleeps after configuration and between samples`(chip: ChipUnderTest) throws {
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

    @Test(arguments: ChipUnderTest.all, [SIMD3<Double>(1, 0, 0), SIMD3(0, -1, 0), SIMD3(0, 0, 1), SIMD3(0, 0, -1)])
    func `reports a field beyond the range as saturated, and measures again after it`(
        chip: ChipUnderTest, direction: SIMD3<Double>
    ) throws {
        var field = Self.earth
        var bus = EmulatedBus(chips: [chip.make(SensorScene(field: { field }))])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        let before = try driver.measure(over: &bus)
        #expect(chip.agrees(before, with: field))
        field = direction * chip.beyond
        let saturated = try driver.measure(over: &bus)
        #expect(saturated.isSaturated)
        field = Self.earth
        let reading = try driver.measure(over: &bus)
        // An HMC5883L has its coarsest gain by now.
        #expect(chip.agrees(reading, with: field, within: 0.25))
    }

    @Test(arguments: ChipUnderTest.all)
    func `does not report an old measurement as a new one`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        emulated.isStuck = true
        #expect(throws: ChipError.notReady(chip: chip.model.rawValue)) { try driver.measure(over: &bus) }
        emulated.isStuck = false
        bus.pass(microseconds: 100_000)
        let reading = try driver.measure(over: &bus)
        #expect(chip.agrees(reading, with: SIMD3(0, 20, -44)))
    }

    @Test(arguments: ChipUnderTest.all)
    func `waits longer for a measurement that is late`(chip: ChipUnderTest) throws {
        var bus = EmulatedBus(chips: [chip.make(SensorScene())])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        _ = try driver.start(over: &bus)
        let reading = try driver.read(over: &bus)
        #expect(chip.agrees(reading, with: SIMD3(0, 20, -44)))
    }

    @Test(arguments: ChipUnderTest.all)
    func `an abandoned measurement is not reported as the next one`(chip: ChipUnderTest) throws {
        var field = SIMD3(10.0, 0, 0)
        var bus = EmulatedBus(chips: [chip.make(SensorScene(field: { field }))])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        _ = try driver.start(over: &bus)
        bus.pass(microseconds: 50_000)
        field.x = -10
        let reading = try driver.measure(over: &bus)
        #expect(chip.agrees(reading, with: field))
    }

    @Test(arguments: ChipUnderTest.all.filter(\.forgetsAtStart))
    func `an abandoned measurement is not reported as one that is late`(chip: ChipUnderTest) throws {
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
        #expect(chip.agrees(reading, with: field))
    }

    @Test(arguments: ChipUnderTest.all)
    func `a chip that lost power during a measurement is detected and recovers`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        let time = try driver.start(over: &bus)
        emulated.powerCycle()
        bus.wait(microseconds: time)
        // MEMSIC's chips have no register that would tell of it.
        let isSilent = chip.model == .mmc5603 || chip.model == .mmc5983ma
        let name = chip.model.rawValue
        #expect(throws: isSilent ? ChipError.notReady(chip: name) : .wasReset(chip: name)) {
            try driver.read(over: &bus)
        }
        try driver.configure(over: &bus)
        let reading = try driver.measure(over: &bus)
        #expect(chip.agrees(reading, with: SIMD3(0, 20, -44)))
    }

    @Test(arguments: ChipUnderTest.all)
    func `a chip that lost power between samples is detected if it lost settings`(
        chip: ChipUnderTest
    ) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        emulated.powerCycle()
        if chip.isConfigured {
            #expect(throws: ChipError.wasReset(chip: chip.model.rawValue)) { try driver.measure(over: &bus) }
            try driver.configure(over: &bus)
        }
        let reading = try driver.measure(over: &bus)
        #expect(chip.agrees(reading, with: SIMD3(0, 20, -44)))
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
                for _ in 0..<40 { _ = try driver.measure(over: &bus) }
            }
            #expect(error == .bus(BusError(.noAcknowledge, bus: bus.name, address: driver.address)))
            bus.fault = nil
            try driver.configure(over: &bus)
            let reading = try driver.measure(over: &bus)
            #expect(chip.agrees(reading, with: SIMD3(0, 20, -44)), "\(transfers)")
        }
    }

    /// What others may have left in a chip: continuous measurement, other ranges, half a row read.
    static let disturbances: [MagnetometerModel: [[UInt8]]] = [
        .hmc5883l: [[0x00, 0x18], [0x01, 0xE0], [0x02, 0x00]],
        .lsm303dlhc: [[0x00, 0x98], [0x01, 0xE0], [0x02, 0x00]],
        .qmc5883l: [[0x0A, 0x40], [0x0B, 0x00], [0x09, 0x11]],
        .qmc5883p: [[0x0B, 0x0C], [0x29, 0x00], [0x0A, 0x01]],
        .lis3mdl: [[0x21, 0x60], [0x23, 0x02], [0x24, 0x80], [0x20, 0x02], [0x22, 0x00]],
        .lis2mdl: [[0x61, 0x10], [0x62, 0x08], [0x60, 0x00]],
        .mmc5603: [[0x1A, 100], [0x1C, 0x03], [0x1B, 0xA1], [0x1D, 0x10]],
        .mmc5983ma: [[0x0A, 0x03], [0x0B, 0x0D], [0x09, 0x21]],
        .ist8310: [[0x41, 0x1B], [0x42, 0x40], [0x0D, 0x70], [0x0A, 0x01]],
        .ak8963: [[0x0A, 0x00], [0x0A, 0x01], [0x0A, 0x0F]],
        .ak09916: [[0x31, 0x01], [0x31, 0x08]],
        .bmm150: [[0x4B, 0x01], [0x51, 0x00], [0x52, 0x00], [0x4C, 0x02]],
        .rm3100: [[0x05, 50], [0x07, 100], [0x08, 0x01], [0x0B, 0x94], [0x33, 0x8F], [0x01, 0x71]],
    ]

    @Test(arguments: ChipUnderTest.all)
    func `configures the chip from whatever state another program left it in`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        for row in try #require(Self.disturbances[chip.model]) {
            _ = emulated.write(row, at: emulated.address)
            bus.pass(microseconds: 1500)
        }
        _ = emulated.write([0x04], at: emulated.address)
        _ = emulated.read(1, at: emulated.address)
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        #expect(!emulated.isConverting)
        for _ in 0..<2 {
            let reading = try driver.measure(over: &bus)
            #expect(chip.agrees(reading, with: SIMD3(0, 20, -44)))
        }
    }

    @Test(arguments: ChipUnderTest.all)
    func `configures the chip in the middle of a measurement`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        _ = try driver.start(over: &bus)
        bus.pass(microseconds: 1000)
        try driver.configure(over: &bus)
        #expect(!emulated.isConverting)
        let reading = try driver.measure(over: &bus)
        #expect(chip.agrees(reading, with: SIMD3(0, 20, -44)))
    }
}
