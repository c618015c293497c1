internal import Hardware

/// The registers that the MPU-6050, MPU-6500 and MPU-9250 have in common.
///
/// Source: InvenSense, RM-MPU-6000A-00 revision 4.2, RM-MPU-6500A-00 revision 2.1, RM-MPU-9250A-00 revision 1.6.
enum MPURegister {
    static let interruptStatus: UInt8 = 0x3A
    static let acceleration: UInt8 = 0x3B
    static let whoAmI: UInt8 = 0x75
    /// RAW_DATA_RDY_INT in the interrupt's status: it falls when that is read.
    static let dataAreReady: UInt8 = 1 << 0
}

/// SMPLRT_DIV: what the rate of the samples, 1 kHz, is divided by, less one.
enum MPURateDivider: UInt8, RegisterValue {
    static let register: UInt8 = 0x19

    case by1 = 0
}

/// CONFIG: the low-pass filter in 2:0, of the MPU-6050's accelerometer as well.
enum MPULowPass: UInt8, RegisterValue {
    static let register: UInt8 = 0x1A

    case hz260 = 0
    /// 44 Hz, 4.9 ms of delay.
    case hz44 = 3
}

/// ACCEL_CONFIG: the range in bits 4:3, and of the MPU-6050 the high-pass filter of motion detection in 2:0.
enum MPUAcceleration: UInt8, RegisterValue {
    static let register: UInt8 = 0x1C

    /// The filter follows the samples: nothing departs from them.
    case g2 = 0b00_000
    /// The filter holds the sample that it has: later ones depart from that.
    case g2Holding = 0b00_111
}

/// MOT_THR, and WOM_THR of the MPU-6500: the threshold of motion.
struct MPUMotionThreshold: RegisterValue {
    static let register: UInt8 = 0x1F
    let rawValue: UInt8

    init(_ threshold: MotionThreshold, milligravitiesPerStep step: Double) {
        rawValue = threshold.steps(ofMilligravities: step)
    }
}

/// INT_PIN_CFG: pulses of 50 µs, high, push-pull; BYPASS_EN in bit 1 belongs to the magnetometer behind the chip.
struct MPUInterruptPin: RegisterValue {
    static let register: UInt8 = 0x37
    var isBypassed: Bool

    init(keeping before: UInt8) { isBypassed = before & 0x02 != 0 }

    var rawValue: UInt8 { isBypassed ? 0x02 : 0x00 }
}

/// INT_ENABLE: what drives the pin; MOT_EN is bit 6, and WOM_EN the same.
enum MPUInterrupts: UInt8, RegisterValue {
    static let register: UInt8 = 0x38

    case none = 0x00
    case motion = 0x40
}

/// USER_CTRL: FIFO, the chip's own bus master and the motion processor, all of which are off.
enum MPUUserControl: UInt8, RegisterValue {
    static let register: UInt8 = 0x6A

    case allOff = 0x00
}

/// PWR_MGMT_1: SLEEP in bit 6, CYCLE in 5, TEMP_DIS in 3, the clock in 2:0, of which 0 is the inner oscillator.
enum MPUPower: UInt8, RegisterValue {
    static let register: UInt8 = 0x6B

    case awake = 0x08
    /// A sample now and then, asleep in between.
    case cycling = 0x28
    case asleep = 0x48
}

/// PWR_MGMT_2: of the MPU-6050 how often it wakes when cycling in bits 7:6; the gyroscopes off in 2:0.
enum MPUStandby: UInt8, RegisterValue {
    static let register: UInt8 = 0x6C

    case gyroscopes = 0x07
    case gyroscopesAt5Hz = 0x47
    case gyroscopesAt20Hz = 0x87
}
