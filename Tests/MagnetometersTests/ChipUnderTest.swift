import Emulation
import Hardware
import Magnetometers
import Testing

/// One model: how its emulated chip is made, how exact its scale is, and what it remembers.
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
    /// Whether the driver writes a configuration that a loss of supply takes away.
    var isConfigured = true
    /// Whether `start` forgets a measurement that nobody read, and `read` so waits for the one that was started.
    var forgetsAtStart = true

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
        ChipUnderTest(
            model: .mmc5603, make: { EmulatedMMC5603(scene: $0) }, resolution: 100 / 16384, beyond: 3100,
            isConfigured: false, forgetsAtStart: false),
        ChipUnderTest(
            model: .mmc5983ma, make: { EmulatedMMC5983MA(scene: $0) }, resolution: 100 / 16384, beyond: 830,
            isConfigured: false, forgetsAtStart: false),
        ChipUnderTest(
            model: .ist8310, make: { EmulatedIST8310(scene: $0) }, resolution: 0.15, beyond: 2600, forgetsAtStart: false
        ),
        ChipUnderTest(
            model: .ak8963, make: { EmulatedAK8963(scene: $0) }, resolution: 0.1, beyond: 4920, isConfigured: false,
            forgetsAtStart: false),
        ChipUnderTest(
            model: .ak09916, make: { EmulatedAK09916(scene: $0) }, resolution: 0.075, beyond: 4920, isConfigured: false,
            forgetsAtStart: false),
        ChipUnderTest(
            model: .bmm150, make: { EmulatedBMM150(scene: $0) }, resolution: 0.2, beyond: 6000, forgetsAtStart: false),
        ChipUnderTest(
            model: .rm3100, make: { EmulatedRM3100(scene: $0) }, resolution: 1 / 150.0, beyond: 810,
            isConfigured: false, forgetsAtStart: false),
    ]

    static func of(_ model: MagnetometerModel) -> ChipUnderTest? { all.first { $0.model == model } }

    /// The driver that a board file which names the model gets.
    func driver(on bus: inout EmulatedBus) throws -> any MagnetometerDriver {
        try MagnetometerSearch(model: model).run(over: &bus)[0]
    }

    /// Whether a reading is the field, within what counting leaves, or another limit.
    func agrees(_ reading: MagnetometerReading, with field: SIMD3<Double>, within limit: Double = 0) -> Bool {
        let error = reading.field - field
        return max(abs(error.x), abs(error.y), abs(error.z)) <= max(resolution * 1.001, limit) && !reading.isSaturated
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
        case .read(let address, _, _), .write(let address, _, _), .writeRow(let address, _, _): address
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
