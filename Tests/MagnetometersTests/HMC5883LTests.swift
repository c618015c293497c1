import Emulation
import Hardware
import Magnetometers
import Testing

@Suite("HMC5883L and LSM303DLHC") struct HMC5883LTests {
    @Test(arguments: [MagnetometerModel.hmc5883l, .lsm303dlhc])
    func `reduces its gain until the field fits, and discards the sample with the old gain`(
        model: MagnetometerModel
    ) throws {
        let chip = try #require(ChipUnderTest.of(model))
        let emulated = chip.make(SensorScene(field: { SIMD3(-600, 40, 300) }))
        var bus = EmulatedBus(chips: [emulated])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        var saturated = 0
        var reading = try driver.measure(over: &bus)
        while reading.isSaturated, saturated < 10 {
            saturated += 1
            reading = try driver.measure(over: &bus)
        }
        #expect((3...6).contains(saturated))
        #expect(abs(reading.field.x + 600) < 0.3)
        #expect(abs(reading.field.y - 40) < 0.3)
        #expect(abs(reading.field.z - 300) < 0.3)
    }

    @Test(arguments: [MagnetometerModel.hmc5883l, .lsm303dlhc])
    func `increases its gain again when the magnet is gone`(model: MagnetometerModel) throws {
        var field = SIMD3(-600.0, 40, 300)
        let chip = try #require(ChipUnderTest.of(model))
        var bus = EmulatedBus(chips: [chip.make(SensorScene(field: { field }))])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        for _ in 0..<8 { _ = try driver.measure(over: &bus) }
        field = SIMD3(18, -7.3, -43)
        for _ in 0..<8 {
            let reading = try driver.measure(over: &bus)
            #expect(!reading.isSaturated)
            #expect(abs(reading.field.y + 7.3) < 0.3)
        }
        let reading = try driver.measure(over: &bus)
        for axis in 0..<3 { #expect(abs(reading.field[axis] - field[axis]) <= chip.resolution * 1.001) }
        #expect(bus.writes.filter { $0.register == 1 }.last?.value == 0x20)
    }

    @Test func `the first measurement is discarded`() throws {
        let emulated = EmulatedHMC5883L(scene: SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        var driver = HMC5883L(at: I2CAddress(0x1E))
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        #expect(emulated.conversions == 2)
        _ = try driver.measure(over: &bus)
        #expect(emulated.conversions == 3)
    }

    @Test func `a clone with a defective status register is read by time`() throws {
        var field = SIMD3(12.0, 20, -44)
        let emulated = EmulatedHMC5883L(scene: SensorScene(field: { field }))
        emulated.hasDeadStatus = true
        var bus = EmulatedBus(chips: [emulated])
        var driver = HMC5883L(at: I2CAddress(0x1E))
        try driver.configure(over: &bus)
        for x in [12.0, -12, 30] {
            field.x = x
            let reading = try driver.measure(over: &bus)
            #expect(abs(reading.field.x - x) < 0.05)
        }
        bus.clearTranscript()
        _ = try driver.measure(over: &bus)
        #expect(bus.transcript.count == 3, "once known, its status is not asked again")
    }

    @Test func `a clone that ignores writes is refused`() throws {
        let deaf = DeafChip()
        var bus = EmulatedBus(chips: [deaf])
        var driver = try MagnetometerSearch(model: .hmc5883l).run(over: &bus)[0]
        #expect(throws: ChipError.wrongIdentity(chip: "hmc5883l", register: 0, expected: 0x70, found: 0)) {
            try driver.configure(over: &bus)
        }
    }
}

/// A QMC5883L of revision A: it answers at 0x1E with the HMC5883L's identity, and to nothing else.
private final class DeafChip: EmulatedChip {
    let addresses: Set<I2CAddress> = [I2CAddress(0x1E)]
    private var pointer = 0

    func write(_ bytes: [UInt8], at address: I2CAddress) -> Bool {
        pointer = bytes.first.map(Int.init) ?? pointer
        return true
    }

    func read(_ count: Int, at address: I2CAddress) -> [UInt8]? {
        let identity: [Int: UInt8] = [10: 0x48, 11: 0x34, 12: 0x33]
        return (0..<count).map { identity[pointer + $0] ?? 0 }
    }

    func pass(microseconds: Int) {}
    func powerCycle() {}
}
