import Emulation
import Hardware
import Testing

/// What the data sheets say of the chips themselves, with no driver between.
@Suite("An emulated magnetometer") struct EmulatedMagnetometerTests {
    private static func bytes(_ row: RegisterBytes) -> [UInt8] { (0..<row.count).map { row[$0] } }

    @Test(arguments: ChipUnderTest.all)
    func `a chip without power acknowledges nothing`(chip: ChipUnderTest) throws {
        let emulated = chip.make(SensorScene())
        emulated.isPresent = false
        var bus = EmulatedBus(chips: [emulated])
        #expect(throws: BusError.self) { try bus.read(from: 0, at: emulated.address) }
        #expect(throws: BusError.self) { try bus.write(0, to: 0, at: emulated.address) }
    }

    @Test func `an HMC5883L's register pointer goes from 8 to 3 and from 12 to 0`() throws {
        let bus = EmulatedBus(chips: [EmulatedHMC5883L(scene: SensorScene(field: { SIMD3(100, 0, 0) }))])
        bus.pass(microseconds: 10_000)
        let address = I2CAddress(0x1E)
        let data = Self.bytes(try bus.read(8, from: 7, at: address))
        #expect(data[2...3] == [UInt8(1090 >> 8), UInt8(1090 & 0xFF)])
        #expect(Self.bytes(try bus.read(4, from: 11, at: address)) == [0x34, 0x33, 0x10, 0x20])
    }

    @Test func `an HMC5883L takes one measurement at power-on and then sleeps`() {
        let chip = EmulatedHMC5883L(scene: SensorScene())
        let bus = EmulatedBus(chips: [chip])
        bus.pass(microseconds: 1_000_000)
        #expect(chip.conversions == 1)
        #expect(!chip.isConverting)
    }

    @Test func `an HMC5883L keeps its data until all six bytes are read`() throws {
        var field = SIMD3(100.0, 0, 0)
        let chip = EmulatedHMC5883L(scene: SensorScene(field: { field }))
        var bus = EmulatedBus(chips: [chip])
        let address = I2CAddress(0x1E)
        bus.pass(microseconds: 10_000)
        try bus.write(0, to: 2, at: address)
        _ = try bus.read(from: 3, at: address)
        #expect(try bus.read(from: 9, at: address) & 2 == 2)
        field.x = -100
        bus.pass(microseconds: 1_000_000)
        let first = try bus.read(6, from: 3, at: address)
        #expect(first.signedBigEndian(at: 0) == 1090)
        bus.pass(microseconds: 1_000_000)
        let second = try bus.read(6, from: 3, at: address)
        #expect(second.signedBigEndian(at: 0) == -1090)
    }

    @Test func `a QMC5883L clears its status when data is read, and reports lost samples`() throws {
        let chip = EmulatedQMC5883L(scene: SensorScene())
        var bus = EmulatedBus(chips: [chip])
        let address = I2CAddress(0x0D)
        try bus.write(0x01, to: 0x0B, at: address)
        try bus.write(0x1D, to: 0x09, at: address)
        bus.pass(microseconds: 5000)
        #expect(try bus.read(from: 6, at: address) == 1)
        bus.pass(microseconds: 5000)
        #expect(try bus.read(from: 6, at: address) == 5)
        _ = try bus.read(from: 0, at: address)
        #expect(try bus.read(from: 6, at: address) == 0)
    }

    @Test func `a QMC5883L in standby does not measure`() throws {
        let chip = EmulatedQMC5883L(scene: SensorScene())
        let bus = EmulatedBus(chips: [chip])
        bus.pass(microseconds: 10_000_000)
        #expect(chip.conversions == 0)
    }

    @Test func `a LIS3MDL without the auto-increment bit repeats one register`() throws {
        let bus = EmulatedBus(chips: [EmulatedLIS3MDL(scene: SensorScene())])
        let address = I2CAddress(0x1C)
        #expect(Self.bytes(try bus.read(3, from: 0x20, at: address)) == [0x10, 0x10, 0x10])
        #expect(Self.bytes(try bus.read(3, from: 0xA0, at: address)) == [0x10, 0x00, 0x03])
    }

    @Test func `a LIS2MDL in single mode with offset cancellation never finishes`() throws {
        let chip = EmulatedLIS2MDL(scene: SensorScene())
        var bus = EmulatedBus(chips: [chip])
        try bus.write(0x12, to: 0x61, at: I2CAddress(0x1E))
        try bus.write(0x81, to: 0x60, at: I2CAddress(0x1E))
        bus.pass(microseconds: 10_000_000)
        #expect(try bus.read(from: 0x67, at: I2CAddress(0x1E)) == 0)
    }

    @Test func `a LIS2MDL swaps its bytes when the BLE bit is set`() throws {
        let chip = EmulatedLIS2MDL(scene: SensorScene(field: { SIMD3(0, 150, 0) }))
        chip.bridgeOffset = SIMD3(0, 0, 0)
        let bus = EmulatedBus(chips: [chip])
        try bus.write(0x08, to: 0x62, at: I2CAddress(0x1E))
        try bus.write(0x81, to: 0x60, at: I2CAddress(0x1E))
        bus.pass(microseconds: 10_000)
        let row = try bus.read(6, from: 0x68, at: I2CAddress(0x1E))
        #expect(row.signedBigEndian(at: 2) == 1000)
    }

    @Test func `a QMC5883P returns to suspend by itself, and clears its status when it is read`() throws {
        let chip = EmulatedQMC5883P(scene: SensorScene())
        var bus = EmulatedBus(chips: [chip])
        let address = I2CAddress(0x2C)
        try bus.write(0xCE, to: 0x0A, at: address)
        bus.pass(microseconds: 1_000_000)
        #expect(chip.conversions == 1)
        #expect(try bus.read(from: 0x0A, at: address) == 0xCC)
        #expect(try bus.read(from: 0x09, at: address) == 1)
        #expect(try bus.read(from: 0x09, at: address) == 0)
    }
}
