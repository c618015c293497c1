import Emulation
import Hardware
import Magnetometers
import Testing

@Suite("What a chip demands") struct ChipQuirkTests {
    @Test func `the LIS2MDL's offset and temperature compensation are enabled`() throws {
        let chip = EmulatedLIS2MDL(scene: SensorScene(field: { SIMD3(30, -30, 45) }))
        chip.bridgeOffset = SIMD3(40, 40, 40)
        chip.temperatureError = 0.2
        var bus = EmulatedBus(chips: [chip])
        var driver = LIS2MDL(at: I2CAddress(0x1E))
        try driver.configure(over: &bus)
        for _ in 0..<3 {
            let reading = try driver.measure(over: &bus)
            #expect(abs(reading.field.x - 30) <= 0.08)
            #expect(abs(reading.field.z - 45) <= 0.08)
        }
    }

    @Test func `the LIS2MDL's z axis is inverted relative to its data sheet's drawing, and x and y are not`() throws {
        var bus = EmulatedBus(chips: [EmulatedLIS2MDL(scene: SensorScene(field: { SIMD3(30, -15, 45) }))])
        var driver = LIS2MDL(at: I2CAddress(0x1E))
        try driver.configure(over: &bus)
        let reading = try driver.measure(over: &bus)
        let row = try bus.read(6, from: 0x68, at: I2CAddress(0x1E))
        let drawn = (0..<3).map { Double(row.signedLittleEndian(at: 2 * $0)) * 0.15 }
        #expect(abs(reading.field.x - drawn[0]) < 0.01)
        #expect(abs(reading.field.y - drawn[1]) < 0.01)
        #expect(abs(reading.field.z + drawn[2]) < 0.01)
        #expect(abs(reading.field.x - 30) < 0.1)
    }

    @Test func `a LIS2MDL that never reports an overrun is read by time`() throws {
        let chip = EmulatedLIS2MDL(scene: SensorScene(field: { SIMD3(30, -30, 45) }))
        chip.hidesOverrun = true
        var bus = EmulatedBus(chips: [chip])
        var driver = LIS2MDL(at: I2CAddress(0x1E))
        try driver.configure(over: &bus)
        let reading = try driver.measure(over: &bus)
        #expect(abs(reading.field.x - 30) <= 0.08)
    }

    @Test func `the LIS3MDL's data are read with the auto-increment bit set`() throws {
        var bus = EmulatedBus(chips: [EmulatedLIS3MDL(scene: SensorScene())])
        var driver = LIS3MDL(at: I2CAddress(0x1C))
        try driver.configure(over: &bus)
        bus.clearTranscript()
        _ = try driver.measure(over: &bus)
        let row = EmulatedBus.Transfer.read(I2CAddress(0x1C), register: 0xA0, count: 14)
        #expect(bus.transcript.last == row)
    }

    @Test func `the QMC5883L's status is read before its data, not together with it`() throws {
        var bus = EmulatedBus(chips: [EmulatedQMC5883L(scene: SensorScene())])
        var driver = QMC5883L(at: I2CAddress(0x0D))
        try driver.configure(over: &bus)
        _ = try driver.start(over: &bus)
        bus.pass(microseconds: 10_000)
        bus.clearTranscript()
        _ = try driver.read(over: &bus)
        #expect(bus.transcript.first == .read(I2CAddress(0x0D), register: 0x06, count: 6))
        #expect(bus.transcript.dropFirst().first == .read(I2CAddress(0x0D), register: 0x00, count: 6))
    }

    @Test func `the QMC5883P's scale is correct`() throws {
        var bus = EmulatedBus(chips: [EmulatedQMC5883P(scene: SensorScene(field: { SIMD3(0, 0, 48) }))])
        var driver = QMC5883P(at: I2CAddress(0x2C))
        try driver.configure(over: &bus)
        let reading = try driver.measure(over: &bus)
        #expect(abs(reading.field.z - 48) < 0.02)
    }
}
