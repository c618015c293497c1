import Emulation
import Hardware
import Magnetometers
import Testing

@Suite("The search for magnetometers") struct SearchTests {
    private static func found(_ chips: [any EmulatedChip], _ search: MagnetometerSearch = MagnetometerSearch()) throws
        -> [MagnetometerModel]
    {
        var bus = EmulatedBus(chips: chips)
        return try search.run(over: &bus).map(\.model)
    }

    /// Every emulated magnetometer, at every address that it can have.
    typealias Candidate = (model: MagnetometerModel, make: @Sendable () -> EmulatedRegisterChip)

    static let everyone: [Candidate] = {
        var all: [Candidate] = []
        for chip in ChipUnderTest.all { all.append((chip.model, { chip.make(SensorScene()) })) }
        for address: UInt8 in [0x0C, 0x0D] {
            all.append((.ist8310, { EmulatedIST8310(scene: SensorScene(), address: I2CAddress(address)) }))
        }
        for address: UInt8 in [0x0D, 0x0E] {
            all.append((.ak8963, { EmulatedAK8963(scene: SensorScene(), address: I2CAddress(address)) }))
        }
        all.append((.rm3100, { EmulatedRM3100(scene: SensorScene(), address: I2CAddress(0x23)) }))
        return all
    }()

    /// All but the LSM303DLHC, which says the same as an HMC5883L unless its accelerometer is there.
    @Test(arguments: everyone.indices.filter { everyone[$0].model != .lsm303dlhc })
    func `the search finds each chip and no other`(index: Int) throws {
        let (model, make) = Self.everyone[index]
        let chip = make()
        var bus = EmulatedBus(chips: [chip])
        // Where expanders may be it is asked by name only.
        let found = try MagnetometerSearch(model: model == .rm3100 ? .rm3100 : nil).run(over: &bus)
        #expect(found.map(\.model) == [model])
        #expect(found.map(\.address) == [chip.address])
        if model != .bmm150 { #expect(bus.writes.isEmpty) }
    }

    @Test(arguments: everyone.indices) func `every other driver reports that the chip is a different one`(index: Int)
        throws
    {
        let (model, make) = Self.everyone[index]
        let twins: Set<MagnetometerModel> = [.hmc5883l, .lsm303dlhc]
        for other in MagnetometerCatalogue.chips where other.model != model {
            if twins.contains(model), twins.contains(other.model) { continue }
            let chip = make()
            guard other.addresses.contains(chip.address) else { continue }
            var bus = EmulatedBus(chips: [chip])
            let error = #expect(throws: ChipError.self) { try other.checkIdentity(at: chip.address, over: &bus) }
            guard case .wrongIdentity(other.name, _, _, _, _) = error else {
                Issue.record("\(other.name): \(String(describing: error))")
                continue
            }
            #expect(bus.writes.isEmpty)
        }
    }

    @Test func `on a bus full of magnetometers the search returns those identified by reading alone`() throws {
        let scene = SensorScene()
        let host = EmulatedICM20948(scene: scene)
        var bus = EmulatedBus(chips: [
            host, EmulatedAK09916(scene: scene, host: host), EmulatedBMM150(scene: scene),
            EmulatedRM3100(scene: scene), EmulatedMMC5983MA(scene: scene), EmulatedIST8310(scene: scene),
            EmulatedQMC5883P(scene: scene), EmulatedLIS2MDL(scene: scene), EmulatedQMC5883L(scene: scene),
        ])
        let found = try MagnetometerSearch().run(over: &bus).map(\.model)
        #expect(found == [.lis2mdl, .qmc5883l, .qmc5883p, .mmc5983ma, .ist8310])
    }

    @Test func `recognises an LSM303DLHC by its accelerometer`() throws {
        let scene = SensorScene()
        let chips: [any EmulatedChip] = [
            EmulatedLSM303DLHCMagnetometer(scene: scene), EmulatedLSM303DLHCAccelerometer(scene: scene),
        ]
        #expect(try Self.found(chips) == [.lsm303dlhc])
        #expect(try Self.found([EmulatedLSM303DLHCMagnetometer(scene: scene)]) == [.hmc5883l])
    }

    @Test func `recognises an LSM303DLHC when a kernel driver holds its accelerometer`() throws {
        var bus = EmulatedBus(chips: [EmulatedLSM303DLHCMagnetometer(scene: SensorScene())])
        bus.held[I2CAddress(0x19)] = "st-accel-i2c"
        #expect(try MagnetometerSearch().run(over: &bus).map(\.model) == [.lsm303dlhc])
    }

    @Test func `the board file decides between an LSM303DLHC and an HMC5883L`() throws {
        let scene = SensorScene()
        let alone: [any EmulatedChip] = [EmulatedLSM303DLHCMagnetometer(scene: scene)]
        #expect(try Self.found(alone, MagnetometerSearch(model: .lsm303dlhc)) == [.lsm303dlhc])
        let beside: [any EmulatedChip] = [
            EmulatedHMC5883L(scene: scene), EmulatedLIS3DH(scene: scene, address: I2CAddress(0x19)),
        ]
        #expect(try Self.found(beside, MagnetometerSearch(model: .hmc5883l)) == [.hmc5883l])
    }

    @Test func `recognises a LIS3MDL at the address of the HMC5883L`() throws {
        let chip = EmulatedLIS3MDL(scene: SensorScene(), address: I2CAddress(0x1E))
        #expect(try Self.found([chip]) == [.lis3mdl])
        #expect(try Self.found([chip], MagnetometerSearch(address: I2CAddress(0x1E))) == [.lis3mdl])
    }

    @Test func `reads a QMC5883L's identity after its first register`() throws {
        let chip = EmulatedQMC5883L(scene: SensorScene())
        #expect(!chip.isFamiliar)
        #expect(try Self.found([chip]) == [.qmc5883l])
    }

    @Test func `the error names the tried addresses when no chip answers`() throws {
        let search = MagnetometerSearch(model: .lis3mdl)
        let error = ChipSearchError.nobodyAnswers(
            kind: "lis3mdl", bus: "/dev/i2c-1", tried: [I2CAddress(0x1C), I2CAddress(0x1E)])
        #expect(throws: error) { try Self.found([], search) }
        #expect(
            error.description
                == "/dev/i2c-1: no lis3mdl answers at 0x1c, 0x1e; check its supply and wiring, or name another bus")
    }

    @Test func `a chip other than the one in the board file is an error`() throws {
        let error = ChipError.wrongIdentity(chip: "lis3mdl", register: 0x0F, expected: 0x3D, found: 0)
        let thrown = #expect(throws: ChipSearchError.chip(error)) {
            try Self.found([EmulatedHMC5883L(scene: SensorScene())], MagnetometerSearch(model: .lis3mdl))
        }
        #expect(thrown?.description.hasPrefix("/dev/i2c-1, address 0x1e: this is no lis3mdl, for its") == true)
    }

    @Test func `an unknown chip is reported with its address`() throws {
        let stranger = EmulatedLIS3DH(scene: SensorScene(), address: I2CAddress(0x1E))
        #expect(
            throws: ChipSearchError.unknownChip(
                kind: "magnetometer", bus: "/dev/i2c-1", answering: [I2CAddress(0x1E)])
        ) { try Self.found([stranger], MagnetometerSearch(address: I2CAddress(0x1E))) }
    }

    @Test func `an address that the chip cannot have is an error`() throws {
        #expect(
            throws: ChipSearchError.impossibleAddress(
                kind: "qmc5883l", address: I2CAddress(0x50), possible: [I2CAddress(0x0D)])
        ) { try Self.found([], MagnetometerSearch(model: .qmc5883l, address: I2CAddress(0x50))) }
    }

    @Test(arguments: [BusError.Kind.timeout, .gone, .permissionDenied])
    func `a failing bus is an error, not an absent chip`(kind: BusError.Kind) throws {
        var bus = EmulatedBus(chips: [EmulatedHMC5883L(scene: SensorScene())])
        bus.fault = kind
        let error = #expect(throws: ChipSearchError.self) { try MagnetometerSearch().run(over: &bus) }
        guard case .chip(.bus(let cause)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.kind == kind)
    }

    @Test func `addresses shared with I/O expanders are tried only if the board file names an RM3100`() throws {
        let expanders = (0x20...0x23).map { I2CAddress($0) }
        var bus = EmulatedBus()
        let error = #expect(throws: ChipSearchError.self) { try MagnetometerSearch().run(over: &bus) }
        #expect(bus.transcript.allSatisfy { !expanders.contains($0.address ?? I2CAddress(0)) })
        #expect(error?.description.contains("rm3100 is asked only where the board file names it") == true)
        for address in expanders {
            let chip = EmulatedRM3100(scene: SensorScene(), address: address)
            #expect(try Self.found([chip], MagnetometerSearch(model: .rm3100)) == [.rm3100])
            #expect(try Self.found([chip], MagnetometerSearch(address: address)) == [.rm3100])
        }
    }

    @Test func `nothing is written once a chip was found`() throws {
        let scene = SensorScene()
        let host = EmulatedMPU6500(scene: scene, identity: .mpu9250)
        var bus = EmulatedBus(chips: [
            EmulatedLIS3MDL(scene: scene), EmulatedBMM150(scene: scene), host,
            EmulatedAK8963(scene: scene, host: host),
        ])
        #expect(try MagnetometerSearch().run(over: &bus).map(\.model) == [.lis3mdl])
        #expect(bus.writes.isEmpty)
        bus.chips.removeFirst()
        #expect(try MagnetometerSearch().run(over: &bus).map(\.model) == [.ak8963])
        #expect(bus.writes.map(\.register) == [0x37])
    }

    @Test func `an address held by a kernel driver is noted, and is an error only if the board file gives it`() throws {
        var bus = EmulatedBus(chips: [EmulatedLIS3DH(scene: SensorScene())])
        bus.held[I2CAddress(0x1E)] = "rtc-made-up"
        let error = #expect(throws: ChipSearchError.self) { try MagnetometerSearch().run(over: &bus) }
        guard case .nobodyAnswers = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let note = "the kernel's driver rtc-made-up has 0x1e: unbind it if that is the magnetometer"
        #expect(error?.description.contains(note) == true)
        let named = #expect(throws: ChipSearchError.self) {
            try MagnetometerSearch(address: I2CAddress(0x1E)).run(over: &bus)
        }
        #expect(named == .chip(.bus(BusError(.busy, bus: bus.name, address: I2CAddress(0x1E)))))
    }

    @Test func `chips that must be written to for identification come last in the catalogue`() {
        let writes = MagnetometerCatalogue.chips.map { $0.writesToIdentify }
        #expect(writes == writes.sorted { !$0 && $1 })
        #expect(Set(MagnetometerCatalogue.chips.map { $0.model }).count == MagnetometerCatalogue.chips.count)
    }
}
