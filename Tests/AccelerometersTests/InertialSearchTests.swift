import Accelerometers
import Emulation
import Hardware
import Testing

@Suite("Who an inertial chip is") struct InertialSearchTests {
    @Test(arguments: InertialChip.all) func `the search finds it, without writing`(chip: InertialChip) throws {
        var bus = EmulatedBus(chips: [chip.make(SensorScene())])
        #expect(try AccelerometerSearch().run(over: &bus).map(\.model) == [chip.model])
        #expect(bus.writes.isEmpty)
    }

    @Test(arguments: InertialChip.all) func `every other driver says that it is another`(chip: InertialChip) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        for other in AccelerometerCatalogue.chips where other.model != chip.model {
            guard other.addresses.contains(emulated.address) else { continue }
            let error = #expect(throws: ChipError.self) { try other.checkIdentity(at: emulated.address, over: &bus) }
            guard case .wrongIdentity(other.name, _, _, _) = error else {
                Issue.record("\(other.name): \(String(describing: error))")
                continue
            }
        }
        #expect(bus.writes.isEmpty)
    }

    @Test func `finds each at its second address`() throws {
        let scene = SensorScene()
        let chips: [(EmulatedRegisterChip, AccelerometerModel)] = [
            (EmulatedMPU6050(scene: scene, address: I2CAddress(0x69)), .mpu6050),
            (EmulatedMPU6500(scene: scene, address: I2CAddress(0x69)), .mpu6500),
            (EmulatedICM20948(scene: scene, address: I2CAddress(0x69)), .icm20948),
            (EmulatedADXL345(scene: scene, address: I2CAddress(0x1D)), .adxl345),
        ]
        for (chip, model) in chips {
            var bus = EmulatedBus(chips: [chip])
            let found = try AccelerometerSearch().run(over: &bus)
            #expect(found.map(\.model) == [model])
            #expect(found.map(\.address) == [chip.address])
        }
    }
}
