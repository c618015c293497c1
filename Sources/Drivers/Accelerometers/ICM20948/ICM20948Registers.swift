internal import Hardware

/// The addresses of the bank 0 registers that the driver reads.
///
/// Source: InvenSense, DS-000189 revision 1.3, chapters 7 to 10.
enum ICM20948Register {
    static let interruptStatus1: UInt8 = 0x1A
    static let acceleration: UInt8 = 0x2D
    /// INT_ENABLE_1 to INT_ENABLE_3: the data-ready and FIFO interrupts, which would give pulses on the motion pin as
    /// well.
    static let furtherInterrupts: ClosedRange<UInt8> = 0x11...0x13
    /// The data-ready bit, RAW_DATA_0_RDY_INT, in interrupt status register 1; it is cleared when that register is
    /// read.
    static let dataAreReady: UInt8 = 1 << 0
}

/// REG_BANK_SEL, in every bank: the bank in bits 5:4.
enum ICM20948Bank: UInt8, RegisterValue {
    static let register: UInt8 = 0x7F

    case bank0 = 0x00
    case bank2 = 0x20
}

/// USER_CTRL of bank 0, which switches off the FIFO, the chip's own bus master and the motion processor.
enum ICM20948UserControl: UInt8, RegisterValue {
    static let register: UInt8 = 0x03

    case allOff = 0x00
}

/// LP_CONFIG of bank 0: ACCEL_CYCLE is bit 5.
enum ICM20948LowPower: UInt8, RegisterValue {
    static let register: UInt8 = 0x05

    case none = 0x00
    case accelerometerCycles = 0x20
}

/// PWR_MGMT_1 of bank 0: SLEEP in bit 6, LP_EN in 5, TEMP_DIS in 3, the clock in 2:0, where 1 selects the best one.
enum ICM20948Power: UInt8, RegisterValue {
    static let register: UInt8 = 0x06

    case awake = 0x09
    case cycling = 0x29
    case asleep = 0x49
}

/// PWR_MGMT_2 of bank 0: bits 2:0 switch the gyroscopes off.
enum ICM20948Standby: UInt8, RegisterValue {
    static let register: UInt8 = 0x07

    case gyroscopes = 0x07
}

/// INT_PIN_CFG of bank 0: pulses of 50 µs, active high, push-pull; bit 1, BYPASS_EN, is left to the magnetometer's
/// driver.
struct ICM20948InterruptPin: RegisterValue {
    static let register: UInt8 = 0x0F
    var isBypassed: Bool

    init(keeping before: UInt8) { isBypassed = before & 0x02 != 0 }

    var rawValue: UInt8 { isBypassed ? 0x02 : 0x00 }
}

/// INT_ENABLE of bank 0: WOM_INT_EN is bit 3.
enum ICM20948Interrupts: UInt8, RegisterValue {
    static let register: UInt8 = 0x10

    case none = 0x00
    case motion = 0x08
}

/// ACCEL_SMPLRT_DIV_1 of bank 2: the high four bits of the number by which the sample rate of 1125 Hz is divided, less
/// one.
enum ICM20948RateDividerHigh: UInt8, RegisterValue {
    static let register: UInt8 = 0x10

    case none = 0
}

/// ACCEL_SMPLRT_DIV_2 of bank 2: the low eight bits of the number by which the sample rate of 1125 Hz is divided, less
/// one.
struct ICM20948RateDivider: RegisterValue {
    static let register: UInt8 = 0x11
    let rawValue: UInt8

    init(dividesBy divisor: UInt8) { rawValue = divisor - 1 }
}

/// ACCEL_INTEL_CTRL of bank 2: ACCEL_INTEL_EN in bit 1, ACCEL_INTEL_MODE_INT in 0.
enum ICM20948Intelligence: UInt8, RegisterValue {
    static let register: UInt8 = 0x12

    case off = 0x00
    case comparesWithLast = 0x03
}

/// ACCEL_WOM_THR of bank 2: the motion threshold in steps of 4 mg.
struct ICM20948MotionThreshold: RegisterValue {
    static let register: UInt8 = 0x13
    let rawValue: UInt8

    init(_ threshold: MotionThreshold) {
        rawValue = threshold.steps(ofMilligravities: 4)
    }
}

/// ACCEL_CONFIG of bank 2: the low-pass filter in 5:3, the range in 2:1, ACCEL_FCHOICE in 0.
enum ICM20948Acceleration: UInt8, RegisterValue {
    static let register: UInt8 = 0x14

    case g2At50Hz = 0x19
}
