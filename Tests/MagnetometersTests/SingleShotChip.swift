import Emulation
import Hardware
import Magnetometers
import Testing

/// One model that measures once when it is told to: how its emulated chip is made, and what it remembers.
struct SingleShotChip: Sendable, CustomTestStringConvertible {
    var model: MagnetometerModel
    var make: @Sendable (SensorScene) -> EmulatedRegisterChip
    /// The greatest error that counting leaves, per axis.
    ///
    /// Unit: microtesla.
    var resolution: Double
    /// Beyond its range.
    ///
    /// Unit: microtesla.
    var beyond: Double
    /// Whether the driver writes a configuration that a loss of supply takes away.
    var isConfigured: Bool

    var testDescription: String { model.rawValue }

    static let all = [
        SingleShotChip(
            model: .mmc5603, make: { EmulatedMMC5603(scene: $0) }, resolution: 100 / 16384, beyond: 3100,
            isConfigured: false),
        SingleShotChip(
            model: .mmc5983ma, make: { EmulatedMMC5983MA(scene: $0) }, resolution: 100 / 16384, beyond: 830,
            isConfigured: false),
        SingleShotChip(
            model: .ist8310, make: { EmulatedIST8310(scene: $0) }, resolution: 0.15, beyond: 2600, isConfigured: true),
        SingleShotChip(
            model: .ak8963, make: { EmulatedAK8963(scene: $0) }, resolution: 0.1, beyond: 4920, isConfigured: false),
        SingleShotChip(
            model: .ak09916, make: { EmulatedAK09916(scene: $0) }, resolution: 0.075, beyond: 4920,
            isConfigured: false),
        SingleShotChip(
            model: .bmm150, make: { EmulatedBMM150(scene: $0) }, resolution: 0.2, beyond: 6000, isConfigured: true),
        SingleShotChip(
            model: .rm3100, make: { EmulatedRM3100(scene: $0) }, resolution: 1 / 150.0, beyond: 810,
            isConfigured: false),
    ]

    static func of(_ model: MagnetometerModel) -> SingleShotChip? { all.first { $0.model == model } }

    /// The driver that a board file which names the model gets.
    func driver(on bus: inout EmulatedBus) throws -> any MagnetometerDriver {
        try MagnetometerSearch(model: model).run(over: &bus)[0]
    }

    /// Whether a reading is the field, within what counting leaves.
    func agrees(_ reading: MagnetometerReading, with field: SIMD3<Double>) -> Bool {
        let error = reading.field - field
        return max(abs(error.x), abs(error.y), abs(error.z)) <= resolution * 1.001 && !reading.isSaturated
    }
}
