import Emulation
import Hardware
import Magnetometers
import Testing

@Suite("AK8963 and AK09916") struct AKMTests {
    static let field = SIMD3(21.0, -13, -40)
    static let place = I2CAddress(0x0C)

    /// A package: the host chip and the magnetometer behind it, in one scene.
    struct Package {
        var host: any EmulatedHostChip
        var magnetometer: EmulatedAKM

        static func mpu9250(
            _ scene: SensorScene, identity: EmulatedMPU6500.Identity = .mpu9250, at address: UInt8 = 0x68
        ) -> Package {
            let host = EmulatedMPU6500(scene: scene, identity: identity, address: I2CAddress(address))
            return Package(host: host, magnetometer: EmulatedAK8963(scene: scene, host: host))
        }

        static func icm20948(_ scene: SensorScene, at address: UInt8 = 0x69) -> Package {
            let host = EmulatedICM20948(scene: scene, address: I2CAddress(address))
            return Package(host: host, magnetometer: EmulatedAK09916(scene: scene, host: host))
        }

        var bus: EmulatedBus { EmulatedBus(chips: [host, magnetometer]) }

        func powerCycle() {
            host.powerCycle()
            magnetometer.powerCycle()
        }
    }

    static func packages(_ scene: SensorScene) -> [(package: Package, model: MagnetometerModel)] {
        [
            (.mpu9250(scene), .ak8963), (.mpu9250(scene, identity: .mpu9255, at: 0x69), .ak8963),
            (.icm20948(scene), .ak09916), (.icm20948(scene, at: 0x68), .ak09916),
        ]
    }

    @Test(arguments: 0..<4) func `the magnetometer is found behind its host chip`(index: Int) throws {
        let (package, model) = Self.packages(SensorScene())[index]
        var bus = package.bus
        let found = try MagnetometerSearch().run(over: &bus)
        #expect(found.map(\.model) == [model])
        #expect(package.host.isBypassed)
    }

    @Test(arguments: 0..<4, [SIMD3<Double>(50, 0, 0), SIMD3(0, 50, 0), SIMD3(0, 0, -50), field])
    func `a magnetometer behind its host chip measures in the accelerometer's frame`(
        index: Int, field: SIMD3<Double>
    ) throws {
        let (package, _) = Self.packages(SensorScene(field: { field }))[index]
        var bus = package.bus
        var driver = try MagnetometerSearch().run(over: &bus)[0]
        try driver.configure(over: &bus)
        let reading = try driver.measure(over: &bus)
        for axis in 0..<3 { #expect(abs(reading.field[axis] - field[axis]) < 0.1) }
    }

    @Test(arguments: 0..<4) func `a package that lost power is detected, and its bypass opened again`(index: Int) throws
    {
        let (package, model) = Self.packages(SensorScene())[index]
        var bus = package.bus
        var driver = try MagnetometerSearch().run(over: &bus)[0]
        try driver.configure(over: &bus)
        let time = try driver.start(over: &bus)
        package.powerCycle()
        bus.wait(microseconds: time)
        #expect(throws: ChipError.wasReset(chip: model.rawValue)) { try driver.read(over: &bus) }
        #expect(throws: ChipError.wasReset(chip: model.rawValue)) { try driver.measure(over: &bus) }
        try driver.configure(over: &bus)
        let reading = try driver.measure(over: &bus)
        #expect(abs(reading.field.y - 20) < 0.1)
    }

    @Test(arguments: 0..<4) func `one lost answer does not change the frame`(index: Int) throws {
        for transfers in 0..<30 {
            let (package, _) = Self.packages(SensorScene(field: { Self.field }))[index]
            var bus = package.bus
            var driver = try MagnetometerSearch().run(over: &bus)[0]
            for _ in 0..<2 {
                bus.fault = .noAcknowledge
                bus.transfersBeforeFault = transfers
                bus.faultyTransfers = 1
                let isConfigured = (try? driver.configure(over: &bus)) != nil
                bus.fault = nil
                guard isConfigured else { continue }
                let reading = try driver.measure(over: &bus)
                for axis in 0..<3 { #expect(abs(reading.field[axis] - Self.field[axis]) < 0.1, "\(transfers)") }
            }
        }
    }

    @Test(arguments: 0..<4) func `a host chip held by a kernel driver is an error`(index: Int) throws {
        let (package, _) = Self.packages(SensorScene())[index]
        var bus = package.bus
        var driver = try MagnetometerSearch().run(over: &bus)[0]
        let place = try #require(package.host.addresses.first)
        bus.held[place] = "inv-mpu6050-i2c"
        let error = ChipError.bus(BusError(.busy, bus: bus.name, address: place))
        #expect(throws: error) { try driver.configure(over: &bus) }
        var other = try MagnetometerSearch().run(over: &bus)[0]
        #expect(throws: error) { try other.configure(over: &bus) }
        package.powerCycle()
        let absent = #expect(throws: ChipSearchError.self) { try MagnetometerSearch().run(over: &bus) }
        #expect(absent?.description.contains("inv-mpu6050-i2c has \(place)") == true)
    }

    @Test func `a real-time clock held by a kernel driver is not taken for a host chip`() throws {
        var bus = EmulatedBus(chips: [EmulatedAK8963(scene: SensorScene(field: { Self.field }))])
        bus.held[I2CAddress(0x68)] = "rtc-ds1307"
        var driver = try MagnetometerSearch().run(over: &bus)[0]
        try driver.configure(over: &bus)
        let reading = try driver.measure(over: &bus)
        #expect(abs(reading.field.x - 21) < 0.1)
    }

    @Test(arguments: [UInt8(0x10), 0x20, 0x30]) func `a host chip with another register bank selected is recognised`(
        bank: UInt8
    ) throws {
        let package = Package.icm20948(SensorScene(field: { Self.field }))
        let place = try #require(package.host.addresses.first)
        var bus = package.bus
        _ = package.host.write([0x7F, bank], at: place)
        var driver = try MagnetometerSearch().run(over: &bus)[0]
        _ = package.host.write([0x7F, bank], at: place)
        try driver.configure(over: &bus)
        let reading = try driver.measure(over: &bus)
        for axis in 0..<3 { #expect(abs(reading.field[axis] - Self.field[axis]) < 0.1) }
    }

    @Test func `an MPU-9250 that resembles an ICM-20948 in one register is not taken for one`() throws {
        let scene = SensorScene(field: { Self.field })
        let host = EmulatedMPU6500(scene: scene, identity: .mpu9250)
        host.gyroscopeSelfTest = [0xEA, 0x00, 0x00]
        var bus = EmulatedBus(chips: [host, EmulatedAK09916(scene: scene)])
        _ = host.write([0x0F, 0x02], at: host.address)
        var driver = try MagnetometerSearch().run(over: &bus)[0]
        try driver.configure(over: &bus)
        let reading = try driver.measure(over: &bus)
        #expect(abs(reading.field.y + 13) < 0.1)
    }

    @Test func `the host chip's own I2C master is switched off to reach the magnetometer`() throws {
        let package = Package.mpu9250(SensorScene())
        _ = package.host.write([0x6A, 0x60], at: I2CAddress(0x68))
        var bus = package.bus
        #expect(try MagnetometerSearch(model: .ak8963).run(over: &bus).count == 1)
        #expect(bus.writes.map { [$0.register, $0.value] } == [[0x6A, 0x40], [0x37, 0x02]])
    }

    @Test func `a sleeping host chip is woken to open the bypass, and put back to sleep`() throws {
        let scene = SensorScene()
        let host = EmulatedICM20948(scene: scene)
        for row: [UInt8] in [[0x06, 0x01], [0x03, 0x20], [0x06, 0x41]] { _ = host.write(row, at: host.address) }
        var bus = EmulatedBus(chips: [host, EmulatedAK09916(scene: scene, host: host)])
        #expect(try MagnetometerSearch().run(over: &bus).map(\.model) == [.ak09916])
        #expect(
            bus.writes.map { [$0.register, $0.value] } == [[0x06, 0x01], [0x03, 0x00], [0x06, 0x41], [0x0F, 0x02]])
        #expect(!host.isConverting)
    }

    @Test func `the magnetometer is found behind a host chip in low-power mode`() throws {
        let scene = SensorScene()
        let host = EmulatedICM20948(scene: scene)
        for row: [UInt8] in [[0x06, 0x01], [0x05, 0x20], [0x06, 0x29]] { _ = host.write(row, at: host.address) }
        var bus = EmulatedBus(chips: [host, EmulatedAK09916(scene: scene, host: host)])
        #expect(try MagnetometerSearch().run(over: &bus).map(\.model) == [.ak09916])
        #expect(bus.writes.map { [$0.register, $0.value] } == [[0x0F, 0x02]])
    }

    @Test func `a search that finds no match behind a host chip restores the host's settings`() throws {
        let scene = SensorScene()
        let host = EmulatedMPU6500(scene: scene, identity: .mpu9250)
        _ = host.write([0x37, 0x80], at: I2CAddress(0x68))
        _ = host.write([0x6A, 0x20], at: I2CAddress(0x68))
        let chips: [[any EmulatedChip]] = [[host], [host, EmulatedAK09916(scene: scene, host: host)]]
        for chips in chips {
            var bus = EmulatedBus(chips: chips)
            #expect(throws: ChipSearchError.self) { try MagnetometerSearch(model: .ak8963).run(over: &bus) }
            #expect(host.read(from: 0x37) == 0x80)
            #expect(host.read(from: 0x6A) == 0x20)
        }
    }

    @Test func `a magnetometer without a host chip leaves other host chips alone`() throws {
        let scene = SensorScene(field: { Self.field })
        let other = EmulatedMPU6500(scene: scene, identity: .mpu9250)
        var bus = EmulatedBus(chips: [EmulatedAK8963(scene: scene), other])
        var driver = try MagnetometerSearch().run(over: &bus)[0]
        try driver.configure(over: &bus)
        #expect(!other.isBypassed)
        let reading = try driver.measure(over: &bus)
        #expect(abs(reading.field.x - 21) < 0.1)
    }

    @Test(arguments: [[128, 128, 128], [255 - 1, 1, 128], [176, 177, 166]] as [[UInt8]])
    func `the AK8963's fuse ROM sets its scale`(adjustment: [UInt8]) throws {
        let chip = EmulatedAK8963(scene: SensorScene(field: { Self.field }))
        chip.adjustment = adjustment
        var bus = EmulatedBus(chips: [chip])
        var driver = AK8963(at: Self.place)
        try driver.configure(over: &bus)
        let reading = try driver.measure(over: &bus)
        for axis in 0..<3 { #expect(abs(reading.field[axis] - Self.field[axis]) < 0.12) }
    }

    @Test(arguments: [[0, 128, 128], [128, 128, 255]] as [[UInt8]])
    func `invalid values in the fuse ROM are an error`(adjustment: [UInt8]) throws {
        let chip = EmulatedAK8963(scene: SensorScene())
        chip.adjustment = adjustment
        var bus = EmulatedBus(chips: [chip])
        var driver = AK8963(at: Self.place)
        #expect(throws: ChipError.badTrim(chip: "ak8963")) { try driver.configure(over: &bus) }
    }

    @Test func `data left unread by another program costs only one sample`() throws {
        let chip = EmulatedAK09916(scene: SensorScene())
        var bus = EmulatedBus(chips: [chip])
        var driver = AK09916(at: Self.place)
        try driver.configure(over: &bus)
        _ = try driver.measure(over: &bus)
        _ = chip.write([0x11], at: Self.place)
        _ = chip.read(6, at: Self.place)
        #expect(throws: ChipError.self) { try driver.measure(over: &bus) }
        let reading = try driver.measure(over: &bus)
        #expect(abs(reading.field.y - 20) < 0.1)
    }

    @Test func `the IST8310, the AK8963 and the AK09916 are distinguished at one address`() throws {
        let scene = SensorScene()
        let chips: [(EmulatedRegisterChip, MagnetometerModel)] = [
            (EmulatedIST8310(scene: scene, address: Self.place), .ist8310), (EmulatedAK8963(scene: scene), .ak8963),
            (EmulatedAK09916(scene: scene), .ak09916),
        ]
        for (chip, model) in chips {
            var bus = EmulatedBus(chips: [chip])
            #expect(try MagnetometerSearch().run(over: &bus).map(\.model) == [model])
            #expect(bus.writes.isEmpty)
        }
    }
}

extension EmulatedChip {
    /// One register, past the bus.
    fileprivate func read(from register: UInt8) -> UInt8? {
        guard let address = addresses.first, write([register], at: address) else { return nil }
        return read(1, at: address)?.first
    }
}
