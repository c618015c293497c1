import Accelerometers
import Emulation
import Hardware
import Testing

@Suite("The search for accelerometers") struct SearchTests {
    private static func found(
        _ chips: [any EmulatedChip], _ search: AccelerometerSearch = AccelerometerSearch()
    ) throws -> [AccelerometerModel] {
        var bus = EmulatedBus(chips: chips)
        let models = try search.run(over: &bus).map(\.model)
        #expect(bus.writes.isEmpty)
        return models
    }

    @Test func `knows a LIS3DH at either address`() throws {
        #expect(try Self.found([EmulatedLIS3DH(scene: SensorScene())]) == [.lis3dh])
        #expect(try Self.found([EmulatedLIS3DH(scene: SensorScene(), address: I2CAddress(0x19))]) == [.lis3dh])
    }

    @Test func `knows the LSM303DLHC's by its magnetometer, the LSM303AGR's by its absence`() throws {
        let scene = SensorScene()
        let package: [any EmulatedChip] = [
            EmulatedLSM303DLHCAccelerometer(scene: scene), EmulatedLSM303DLHCMagnetometer(scene: scene),
        ]
        #expect(try Self.found(package) == [.lsm303dlhc])
        let other: [any EmulatedChip] = [
            EmulatedLIS3DH(scene: scene, address: I2CAddress(0x19)), EmulatedLIS2MDL(scene: scene),
        ]
        #expect(try Self.found(other) == [.lis3dh])
    }

    @Test func `knows the LSM303DLHC's where a kernel's driver has its magnetometer`() throws {
        var bus = EmulatedBus(chips: [EmulatedLSM303DLHCAccelerometer(scene: SensorScene())])
        bus.held[I2CAddress(0x1E)] = "hmc5843_i2c"
        #expect(try AccelerometerSearch().run(over: &bus).map(\.model) == [.lsm303dlhc])
    }

    @Test func `the LSM303DLHC's magnetometer is not disturbed by the search for its accelerometer`() throws {
        let scene = SensorScene()
        let magnetometer = EmulatedLSM303DLHCMagnetometer(scene: scene)
        magnetometer.pass(microseconds: 100_000)
        let conversions = magnetometer.conversions
        _ = try Self.found([EmulatedLSM303DLHCAccelerometer(scene: scene), magnetometer])
        #expect(magnetometer.conversions == conversions)
    }

    @Test func `nobody there, and another chip there`() throws {
        #expect(
            throws: ChipSearchError.nobodyAnswers(
                kind: "lis3dh", bus: "/dev/i2c-1", tried: [I2CAddress(0x18), I2CAddress(0x19)])
        ) { try Self.found([], AccelerometerSearch(model: .lis3dh)) }
        let error = ChipError.wrongIdentity(chip: "lis3dh", register: 0x0F, expected: 0x33, found: 0x3D)
        let stranger = EmulatedLIS3MDL(scene: SensorScene(), address: I2CAddress(0x18))
        #expect(throws: ChipSearchError.chip(error)) {
            try Self.found([stranger], AccelerometerSearch(model: .lis3dh, address: I2CAddress(0x18)))
        }
    }
}
