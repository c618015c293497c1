public import Hardware

/// The accelerometer of InvenSense's MPU-9250 and MPU-9255: the MPU-6500's with another identity.
///
/// The magnetometer in its package is an AK8963 behind a bus switch, which this driver does not change. Source:
/// InvenSense, RM-MPU-9250A-00 revision 1.6 and PS-MPU-9250A-01 revision 1.1.
public struct MPU9250: MPU6500Accelerometer {
    public static let model = AccelerometerModel.mpu9250
    public static let addresses = [I2CAddress(0x68), I2CAddress(0x69)]

    public let address: I2CAddress
    var watch: MPU6500WakeRate?

    public init(at address: I2CAddress) { self.address = address }

    /// Checks that the identity register holds 0x71 or, as in the MPU-9255, 0x73.
    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        let found = try bus.readRegister(MPURegister.whoAmI, at: address)
        if found == 0x73 { return }
        guard found == 0x71 else {
            throw .wrongIdentity(
                chip: name, register: MPURegister.whoAmI, expected: 0x71, found: found, at: bus.chip(address))
        }
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
