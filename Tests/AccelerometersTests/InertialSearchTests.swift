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
            guard case .wrongIdentity(other.name, _, _, _, _) = error else {
                Issue.record("\(other.name): \(String(describing: error))")
                continue
            }
        }
        #expect(bus.writes.isEmpty)
    }

    @Test func `an ICM-20948 is found whatever a program that was ended left in it`() throws {
        for transfers in 0..<60 {
            let chip = EmulatedICM20948(scene: SensorScene())
            var bus = EmulatedBus(chips: [chip])
            var driver = ICM20948(at: chip.address)
            bus.fault = .gone
            bus.transfersBeforeFault = transfers
            try? driver.configure(over: &bus)
            try? driver.watchMotion(MotionThreshold(acceleration: 1, duration: 0), over: &bus)
            bus.fault = nil
            #expect(try AccelerometerSearch().run(over: &bus).map(\.model) == [.icm20948], "\(transfers)")
            #expect(try AccelerometerSearch(model: .icm20948).run(over: &bus).count == 1)
            try driver.configure(over: &bus)
            _ = try driver.measure(over: &bus)
        }
    }

    @Test func `a chip that is no ICM-20948 keeps what is where that has its bank`() throws {
        let chip = EmulatedMPU6050(scene: SensorScene())
        var bus = EmulatedBus(chips: [chip])
        try bus.write(0x20, to: 0x7F, at: chip.address)
        bus.clearTranscript()
        #expect(throws: ChipError.self) { try ICM20948.checkIdentity(at: chip.address, over: &bus) }
        #expect(bus.writes == [[0x7F, 0x00], [0x7F, 0x20]])
    }

    @Test(arguments: [EmulatedMPU6500.Identity.mpu6500, .mpu9250, .mpu9255])
    func `a part that holds the ICM-20948's identity in its self test is none`(
        identity: EmulatedMPU6500.Identity
    ) throws {
        let chip = EmulatedMPU6500(scene: SensorScene(), identity: identity)
        chip.gyroscopeSelfTest = [0xEA, 0x00, 0x00]
        var bus = EmulatedBus(chips: [chip])
        let model = identity == .mpu6500 ? AccelerometerModel.mpu6500 : .mpu9250
        #expect(try AccelerometerSearch().run(over: &bus).map(\.model) == [model])
        #expect(throws: ChipSearchError.self) { try AccelerometerSearch(model: .icm20948).run(over: &bus) }
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
