internal import Hardware

/// The addresses of the registers that the MPU-6050, MPU-6500 and MPU-9250 share.
///
/// Source: InvenSense, RM-MPU-6000A-00 revision 4.2, RM-MPU-6500A-00 revision 2.1, RM-MPU-9250A-00 revision 1.6.
enum MPURegister {
    static let interruptStatus: UInt8 = 0x3A
    static let acceleration: UInt8 = 0x3B
    static let whoAmI: UInt8 = 0x75
    /// The data-ready bit, RAW_DATA_RDY_INT, in the interrupt status register; it is cleared when that register is
    /// read.
    static let dataAreReady: UInt8 = 1 << 0
}

/// SMPLRT_DIV: the number by which the sample rate of 1 kHz is divided, less one.
enum MPURateDivider: UInt8, RegisterValue {
    static let register: UInt8 = 0x19

    case by1 = 0
}

/// CONFIG: the low-pass filter in bits 2:0, which on the MPU-6050 also filters the accelerometer.
enum MPULowPass: UInt8, RegisterValue {
    static let register: UInt8 = 0x1A

    case hz260 = 0
    /// A bandwidth of 44 Hz, with 4.9 ms of delay.
    case hz44 = 3
}

/// ACCEL_CONFIG: the range in bits 4:3, and on the MPU-6050 the high-pass filter of motion detection in 2:0.
enum MPUAcceleration: UInt8, RegisterValue {
    static let register: UInt8 = 0x1C

    /// The range is ±2 g, and the high-pass filter's reference follows the samples, so no motion is detected.
    case g2 = 0b00_000
    /// The range is ±2 g, and the high-pass filter keeps the sample of this moment as the reference for later ones.
    case g2Holding = 0b00_111
}

/// The register of the motion threshold: MOT_THR, or WOM_THR on the MPU-6500.
struct MPUMotionThreshold: RegisterValue {
    static let register: UInt8 = 0x1F
    let rawValue: UInt8

    init(_ threshold: MotionThreshold, milligravitiesPerStep step: Double) {
        rawValue = threshold.steps(ofMilligravities: step)
    }
}

/// INT_PIN_CFG: pulses of 50 µs, active high, push-pull; bit 1, BYPASS_EN, is left to the magnetometer's driver.
struct MPUInterruptPin: RegisterValue {
    static let register: UInt8 = 0x37
    var isBypassed: Bool

    init(keeping before: UInt8) { isBypassed = before & 0x02 != 0 }

    var rawValue: UInt8 { isBypassed ? 0x02 : 0x00 }
}

/// INT_ENABLE, which selects the interrupts that drive the pin; bit 6 is MOT_EN, on the MPU-6500 named WOM_EN.
enum MPUInterrupts: UInt8, RegisterValue {
    static let register: UInt8 = 0x38

    case none = 0x00
    case motion = 0x40
}

/// USER_CTRL, which switches off the FIFO, the chip's own bus master and the motion processor.
enum MPUUserControl: UInt8, RegisterValue {
    static let register: UInt8 = 0x6A

    case allOff = 0x00
}

/// PWR_MGMT_1: SLEEP in bit 6, CYCLE in 5, TEMP_DIS in 3, the clock in 2:0, where 0 selects the internal oscillator.
enum MPUPower: UInt8, RegisterValue {
    static let register: UInt8 = 0x6B

    case awake = 0x08
    /// The chip sleeps and wakes periodically for one sample.
    case cycling = 0x28
    case asleep = 0x48
}

/// PWR_MGMT_2: on the MPU-6050, bits 7:6 are the rate of periodic wake-ups; bits 2:0 switch the gyroscopes off.
enum MPUStandby: UInt8, RegisterValue {
    static let register: UInt8 = 0x6C

    case gyroscopes = 0x07
    case gyroscopesAt5Hz = 0x47
    case gyroscopesAt20Hz = 0x87
}
