internal import Hardware

/// The registers that are read.
///
/// Source: ST DocID17530, DocID018771, register mapping.
enum LIS3DHRegister {
    static let whoAmI: UInt8 = 0x0F
    static let identity: UInt8 = 0x33
    /// A read of it sets the high-pass filter to what there is.
    static let reference: UInt8 = 0x26
    /// STATUS_REG; the six registers of data follow it.
    static let status: UInt8 = 0x27
    /// ZYXDA in the status: it falls when the data are read.
    static let dataAreReady: UInt8 = 1 << 3
    /// Bit 7 of a sub-address: the pointer moves on.
    static let row: UInt8 = 0x80
}

/// Control register 1: the rate in bits 7 to 4, the axes in 2 to 0.
enum LIS3DHControl1: UInt8, RegisterValue {
    static let register: UInt8 = 0x20

    case powerDown = 0x00
    case hertz10 = 0x27
    case hertz400 = 0x77
}

/// Control register 2: the high-pass filter, before the interrupt in bit 0.
enum LIS3DHControl2: UInt8, RegisterValue {
    static let register: UInt8 = 0x21

    case unfiltered = 0x00
    case filtersInterrupt = 0x01
}

/// Control register 3: what drives the pin INT1, the interrupt in bit 6.
enum LIS3DHControl3: UInt8, RegisterValue {
    static let register: UInt8 = 0x22

    case none = 0x00
    case interrupt = 0x40
}

/// Control register 4: block update in bit 7, the range in 5 and 4, high resolution in 3.
enum LIS3DHControl4: UInt8, RegisterValue {
    static let register: UInt8 = 0x23

    case highResolution = 0x88
}

/// Control register 5: the FIFO in bit 6, the interrupt's latch in 3.
enum LIS3DHControl5: UInt8, RegisterValue {
    static let register: UInt8 = 0x24

    case none = 0x00
}

/// Control register 6: the pins' sense in bit 1.
enum LIS3DHControl6: UInt8, RegisterValue {
    static let register: UInt8 = 0x25

    case activeHigh = 0x00
}

/// INT1_CFG: the axes whose magnitude is compared, above in bits 5, 3 and 1.
enum LIS3DHInterrupt: UInt8, RegisterValue {
    static let register: UInt8 = 0x30

    case off = 0x00
    case anyAxisAbove = 0x2A
}

/// INT1_THS: seven bits, in steps of 16 mg at ±2 g.
struct LIS3DHThreshold: RegisterValue {
    static let register: UInt8 = 0x32
    let rawValue: UInt8

    init(_ threshold: MotionThreshold) { rawValue = threshold.steps(ofMilligravities: 16, atMost: 127) }
}

/// INT1_DURATION: seven bits, in periods of the data rate, which is 10 Hz.
struct LIS3DHDuration: RegisterValue {
    static let register: UInt8 = 0x33
    let rawValue: UInt8

    init(_ threshold: MotionThreshold) { rawValue = threshold.steps(ofSeconds: 0.1, atMost: 127) }
}
