internal import Hardware

/// The addresses of the registers that the driver reads.
///
/// Source: Analog Devices, ADXL345 data sheet, revision E, register map.
enum ADXL345Register {
    static let deviceID: UInt8 = 0x00
    /// INT_SOURCE, which is read in one transfer with DATA_FORMAT and the six registers of data.
    static let interruptSource: UInt8 = 0x30
    static let data: UInt8 = 0x32
    /// OFSX to OFSZ, the offsets that the chip adds to the data.
    static let offsets: ClosedRange<UInt8> = 0x1E...0x20
    /// DATA_READY in INT_SOURCE: it is set even if the data-ready interrupt is disabled, and cleared when the data are
    /// read.
    static let dataAreReady: UInt8 = 1 << 7
}

/// THRESH_ACT, the motion threshold in steps of 62.5 mg.
struct ADXL345ActivityThreshold: RegisterValue {
    static let register: UInt8 = 0x24
    let rawValue: UInt8

    init(_ threshold: MotionThreshold) {
        rawValue = threshold.steps(ofMilligravities: 62.5)
    }
}

/// ACT_INACT_CTL: bit 7 makes the activity detection AC-coupled, bits 6:4 select its axes.
enum ADXL345Activity: UInt8, RegisterValue {
    static let register: UInt8 = 0x27

    case anyAxisOfChange = 0xF0
}

/// BW_RATE: low power in bit 4, the rate in 3:0.
enum ADXL345Rate: UInt8, RegisterValue {
    static let register: UInt8 = 0x2C

    case hz100 = 0x0A
    case hz12point5AtLowPower = 0x17
}

/// POWER_CTL: measure is bit 3.
enum ADXL345Power: UInt8, RegisterValue {
    static let register: UInt8 = 0x2D

    case standby = 0x00
    case measuring = 0x08
}

/// INT_ENABLE: bit 4 enables the activity interrupt.
enum ADXL345Interrupts: UInt8, RegisterValue {
    static let register: UInt8 = 0x2E

    case none = 0x00
    case activity = 0x10
}

/// INT_MAP: each bit leads one interrupt to the second pin instead of the first.
enum ADXL345InterruptPins: UInt8, RegisterValue {
    static let register: UInt8 = 0x2F

    case allOnFirst = 0x00
}

/// DATA_FORMAT: FULL_RES in bit 3, the range in 1:0; interrupts are active high.
enum ADXL345Format: UInt8, RegisterValue {
    static let register: UInt8 = 0x31

    case fullResolution16g = 0x0B
}

/// FIFO_CTL, the mode of the sample buffer.
enum ADXL345Buffer: UInt8, RegisterValue {
    static let register: UInt8 = 0x38

    case none = 0x00
}
