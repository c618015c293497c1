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
        (MagnetometerModel.mmc5603, [[0x1C, 0x80], [0x1C, 0x00]] as [[UInt8]]),
        (.mmc5983ma, [[0x0A, 0x80], [0x0A, 0x00], [0x09, 0x40]]),
        (.ist8310, [[0x0B, 0x01], [0x41, 0x24], [0x42, 0xC0]]),
        (.ak8963, [[0x0B, 0x01], [0x0A, 0x1F], [0x0A, 0x10]]),
        (.ak09916, [[0x32, 0x01]]),
        (.bmm150, [[0x4B, 0x82], [0x4B, 0x01], [0x51, 0x07], [0x52, 0x1A]]),
        (.hmc5883l, [[0x02, 0x03], [0x00, 0x70], [0x01, 0x20]]),
        (.lsm303dlhc, [[0x02, 0x03], [0x00, 0x1C], [0x01, 0x20]]),
        (.qmc5883l, [[0x0A, 0x80], [0x0A, 0x01], [0x0B, 0x01], [0x09, 0x1C]]),
        (.qmc5883p, [[0x0B, 0x80], [0x0B, 0x00], [0x29, 0x06], [0x0B, 0x08], [0x0A, 0xCC]]),
        (.lis3mdl, [[0x22, 0x03], [0x20, 0x7C], [0x21, 0x00], [0x23, 0x0C], [0x24, 0x40]]),
        (.lis2mdl, [[0x60, 0x20], [0x60, 0x8F], [0x61, 0x02], [0x62, 0x10]]),
        (
            .rm3100,
            [
                [0x01, 0x00], [0x33, 0x00], [0x04, 0x00], [0x05, 0xC8], [0x06, 0x00], [0x07, 0xC8], [0x08, 0x00],
                [0x09, 0xC8],
                [0x0B, 0x92],
            ]
        ),
    ])
    func `configuration writes exactly the expected registers`(model: MagnetometerModel, expected: [[UInt8]]) throws {
        let writes = try writes(model) { driver, bus in try driver.configure(over: &bus) }
        #expect(writes == expected)
    }

    @Test(arguments: [
        (MagnetometerModel.mmc5603, [[0x1B, 0x08], [0x1B, 0x01], [0x1B, 0x10], [0x1B, 0x01]] as [[UInt8]]),
        (.mmc5983ma, [[0x09, 0x08], [0x09, 0x01], [0x09, 0x10], [0x09, 0x01]]),
        (.ist8310, [[0x0A, 0x01]]),
        (.ak8963, [[0x0A, 0x11]]),
        (.ak09916, [[0x31, 0x01]]),
        (.bmm150, [[0x4C, 0x02]]),
        (.rm3100, [[0x00, 0x70]]),
    ])
    func `the first measurement writes exactly the expected registers`(model: MagnetometerModel, expected: [[UInt8]])
        throws
    {
        let writes = try writes(model) { driver, bus in
            try driver.configure(over: &bus)
            bus.clearTranscript()
            _ = try driver.measure(over: &bus)
        }
        #expect(writes == expected)
    }

    @Test(arguments: [
        (MagnetometerModel.mmc5603, UInt8(0x00), 9), (.mmc5983ma, 0x00, 7), (.ist8310, 0x02, 7), (.ak8963, 0x02, 8),
        (.ak09916, 0x10, 9), (.bmm150, 0x42, 8), (.rm3100, 0x24, 9),
    ])
    func `the data are read in one transfer`(model: MagnetometerModel, register: UInt8, count: Int) throws {
        let chip = try #require(ChipUnderTest.of(model))
        var bus = EmulatedBus(chips: [chip.make(SensorScene())])
        var driver = try chip.driver(on: &bus)
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        bus.clearTranscript()
        _ = try driver.measure(over: &bus)
        #expect(bus.transcript.contains(.read(driver.address, register: register, count: count)))
        #expect(bus.transcript.count <= 5)
    }

    @Test(arguments: [
        (MagnetometerModel.hmc5883l, [[0x02, 0x01]] as [[UInt8]]),
        (.lsm303dlhc, [[0x02, 0x01]]),
        (.qmc5883l, [[0x09, 0x1D], [0x09, 0x1C]]),
        (.qmc5883p, [[0x0A, 0xCE]]),
        (.lis3mdl, [[0x22, 0x01]]),
        (.lis2mdl, [[0x60, 0x8C], [0x60, 0x8F]]),
    ])
    func `a further measurement writes exactly the expected registers`(model: MagnetometerModel, expected: [[UInt8]])
        throws
    {
        let writes = try writes(model) { driver, bus in
            try driver.configure(over: &bus)
            _ = try driver.measure(over: &bus)
            bus.clearTranscript()
            _ = try driver.measure(over: &bus)
        }
        #expect(writes == expected)
    }
}
