public import Hardware

/// The accelerometer of InvenSense's MPU-6050; its gyroscopes stay off.
///
/// The chip sleeps between two measurements. Its only data-ready mark also drives the motion pin, so the driver waits
/// the data sheet's time instead, and then checks the power register. It rejects data that are all zero, as after
/// power-up, because gravity never reads as zero.
///
/// Motion: the chip wakes at 5 or 20 Hz, compares each sample with the one that it took when `watchMotion` was called,
/// and gives pulses of 50 µs as long as they differ. A board that has come to rest in another attitude causes pulses
/// until `watchMotion` is called again. One sample over the threshold is enough, because the chip, which takes one
/// sample at each wake-up, counts the duration in samples. Threshold: sources disagree on the size of a step, which is
/// 32 mg in InvenSense's own motion driver and TI's library, and 2 mg in i2cdevlib; the maker's value is used. Source:
/// InvenSense, RM-MPU-6000A-00 revision 4.2 and PS-MPU-6000A-00 revision 3.4.
public struct MPU6050: AccelerometerChip {
    public static let model = AccelerometerModel.mpu6050
    public static let addresses = [I2CAddress(0x68), I2CAddress(0x69)]
    /// The time from sleep to a settled sample, in microseconds: 30 ms, and the low-pass filter's delay.
    private static let wakeTime = 35_000

    public let address: I2CAddress
    /// The chip's wake-up rate while it watches for motion; nil while it does not watch.
    private var watch: MPUStandby?

    public init(at address: I2CAddress) { self.address = address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try expect(0x68, in: MPURegister.whoAmI, at: address, over: &bus)
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try Self.checkIdentity(at: address, over: &bus)
        watch = nil
        try bus.set(MPUPower.awake, at: address)
        try bus.set(MPUInterrupts.none, at: address)
        try bus.set(MPUUserControl.allOff, at: address)
        try bus.set(MPUStandby.gyroscopes, at: address)
        try bus.set(MPURateDivider.by1, at: address)
        try bus.set(MPULowPass.hz44, at: address)
        try bus.set(MPUAcceleration.g2, at: address)
        try bus.set(MPUPower.asleep, at: address)
    }

    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        switch watch {
        case .gyroscopesAt5Hz?: return 220_000
        case .gyroscopesAt20Hz?: return 55_000
        case .gyroscopes?, nil:
            try bus.set(MPUPower.awake, at: address)
            return MPU6050.wakeTime
        }
    }

    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> SIMD3<Double> {
        let power = try bus.readRegister(MPUPower.register, at: address)
        guard power == (watch == nil ? MPUPower.awake : .cycling).rawValue else {
            throw .wasReset(chip: name, at: bus.chip(address))
        }
        let row = try bus.readRegisters(6, from: MPURegister.acceleration, at: address)
        let acceleration = row.acceleration(at: 0)
        guard acceleration != SIMD3(repeating: 0) else { throw .notReady(chip: name, at: bus.chip(address)) }
        if watch == nil { try bus.set(MPUPower.asleep, at: address) }
        return acceleration
    }

    public mutating func watchMotion(
        _ threshold: MotionThreshold, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try configure(over: &bus)
        try bus.set(MPUPower.awake, at: address)
        try bus.set(MPULowPass.hz260, at: address)
        try bus.set(MPUMotionThreshold(threshold, milligravitiesPerStep: 32), at: address)
        try bus.set(MPU6050MotionDuration.oneSample, at: address)
        let pin = try bus.readRegister(MPUInterruptPin.register, at: address)
        try bus.set(MPUInterruptPin(keeping: pin), at: address)
        // This wait keeps the high-pass filter from holding an unsettled sample as the reference for motion.
        bus.wait(microseconds: MPU6050.wakeTime)
        try bus.set(MPUAcceleration.g2Holding, at: address)
        try bus.set(MPUInterrupts.motion, at: address)
        let rate: MPUStandby = threshold.duration < 0.2 ? .gyroscopesAt20Hz : .gyroscopesAt5Hz
        try bus.set(rate, at: address)
        try bus.set(MPUPower.cycling, at: address)
        watch = rate
    }
}

/// MOT_DUR: the number of samples over the threshold that count as motion.
private enum MPU6050MotionDuration: UInt8, RegisterValue {
    static let register: UInt8 = 0x20

    case oneSample = 1
}
