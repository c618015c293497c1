import Accelerometers
import Emulation
import Hardware
import Testing

/// One model: how its emulated chip is made, how exact its scale is, and how its motion is told.
struct ChipUnderTest: Sendable, CustomTestStringConvertible {
    var model: AccelerometerModel
    var make: @Sendable (SensorScene, @escaping () -> Void) -> EmulatedRegisterChip
    /// The greatest error that counting leaves, per axis.
    ///
    /// Unit: m/s².
    var resolution: Double
    /// Whether it has a mark of fresh data.
    var marksData = true
    /// Whether the first data that it marks are settled ones.
    var isSettledAtFirst = true

    var testDescription: String { model.rawValue }

    static let gravity = 9.80665
    static let all = [
        ChipUnderTest(
            model: .mpu6050,
            make: { scene, pulsed in
                let chip = EmulatedMPU6050(scene: scene)
                chip.pulsed = pulsed
                return chip
            }, resolution: gravity / 32768, marksData: false),
        ChipUnderTest(
            model: .mpu6500, make: { EmulatedMPU6500(scene: $0, pulsed: $1, identity: .mpu6500) },
            resolution: gravity / 32768),
        ChipUnderTest(
            model: .mpu9250, make: { EmulatedMPU6500(scene: $0, pulsed: $1, identity: .mpu9250) },
            resolution: gravity / 32768),
        ChipUnderTest(
            model: .mpu9250, make: { EmulatedMPU6500(scene: $0, pulsed: $1, identity: .mpu9255) },
            resolution: gravity / 32768),
        ChipUnderTest(
            model: .icm20948,
            make: { scene, pulsed in
                let chip = EmulatedICM20948(scene: scene)
                chip.pulsed = pulsed
                return chip
            }, resolution: gravity / 32768),
        ChipUnderTest(
            model: .adxl345,
            make: { scene, pulsed in
                let chip = EmulatedADXL345(scene: scene)
                chip.interruptChanged = { if $0 { pulsed() } }
                return chip
            }, resolution: gravity / 512),
        ChipUnderTest(
            model: .lis3dh,
            make: { scene, pulsed in
                let chip = EmulatedLIS3DH(scene: scene)
                chip.interruptChanged = { if $0 { pulsed() } }
                return chip
            }, resolution: gravity / 2000, isSettledAtFirst: false),
        ChipUnderTest(
            model: .lsm303dlhc,
            make: { scene, pulsed in
                let chip = EmulatedLSM303DLHCAccelerometer(scene: scene)
                chip.interruptChanged = { if $0 { pulsed() } }
                return chip
            }, resolution: gravity / 2000, isSettledAtFirst: false),
    ]

    /// What others may have left in a chip: slow samples, other ranges, interrupts, another bank.
    static let disturbances: [AccelerometerModel: [[UInt8]]] = [
        .mpu6050: [
            [0x6B, 0x00], [0x19, 0xFF], [0x1A, 0x06], [0x1C, 0x1D], [0x1F, 1], [0x20, 9], [0x38, 0x41], [0x6C, 0xC0],
        ],
        .mpu6500: [
            [0x6B, 0x00], [0x19, 0xFF], [0x1A, 0x03], [0x1C, 0x18], [0x1D, 0x0E], [0x1E, 0x00], [0x1F, 1],
            [0x38, 0x41], [0x69, 0xC0], [0x6C, 0x00], [0x6B, 0x20],
        ],
        .icm20948: [
            [0x06, 0x01], [0x11, 0x01], [0x12, 0x1F], [0x10, 0x08], [0x7F, 0x20], [0x10, 0x0F], [0x11, 0xFF],
            [0x12, 0x03], [0x13, 1], [0x14, 0x07], [0x7F, 0x30],
        ],
        .adxl345: [
            [0x1E, 0x7F], [0x1F, 0x80], [0x20, 0x11], [0x24, 1], [0x27, 0x70], [0x2C, 0x00], [0x2E, 0xFF],
            [0x31, 0x00], [0x38, 0x9F], [0x2D, 0x08],
        ],
        .lis3dh: [
            [0x21, 0xFF], [0x22, 0xFF], [0x23, 0x30], [0x24, 0x08], [0x25, 0x02], [0x32, 1], [0x30, 0xFF],
            [0x20, 0x5F],
        ],
    ]

    func disturb(_ emulated: EmulatedRegisterChip) throws {
        let twin: AccelerometerModel = model == .mpu9250 ? .mpu6500 : model == .lsm303dlhc ? .lis3dh : model
        let rows = Self.disturbances[twin] ?? []
        #expect(!rows.isEmpty)
        for row in rows { _ = emulated.write(row, at: emulated.address) }
    }

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
