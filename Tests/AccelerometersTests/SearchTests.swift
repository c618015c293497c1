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

    @Test func `finds a LIS3DH at either of its addresses`() throws {
        #expect(try Self.found([EmulatedLIS3DH(scene: SensorScene())]) == [.lis3dh])
        #expect(try Self.found([EmulatedLIS3DH(scene: SensorScene(), address: I2CAddress(0x19))]) == [.lis3dh])
    }

    @Test func `tells an LSM303DLHC from an LSM303AGR by the LSM303DLHC's magnetometer`() throws {
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

    @Test func `recognises an LSM303DLHC when a kernel driver holds its magnetometer`() throws {
        var bus = EmulatedBus(chips: [EmulatedLSM303DLHCAccelerometer(scene: SensorScene())])
        bus.held[I2CAddress(0x1E)] = "hmc5843_i2c"
        #expect(try AccelerometerSearch().run(over: &bus).map(\.model) == [.lsm303dlhc])
    }

    @Test func `searching for the LSM303DLHC's accelerometer does not disturb its magnetometer`() throws {
        let scene = SensorScene()
        let magnetometer = EmulatedLSM303DLHCMagnetometer(scene: scene)
        magnetometer.pass(microseconds: 100_000)
        let conversions = magnetometer.conversions
        _ = try Self.found([EmulatedLSM303DLHCAccelerometer(scene: scene), magnetometer])
        #expect(magnetometer.conversions == conversions)
    }

    @Test func `an empty address and an address with another chip give different errors`() throws {
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

    /// An LSM303DLHC's says the same as a LIS3DH, unless its magnetometer is there.
    private static let twins: Set<AccelerometerModel> = [.lis3dh, .lsm303dlhc]

    @Test(arguments: ChipUnderTest.all.filter { $0.model != .lsm303dlhc })
    func `the search finds each chip without writing to it`(chip: ChipUnderTest) throws {
        var bus = EmulatedBus(chips: [chip.make(SensorScene())])
        #expect(try AccelerometerSearch().run(over: &bus).map(\.model) == [chip.model])
        #expect(bus.writes.isEmpty)
    }

    @Test(arguments: ChipUnderTest.all) func `every other driver reports that the chip is a different one`(
        chip: ChipUnderTest
    ) throws {
        let emulated = chip.make(SensorScene())
        var bus = EmulatedBus(chips: [emulated])
        for other in AccelerometerCatalogue.chips where other.model != chip.model {
            guard other.addresses.contains(emulated.address) else { continue }
            if Self.twins.isSuperset(of: [other.model, chip.model]) { continue }
            let error = #expect(throws: ChipError.self) { try other.checkIdentity(at: emulated.address, over: &bus) }
            guard case .wrongIdentity(other.name, _, _, _, _) = error else {
                Issue.record("\(other.name): \(String(describing: error))")
                continue
            }
        }
        #expect(bus.writes.isEmpty)
    }

    @Test func `finds an ICM-20948 in whatever state an interrupted program left it`() throws {
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

    @Test func `probing for an ICM-20948 does not change the register of another chip at its bank-select address`()
        throws
    {
        let chip = EmulatedMPU6050(scene: SensorScene())
        var bus = EmulatedBus(chips: [chip])
        try bus.write(0x20, to: 0x7F, at: chip.address)
        bus.clearTranscript()
        #expect(throws: ChipError.self) { try ICM20948.checkIdentity(at: chip.address, over: &bus) }
        #expect(bus.writes == [[0x7F, 0x00], [0x7F, 0x20]])
    }

    @Test(arguments: [EmulatedMPU6500.Identity.mpu6500, .mpu9250, .mpu9255])
    func `a part whose self-test register happens to hold the ICM-20948's identity is not taken for one`(
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

    @Test func `finds each chip at its second address`() throws {
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
