import Emulation
import Hardware
import Magnetometers
import Testing

@Suite("BMM150") struct BMM150Tests {
    static let field = SIMD3(21.0, -13, -40)
    static let place = I2CAddress(0x10)

    @Test(arguments: [5900, 6753, 7400])
    func `the compensation removes the effect of temperature`(resistance: Int) throws {
        let chip = EmulatedBMM150(scene: SensorScene(field: { Self.field }))
        chip.resistance = resistance
        var bus = EmulatedBus(chips: [chip])
        var driver = BMM150(at: Self.place)
        try driver.configure(over: &bus)
        let reading = try driver.measure(over: &bus)
        for axis in 0..<3 { #expect(abs(reading.field[axis] - Self.field[axis]) < 0.2) }
    }

    /// Bosch's formula worked out by hand with bare numbers: 16384 × 6753 / 6900 − 16384 = −349.05.
    @Test func `the compensation gives the results of Bosch's reference code`() throws {
        let chip = EmulatedBMM150(scene: SensorScene(field: { SIMD3(100, 0, 0) }))
        var bus = EmulatedBus(chips: [chip])
        var driver = BMM150(at: Self.place)
        try driver.configure(over: &bus)
        let reading = try driver.measure(over: &bus)
        let row = try bus.read(8, from: 0x42, at: Self.place)
        let x = Double(row.signedLittleEndian(at: 0) >> 3)
        let gain = 256 - 349.05 * 29 / 16384 - 3 * 349.05 * 349.05 / 268_435_456
        #expect(abs(reading.field.x - (x * gain * 186 / 8192 + 16) / 16) < 0.001)
    }

    @Test func `trim values corrupted once on the bus are read again`() throws {
        let chip = EmulatedBMM150(scene: SensorScene(field: { Self.field }))
        chip.spoiltTrimReadings = 1
        var bus = EmulatedBus(chips: [chip])
        var driver = BMM150(at: Self.place)
        try driver.configure(over: &bus)
        let reading = try driver.measure(over: &bus)
        #expect(abs(reading.field.x - 21) < 0.2)
    }

    @Test func `trim values that never read the same twice are an error`() throws {
        let chip = EmulatedBMM150(scene: SensorScene())
        chip.spoiltTrimReadings = 10
        var bus = EmulatedBus(chips: [chip])
        var driver = BMM150(at: Self.place)
        #expect(throws: ChipError.badTrim(chip: "bmm150")) { try driver.configure(over: &bus) }
    }

    @Test func `empty trim values are an error`() throws {
        let chip = EmulatedBMM150(scene: SensorScene())
        chip.trim.xyz1 = 0
        var bus = EmulatedBus(chips: [chip])
        var driver = BMM150(at: Self.place)
        #expect(throws: ChipError.badTrim(chip: "bmm150")) { try driver.configure(over: &bus) }
    }

    @Test(arguments: [0x10, 0x11, 0x12, 0x13] as [UInt8]) func `is found in suspend mode with a single write`(
        address: UInt8
    ) throws {
        let chip = EmulatedBMM150(scene: SensorScene(), address: I2CAddress(address))
        var bus = EmulatedBus(chips: [chip])
        let found = try MagnetometerSearch().run(over: &bus)
        #expect(found.map(\.model) == [.bmm150])
        #expect(found.map(\.address) == [I2CAddress(address)])
        #expect(bus.writes.map { [$0.register, $0.value] } == [[0x4B, 0x01]])
        bus.clearTranscript()
        #expect(try MagnetometerSearch().run(over: &bus).count == 1)
        #expect(bus.writes.isEmpty)
    }

    @Test func `a write that identified another chip is undone`() throws {
        let stranger = EmulatedMMC5983MA(scene: SensorScene())
        var bus = EmulatedBus(chips: [stranger])
        #expect(throws: ChipError.wrongIdentity(chip: "bmm150", register: 0x40, expected: 0x32, found: 0)) {
            try BMM150.checkIdentity(at: I2CAddress(0x30), over: &bus)
        }
        #expect(bus.writes.map { [$0.register, $0.value] } == [[0x4B, 0x01], [0x4B, 0x00]])
    }

    @Test func `the search writes only to addresses where a BMM150 can be`() throws {
        let scene = SensorScene()
        var bus = EmulatedBus(chips: [EmulatedLIS3DH(scene: scene), EmulatedADXL345(scene: scene)])
        #expect(throws: ChipSearchError.self) { try MagnetometerSearch().run(over: &bus) }
        #expect(bus.writes.isEmpty)
    }
}
