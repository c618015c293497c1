internal import Hardware

/// A driver of the MPU-6500's accelerometer, which the MPU-9250 has as well.
protocol MPU6500Accelerometer: AccelerometerChip {
    /// The chip's wake-up rate while it watches for motion; nil while it does not watch.
    var watch: MPU6500WakeRate? { get set }
}

extension MPU6500Accelerometer {
    /// The time from sleep to a settled sample, in microseconds: the data sheet's 20 ms, and the low-pass filter's
    /// delay of 12 ms.
    private var wakeTime: Int { 35_000 }

    mutating func configureToSleep(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try Self.checkIdentity(at: address, over: &bus)
        watch = nil
        try bus.set(MPUPower.awake, at: address)
        try bus.set(MPUInterrupts.none, at: address)
        try bus.set(MPU6500Intelligence.off, at: address)
        try bus.set(MPUUserControl.allOff, at: address)
        try bus.set(MPUStandby.gyroscopes, at: address)
        try bus.set(MPURateDivider.by1, at: address)
        try bus.set(MPUAcceleration.g2, at: address)
        try bus.set(MPU6500LowPass.hz41, at: address)
        try bus.set(MPUPower.asleep, at: address)
    }

    /// Wakes the chip, and clears the data-ready bit that a sample between the last reading and the sleep can have set.
    mutating func startSample(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        if let watch { return watch.longestPeriod }
        try bus.set(MPUPower.awake, at: address)
        _ = try bus.readRegister(MPURegister.interruptStatus, at: address)
        return wakeTime
    }

    mutating func readSample(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> SIMD3<Double> {
        let power = try bus.readRegister(MPUPower.register, at: address)
        guard power == (watch == nil ? MPUPower.awake : .cycling).rawValue else {
            throw .wasReset(chip: name, at: bus.chip(address))
        }
        let row = try bus.readRow(
            7, from: MPURegister.interruptStatus, at: address, until: MPURegister.dataAreReady, in: 0,
            every: watch?.longestPeriod ?? wakeTime)
        guard row[0] & MPURegister.dataAreReady != 0 else { throw .notReady(chip: name, at: bus.chip(address)) }
        if watch == nil { try bus.set(MPUPower.asleep, at: address) }
        return row.acceleration(at: 1)
    }

    /// Sets up wake on motion, in the order that the product specification gives.
    mutating func wakeOnMotion(
        _ threshold: MotionThreshold, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try configureToSleep(over: &bus)
        let rate: MPU6500WakeRate = threshold.duration < 0.1 ? .hz15point6 : .hz7point8
        try bus.set(MPUPower.awake, at: address)
        try bus.set(MPU6500LowPass.hz184, at: address)
        let pin = try bus.readRegister(MPUInterruptPin.register, at: address)
        try bus.set(MPUInterruptPin(keeping: pin), at: address)
        try bus.set(MPUInterrupts.motion, at: address)
        try bus.set(MPU6500Intelligence.comparesWithLast, at: address)
        try bus.set(MPUMotionThreshold(threshold, milligravitiesPerStep: 4), at: address)
        try bus.set(rate, at: address)
        try bus.set(MPUPower.cycling, at: address)
        watch = rate
    }
}

/// ACCEL_CONFIG_2: ACCEL_FCHOICE_B in bit 3, the low-pass filter in 2:0.
///
/// Sources disagree on wake on motion: the product specification of the MPU-9250 demands both ACCEL_FCHOICE_B = 1 and a
/// bandwidth that its register map offers only with ACCEL_FCHOICE_B = 0. This driver sets that bandwidth with 0, as the
/// maker's code for the MPU-6500 does.
enum MPU6500LowPass: UInt8, RegisterValue {
    static let register: UInt8 = 0x1D

    case hz184 = 1
    case hz41 = 3
}

/// LP_ACCEL_ODR: the rate at which the chip wakes for one sample while it watches for motion.
enum MPU6500WakeRate: UInt8, RegisterValue {
    static let register: UInt8 = 0x1E

    case hz7point8 = 5
    case hz15point6 = 6

    /// The longest time between two samples while watching for motion, with a tenth added for the oscillator's
    /// tolerance.
    ///
    /// Unit: microseconds.
    var longestPeriod: Int { self == .hz7point8 ? 141_000 : 70_500 }
}

/// MOT_DETECT_CTRL: ACCEL_INTEL_EN in bit 7, ACCEL_INTEL_MODE in 6.
enum MPU6500Intelligence: UInt8, RegisterValue {
    static let register: UInt8 = 0x69

    case off = 0x00
    case comparesWithLast = 0xC0
}
