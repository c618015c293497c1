import Emulation
import Hardware
import Magnetometers
import Testing

/// What each driver writes, as the data sheets' registers give it.
@Suite("What a driver writes") struct StartUpTests {
    private func writes(
        _ model: MagnetometerModel, _ act: (inout any MagnetometerDriver, inout EmulatedBus) throws -> Void
    ) throws -> [[UInt8]] {
        let chip = try #require(ChipUnderTest.of(model))
        var bus = EmulatedBus(chips: [chip.make(SensorScene())])
        var driver = try chip.driver(on: &bus)
        bus.clearTranscript()
        try act(&driver, &bus)
        return bus.writes.map { [$0.register, $0.value] }
    }

    @Test(arguments: [
        (MagnetometerModel.hmc5883l, [[0x02, 0x03], [0x00, 0x70], [0x01, 0x20]] as [[UInt8]]),
        (.lsm303dlhc, [[0x02, 0x03], [0x00, 0x1C], [0x01, 0x20]]),
        (.qmc5883l, [[0x0A, 0x80], [0x0A, 0x01], [0x0B, 0x01], [0x09, 0x1C]]),
        (.qmc5883p, [[0x0B, 0x80], [0x0B, 0x00], [0x29, 0x06], [0x0B, 0x08], [0x0A, 0xCC]]),
        (.lis3mdl, [[0x22, 0x03], [0x20, 0x7C], [0x21, 0x00], [0x23, 0x0C], [0x24, 0x40]]),
        (.lis2mdl, [[0x60, 0x20], [0x60, 0x8F], [0x61, 0x02], [0x62, 0x10]]),
    ])
    func `configures`(model: MagnetometerModel, expected: [[UInt8]]) throws {
        let writes = try writes(model) { driver, bus in try driver.configure(over: &bus) }
        #expect(writes == expected)
    }

    @Test(arguments: [
        (MagnetometerModel.hmc5883l, [[0x02, 0x01]] as [[UInt8]]),
        (.lsm303dlhc, [[0x02, 0x01]]),
        (.qmc5883l, [[0x09, 0x1D], [0x09, 0x1C]]),
        (.qmc5883p, [[0x0A, 0xCE]]),
        (.lis3mdl, [[0x22, 0x01]]),
        (.lis2mdl, [[0x60, 0x8C], [0x60, 0x8F]]),
    ])
    func `measures once`(model: MagnetometerModel, expected: [[UInt8]]) throws {
        let writes = try writes(model) { driver, bus in
            try driver.configure(over: &bus)
            _ = try driver.measure(over: &bus)
            bus.clearTranscript()
            _ = try driver.measure(over: &bus)
        }
        #expect(writes == expected)
    }
}
