import Accelerometers
import Emulation
import Hardware
import Testing

/// One model: how its emulated chip is made, how exact its scale is, and how its motion is told.
struct InertialChip: Sendable, CustomTestStringConvertible {
    var model: AccelerometerModel
    var make: @Sendable (SensorScene, @escaping () -> Void) -> EmulatedRegisterChip
    /// The greatest error that counting leaves, per axis.
    ///
    /// Unit: m/s².
    var resolution: Double
    /// Whether it has a mark of fresh data.
    var marksData = true

    var testDescription: String { model.rawValue }

    static let gravity = 9.80665
    static let all = [
        InertialChip(
            model: .mpu6050,
            make: { scene, pulsed in
                let chip = EmulatedMPU6050(scene: scene)
                chip.pulsed = pulsed
                return chip
            }, resolution: gravity / 32768, marksData: false),
        InertialChip(
            model: .mpu6500, make: { EmulatedMPU6500(scene: $0, pulsed: $1, identity: .mpu6500) },
            resolution: gravity / 32768),
        InertialChip(
            model: .mpu9250, make: { EmulatedMPU6500(scene: $0, pulsed: $1, identity: .mpu9250) },
            resolution: gravity / 32768),
        InertialChip(
            model: .mpu9250, make: { EmulatedMPU6500(scene: $0, pulsed: $1, identity: .mpu9255) },
            resolution: gravity / 32768),
        InertialChip(
            model: .icm20948,
            make: { scene, pulsed in
                let chip = EmulatedICM20948(scene: scene)
                chip.pulsed = pulsed
                return chip
            }, resolution: gravity / 32768),
        InertialChip(
            model: .adxl345,
            make: { scene, pulsed in
                let chip = EmulatedADXL345(scene: scene)
                chip.interruptChanged = { if $0 { pulsed() } }
                return chip
            }, resolution: gravity / 512),
    ]

    func make(_ scene: SensorScene) -> EmulatedRegisterChip { make(scene, {}) }

    /// The driver that a board file which names the model gets.
    func driver(on bus: inout EmulatedBus) throws -> any AccelerometerDriver {
        try AccelerometerSearch(model: model).run(over: &bus)[0]
    }

    func agrees(_ measured: SIMD3<Double>, with force: SIMD3<Double>) -> Bool {
        let error = measured - force
        return max(abs(error.x), abs(error.y), abs(error.z)) <= resolution * 1.001
    }
}

extension EmulatedMPU6500 {
    fileprivate convenience init(scene: SensorScene, pulsed: @escaping () -> Void, identity: Identity) {
        self.init(scene: scene, identity: identity)
        self.pulsed = pulsed
    }
}
