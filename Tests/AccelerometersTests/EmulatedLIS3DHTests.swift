import Emulation
import Hardware
import Testing

/// What the data sheet says of the chip itself, with no driver between.
@Suite("An emulated LIS3DH") struct EmulatedLIS3DHTests {
    private let address = I2CAddress(0x18)

    /// A chip whose interrupt watches all axes over 160 mg, at 100 Hz, through the high-pass filter.
    private func watching(_ scene: SensorScene, latched: Bool) throws -> (EmulatedLIS3DH, EmulatedBus) {
        let chip = EmulatedLIS3DH(scene: scene)
        var bus = EmulatedBus(chips: [chip])
        try bus.write(0x57, to: 0x20, at: address)
        try bus.write(0x01, to: 0x21, at: address)
        try bus.write(0x40, to: 0x22, at: address)
        try bus.write(latched ? 0x08 : 0x00, to: 0x24, at: address)
        try bus.write(10, to: 0x32, at: address)
        _ = try bus.read(from: 0x26, at: address)
        try bus.write(0x2A, to: 0x30, at: address)
        return (chip, bus)
    }

    @Test func `a latched interrupt stays until its source is read, and an unlatched one ends with the motion`() throws
    {
        for latched in [false, true] {
            var force = SIMD3(0, 0, 9.80665)
            let scene = SensorScene(acceleration: { force })
            let (chip, held) = try watching(scene, latched: latched)
            var bus = held
            bus.pass(microseconds: 500_000)
            #expect(!chip.interruptLevel)
            force.x = 4
            bus.pass(microseconds: 20_000)
            #expect(chip.interruptLevel)
            force.x = 0
            bus.pass(microseconds: 500_000)
            #expect(chip.interruptLevel == latched)
            _ = try bus.read(from: 0x31, at: address)
            #expect(!chip.interruptLevel)
        }
    }

    @Test func `gravity alone triggers the interrupt when the high-pass filter is off`() throws {
        let (chip, bus) = try watching(SensorScene(), latched: false)
        try bus.write(0x00, to: 0x21, at: address)
        bus.pass(microseconds: 20_000)
        #expect(chip.interruptLevel)
    }

    @Test func `the first samples in high-resolution mode have not settled`() throws {
        let chip = EmulatedLIS3DH(scene: SensorScene())
        let bus = EmulatedBus(chips: [chip])
        try bus.write(0x88, to: 0x23, at: address)
        try bus.write(0x77, to: 0x20, at: address)
        bus.pass(microseconds: 2500)
        let first = try bus.read(6, from: 0xA8, at: address)
        bus.pass(microseconds: 20_000)
        let settled = try bus.read(6, from: 0xA8, at: address)
        #expect(first.signedLittleEndian(at: 4) >> 4 < 500)
        #expect(settled.signedLittleEndian(at: 4) >> 4 == 1000)
    }

    @Test func `starts in power-down mode`() {
        let chip = EmulatedLIS3DH(scene: SensorScene())
        let bus = EmulatedBus(chips: [chip])
        bus.pass(microseconds: 10_000_000)
        #expect(chip.conversions == 0)
    }
}
