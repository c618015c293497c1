import Emulation
import Hardware
import Magnetometers
import Testing

@Suite("A bridge whose sense can be turned") struct SetResetTests {
    static let field = SIMD3(21.0, -13, -40)

    @Test(arguments: [true, false], [SetResetPolarity.afterSet, .afterReset])
    func `the MMC5603's polarity setting determines the sign`(isAlignedAfterSet: Bool, polarity: SetResetPolarity)
        throws
    {
        let scene = SensorScene(field: { Self.field })
        var bus = EmulatedBus(chips: [EmulatedMMC5603(scene: scene, isAlignedAfterSet: isAlignedAfterSet)])
        var driver = MMC5603(at: I2CAddress(0x30))
        driver.polarity = polarity
        try driver.configure(over: &bus)
        let sign = (polarity == .afterSet) == isAlignedAfterSet ? 1.0 : -1.0
        for _ in 0..<60 {
            let reading = try driver.measure(over: &bus)
            #expect(abs(reading.field.x - sign * 21) < 0.01)
            #expect(abs(reading.field.z + sign * 40) < 0.01)
        }
    }

    @Test(arguments: [true, false], [SetResetPolarity.afterSet, .afterReset])
    func `the MMC5983MA's polarity setting determines the sign`(isAlignedAfterSet: Bool, polarity: SetResetPolarity)
        throws
    {
        let scene = SensorScene(field: { Self.field })
        var bus = EmulatedBus(chips: [EmulatedMMC5983MA(scene: scene, isAlignedAfterSet: isAlignedAfterSet)])
        var driver = MMC5983MA(at: I2CAddress(0x30))
        driver.polarity = polarity
        try driver.configure(over: &bus)
        let sign = (polarity == .afterSet) == isAlignedAfterSet ? 1.0 : -1.0
        for _ in 0..<60 {
            let reading = try driver.measure(over: &bus)
            #expect(abs(reading.field.x - sign * 21) < 0.01)
            #expect(abs(reading.field.z + sign * 40) < 0.01)
        }
    }

    @Test func `by default both chips are aligned after RESET`() {
        #expect(MMC5603(at: I2CAddress(0x30)).polarity == .afterReset)
        #expect(MMC5983MA(at: I2CAddress(0x30)).polarity == .afterReset)
    }

    @Test(arguments: [SIMD3<Double>(0, 0, 0), SIMD3(150, -90, 60)])
    func `a drifting offset is measured again within fifty samples`(offset: SIMD3<Double>) throws {
        let chip = EmulatedMMC5983MA(scene: SensorScene(field: { Self.field }))
        chip.bridgeOffset = offset
        var bus = EmulatedBus(chips: [chip])
        var driver = MMC5983MA(at: I2CAddress(0x30))
        try driver.configure(over: &bus)
        let first = try driver.measure(over: &bus)
        #expect(abs(first.field.y + 13) < 0.01)
        chip.bridgeOffset.y += 8
        var errors: [Double] = []
        for _ in 0..<50 { errors.append(try driver.measure(over: &bus).field.y + 13) }
        #expect(errors.allSatisfy { abs($0 - 8) < 0.02 || abs($0) < 0.02 })
        #expect(abs(errors[49]) < 0.02)
        #expect(errors.filter { abs($0) < 0.02 }.count == 1)
    }

    @Test(arguments: [MagnetometerModel.mmc5603, .mmc5983ma])
    func `the offset is measured again after a pause`(model: MagnetometerModel) throws {
        let chip = model == .mmc5603 ? EmulatedMMC5603(scene: SensorScene()) : EmulatedMMC5983MA(scene: SensorScene())
        var bus = EmulatedBus(chips: [chip])
        var driver = try MagnetometerSearch(model: model).run(over: &bus)[0]
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        chip.bridgeOffset.y += 8
        driver.paused()
        let reading = try driver.measure(over: &bus)
        #expect(abs(reading.field.y - 20) < 0.02)
    }

    @Test(arguments: MagnetometerModel.allCases.filter { $0 != .mmc5603 && $0 != .mmc5983ma })
    func `a pause has no effect on a chip without set and reset`(model: MagnetometerModel) throws {
        let make = try #require(ChipUnderTest.of(model)?.make)
        var bus = EmulatedBus(chips: [make(SensorScene())])
        var driver = try MagnetometerSearch(model: model, polarity: .afterSet).run(over: &bus)[0]
        try driver.configure(over: &bus)
        let before = try driver.measure(over: &bus)
        driver.paused()
        #expect(try driver.measure(over: &bus) == before)
        #expect(!model.hasPolarity)
    }

    @Test(arguments: [MagnetometerModel.mmc5603, .mmc5983ma], SetResetPolarity.allCases)
    func `the polarity can be given to a search`(model: MagnetometerModel, polarity: SetResetPolarity) throws {
        let scene = SensorScene(field: { Self.field })
        let isSet = polarity == .afterSet
        var bus = EmulatedBus(chips: [
            model == .mmc5603
                ? EmulatedMMC5603(scene: scene, isAlignedAfterSet: isSet)
                : EmulatedMMC5983MA(scene: scene, isAlignedAfterSet: isSet)
        ])
        var driver = try MagnetometerSearch(polarity: polarity).run(over: &bus)[0]
        try driver.configure(over: &bus)
        let reading = try driver.measure(over: &bus)
        #expect(abs(reading.field.x - 21) < 0.01)
        #expect(model.hasPolarity)
        #expect(SetResetPolarity(rawValue: isSet ? "afterSet" : "afterReset") == polarity)
    }

    @Test func `the pulse that restores the polarity comes before the measurement that is used`() throws {
        var bus = EmulatedBus(chips: [EmulatedMMC5603(scene: SensorScene(field: { Self.field }))])
        var driver = MMC5603(at: I2CAddress(0x30))
        try driver.configure(over: &bus)
        let place = I2CAddress(0x30)
        bus.clearTranscript()
        _ = try driver.start(over: &bus)
        #expect(
            bus.transcript == [
                .write(place, register: 0x1B, value: 0x08), .wait(microseconds: 1000),
                .write(place, register: 0x1B, value: 0x01), .wait(microseconds: 8000),
                .read(place, register: 0x18, count: 1), .read(place, register: 0x00, count: 9),
                .write(place, register: 0x1B, value: 0x10), .wait(microseconds: 1000),
                .write(place, register: 0x1B, value: 0x01),
            ])
    }

    @Test func `a polarity flipped by a strong magnet is restored with the next sample`() throws {
        var field = Self.field
        let chip = EmulatedMMC5603(scene: SensorScene(field: { field }))
        var bus = EmulatedBus(chips: [chip])
        var driver = MMC5603(at: I2CAddress(0x30))
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        field = SIMD3(0, 6000, 0)
        for _ in 0..<3 { #expect(try driver.measure(over: &bus).isSaturated) }
        field = Self.field
        let reading = try driver.measure(over: &bus)
        #expect(!reading.isSaturated)
        #expect(abs(reading.field.x - 21) < 0.01)
    }

    @Test func `an MMC5983MA whose trim cannot be loaded is an error`() throws {
        let chip = EmulatedMMC5983MA(scene: SensorScene())
        chip.hasBadTrim = true
        var bus = EmulatedBus(chips: [chip])
        var driver = MMC5983MA(at: I2CAddress(0x30))
        #expect(throws: ChipError.badTrim(chip: "mmc5983ma")) { try driver.configure(over: &bus) }
    }
}
