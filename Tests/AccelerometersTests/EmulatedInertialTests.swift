import Emulation
import Hardware
import Testing

/// What the data sheets say of the chips themselves, with no driver between.
@Suite("Emulated inertial chips") struct EmulatedInertialTests {
    @Test func `the MPU-6050 starts asleep when powered, and the MPU-6500 starts running`() throws {
        let sleeper = EmulatedMPU6050(scene: SensorScene())
        let runner = EmulatedMPU6500(scene: SensorScene(), address: I2CAddress(0x69))
        let bus = EmulatedBus(chips: [sleeper, runner])
        bus.pass(microseconds: 100_000)
        #expect(sleeper.conversions == 0)
        #expect(runner.conversions > 50)
        #expect(try bus.read(1, from: 0x6B, at: sleeper.address)[0] == 0x40)
        #expect(try bus.read(1, from: 0x6B, at: runner.address)[0] == 0x01)
        #expect(try bus.read(6, from: 0x3B, at: sleeper.address).signedBigEndian(at: 4) == 0)
        #expect(try bus.read(6, from: 0x3B, at: runner.address).signedBigEndian(at: 4) == 16384)
    }

    @Test(arguments: [(UInt8(0), 16384), (1, 8192), (2, 4096), (3, 2048)])
    func `the range setting determines the scale of the readings`(code: UInt8, counts: Int) throws {
        let chip = EmulatedMPU6500(scene: SensorScene())
        let bus = EmulatedBus(chips: [chip])
        try bus.write(code << 3, to: 0x1C, at: chip.address)
        bus.pass(microseconds: 30_000)
        #expect(try bus.read(6, from: 0x3B, at: chip.address).signedBigEndian(at: 4) == counts)
    }

    @Test func `the data registers keep their values while the chip sleeps`() throws {
        var force = SIMD3(0, 0, 9.80665)
        let chip = EmulatedMPU6500(scene: SensorScene(acceleration: { force }))
        let bus = EmulatedBus(chips: [chip])
        bus.pass(microseconds: 30_000)
        try bus.write(0x41, to: 0x6B, at: chip.address)
        force.z = -9.80665
        bus.pass(microseconds: 1_000_000)
        #expect(try bus.read(6, from: 0x3B, at: chip.address).signedBigEndian(at: 4) == 16384)
    }

    @Test func `selecting an ICM-20948 bank hides the other banks, and a reset selects bank 0`() throws {
        let chip = EmulatedICM20948(scene: SensorScene())
        let (bus, place) = (EmulatedBus(chips: [chip]), chip.address)
        try bus.write(0x01, to: 0x06, at: place)
        try bus.write(0x20, to: 0x7F, at: place)
        #expect(try bus.read(1, from: 0x00, at: place)[0] == 0)
        try bus.write(0x33, to: 0x13, at: place)
        #expect(try bus.read(1, from: 0x13, at: place)[0] == 0x33)
        try bus.write(0x00, to: 0x7F, at: place)
        #expect(try bus.read(1, from: 0x00, at: place)[0] == 0xEA)
        #expect(try bus.read(1, from: 0x13, at: place)[0] == 0)
        try bus.write(0x80, to: 0x06, at: place)
        #expect(try bus.read(1, from: 0x06, at: place)[0] == 0x41)
        try bus.write(0x20, to: 0x7F, at: place)
        #expect(try bus.read(1, from: 0x13, at: place)[0] == 0)
    }

    @Test func `in low-power mode the ICM-20948 cannot select its second bank`() throws {
        let chip = EmulatedICM20948(scene: SensorScene())
        let (bus, place) = (EmulatedBus(chips: [chip]), chip.address)
        try bus.write(0x21, to: 0x06, at: place)
        try bus.write(0x20, to: 0x7F, at: place)
        try bus.write(0x33, to: 0x13, at: place)
        try bus.write(0x00, to: 0x7F, at: place)
        try bus.write(0x01, to: 0x06, at: place)
        try bus.write(0x20, to: 0x7F, at: place)
        #expect(try bus.read(1, from: 0x13, at: place)[0] == 0)
    }

    @Test func `an MPU-6050 detects no motion unless its high-pass filter is set to hold`() throws {
        var force = SIMD3(0, 0, 9.80665)
        let chip = EmulatedMPU6050(scene: SensorScene(acceleration: { force }))
        var pulses = 0
        chip.pulsed = { pulses += 1 }
        let (bus, place) = (EmulatedBus(chips: [chip]), chip.address)
        for (register, value) in [(UInt8(0x6B), UInt8(0x00)), (0x1F, 3), (0x20, 1), (0x38, 0x40)] {
            try bus.write(value, to: register, at: place)
        }
        bus.pass(microseconds: 100_000)
        force.x = 3
        bus.pass(microseconds: 100_000)
        #expect(pulses == 0)
        try bus.write(0x07, to: 0x1C, at: place)
        force.x = 0
        bus.pass(microseconds: 10_000)
        #expect(pulses > 0)
    }

    @Test func `the ADXL345 clears DATA_READY when its data is read, and sets OVERRUN for a lost sample`() throws {
        let chip = EmulatedADXL345(scene: SensorScene())
        let (bus, place) = (EmulatedBus(chips: [chip]), chip.address)
        try bus.write(0x08, to: 0x31, at: place)
        try bus.write(0x08, to: 0x2D, at: place)
        bus.pass(microseconds: 11_000)
        #expect(try bus.read(1, from: 0x30, at: place)[0] & 0x81 == 0)
        bus.pass(microseconds: 200)
        #expect(try bus.read(1, from: 0x30, at: place)[0] & 0x81 == 0x80)
        bus.pass(microseconds: 10_000)
        #expect(try bus.read(1, from: 0x30, at: place)[0] & 0x81 == 0x81)
        #expect(try bus.read(6, from: 0x32, at: place).signedLittleEndian(at: 4) == 256)
        #expect(try bus.read(1, from: 0x30, at: place)[0] & 0x81 == 0)
    }

    @Test func `the ADXL345 holds its activity pin high until the interrupt source is read`() throws {
        var force = SIMD3(0, 0, 9.80665)
        let chip = EmulatedADXL345(scene: SensorScene(acceleration: { force }))
        let (bus, place) = (EmulatedBus(chips: [chip]), chip.address)
        let setting: [(UInt8, UInt8)] = [(0x24, 4), (0x27, 0xF0), (0x2E, 0x10), (0x2D, 0x08)]
        for (register, value) in setting { try bus.write(value, to: register, at: place) }
        bus.pass(microseconds: 100_000)
        #expect(!chip.interruptLevel)
        force.y = 4
        bus.pass(microseconds: 20_000)
        force.y = 0
        bus.pass(microseconds: 100_000)
        #expect(chip.interruptLevel)
        _ = try bus.read(1, from: 0x30, at: place)
        #expect(!chip.interruptLevel)
    }
}
