import Emulation
import Hardware
import Magnetometers
import Testing

/// One model: how its emulated chip is made, where it is, and how exact its scale is.
struct ChipUnderTest: Sendable, CustomTestStringConvertible {
    var model: MagnetometerModel
    var make: @Sendable (SensorScene) -> EmulatedRegisterChip
    /// The greatest error that counting leaves, per axis.
    ///
    /// Unit: microtesla.
    var resolution: Double
    /// Beyond its widest range.
    ///
    /// Unit: microtesla.
    var beyond: Double

    var testDescription: String { model.rawValue }

    static let all = [
        ChipUnderTest(
            model: .hmc5883l, make: { EmulatedHMC5883L(scene: $0) }, resolution: 100 / 1090 / 2, beyond: 250),
        ChipUnderTest(
            model: .lsm303dlhc, make: { EmulatedLSM303DLHCMagnetometer(scene: $0) }, resolution: 100 / 980 / 2,
            beyond: 250),
        ChipUnderTest(
            model: .qmc5883l, make: { EmulatedQMC5883L(scene: $0) }, resolution: 100 / 3000 / 2, beyond: 1200),
        ChipUnderTest(
            model: .qmc5883p, make: { EmulatedQMC5883P(scene: $0) }, resolution: 100 / 3750 / 2, beyond: 1200),
        ChipUnderTest(
            model: .lis3mdl, make: { EmulatedLIS3MDL(scene: $0) }, resolution: 100 / 6842 / 2, beyond: 450),
        ChipUnderTest(
            model: .lis2mdl, make: { EmulatedLIS2MDL(scene: $0) }, resolution: 0.15 / 2, beyond: 5200),
    ]

    static func of(_ model: MagnetometerModel) -> ChipUnderTest? { all.first { $0.model == model } }

    /// The driver that a board file which names the model gets.
    func driver(on bus: inout EmulatedBus) throws -> any MagnetometerDriver {
        try MagnetometerSearch(model: model).run(over: &bus)[0]
    }
}

extension MagnetometerDriver {
    /// Starts a measurement, waits as long as it may take, and reads it.
    mutating func measure(over bus: inout EmulatedBus) throws(ChipError) -> MagnetometerReading {
        bus.wait(microseconds: try start(over: &bus))
        return try read(over: &bus)
    }
}

extension EmulatedBus.Transfer {
    /// Whom it spoke to; nil for a wait.
    var address: I2CAddress? {
        switch self {
        case .read(let address, _, _), .write(let address, _, _): address
        case .wait: nil
        }
    }
}

extension EmulatedBus {
    /// What was written, in order.
    var writes: [(register: UInt8, value: UInt8)] {
        transcript.compactMap { transfer in
            guard case .write(_, let register, let value) = transfer else { return nil }
            return (register, value)
        }
    }
}
