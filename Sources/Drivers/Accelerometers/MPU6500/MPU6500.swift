public import Hardware

/// The accelerometer of InvenSense's MPU-6500; its gyroscopes stay off.
///
/// The chip sleeps between two measurements. Motion: the chip wakes 8 or 16 times a second, compares each sample with
/// the one before, and gives a pulse of 50 µs for each sample that differs by more than the threshold. It has no
/// setting for the duration of a motion; if a short duration is wanted, it wakes 16 times a second. One step of the
/// threshold is 4 mg. Source: InvenSense, RM-MPU-6500A-00 revision 2.1 and PS-MPU-6500A-01 revision 1.1.
public struct MPU6500: MPU6500Accelerometer {
    public static let model = AccelerometerModel.mpu6500
    public static let addresses = [I2CAddress(0x68), I2CAddress(0x69)]

    public let address: I2CAddress
    var watch: MPU6500WakeRate?

    public init(at address: I2CAddress) { self.address = address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try expect(0x70, in: MPURegister.whoAmI, at: address, over: &bus)
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try configureToSleep(over: &bus)
    }

    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        try startSample(over: &bus)
    }

    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> SIMD3<Double> {
        try readSample(over: &bus)
    }

    public mutating func watchMotion(
        _ threshold: MotionThreshold, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try wakeOnMotion(threshold, over: &bus)
    }
}
