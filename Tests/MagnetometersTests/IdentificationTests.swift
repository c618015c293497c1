import Emulation
import Hardware
import Magnetometers
import Testing

@Suite("Who a magnetometer is") struct IdentificationTests {
    /// Every emulated magnetometer, at every address that it can have.
    typealias Candidate = (model: MagnetometerModel, make: @Sendable () -> EmulatedRegisterChip)

    static let everyone: [Candidate] = {
        var all: [Candidate] = []
        for chip in ChipUnderTest.all { all.append((chip.model, { chip.make(SensorScene()) })) }
        for chip in SingleShotChip.all { all.append((chip.model, { chip.make(SensorScene()) })) }
        for address: UInt8 in [0x0C, 0x0D] {
            all.append((.ist8310, { EmulatedIST8310(scene: SensorScene(), address: I2CAddress(address)) }))
        }
        for address: UInt8 in [0x0D, 0x0E] {
            all.append((.ak8963, { EmulatedAK8963(scene: SensorScene(), address: I2CAddress(address)) }))
        }
        all.append((.rm3100, { EmulatedRM3100(scene: SensorScene(), address: I2CAddress(0x23)) }))
        return all
    }()

    @Test(arguments: everyone.indices) func `the search finds it and nobody else`(index: Int) throws {
        let (model, make) = Self.everyone[index]
        // It says the same as an HMC5883L, unless its accelerometer is there.
        guard model != .lsm303dlhc else { return }
        let chip = make()
        var bus = EmulatedBus(chips: [chip])
        // Where expanders may be it is asked by name only.
        let found = try MagnetometerSearch(model: model == .rm3100 ? .rm3100 : nil).run(over: &bus)
        #expect(found.map(\.model) == [model])
        #expect(found.map(\.address) == [chip.address])
        if model != .bmm150 { #expect(bus.writes.isEmpty) }
    }

    @Test(arguments: everyone.indices) func `every other driver says that it is another`(index: Int) throws {
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

    @Test func `a bus full of magnetometers gives those that can be known by reading`() throws {
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
}
