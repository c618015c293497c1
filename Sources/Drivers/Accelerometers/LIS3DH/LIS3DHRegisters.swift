internal import Hardware

/// The addresses of the registers that the driver reads.
///
/// Source: ST DocID17530, DocID018771, register mapping.
enum LIS3DHRegister {
    static let whoAmI: UInt8 = 0x0F
    static let identity: UInt8 = 0x33
    /// REFERENCE: reading it sets the high-pass filter's reference to the present acceleration.
    static let reference: UInt8 = 0x26
    /// STATUS_REG, which is read in one transfer with the six registers of data.
    static let status: UInt8 = 0x27
    /// The data-ready bit, ZYXDA, in the status register; it is cleared when the data are read.
    static let dataAreReady: UInt8 = 1 << 3
    /// INT1_SRC: reading it releases a latched interrupt.
    static let interruptSource: UInt8 = 0x31
    /// The bit IA in INT1_SRC: the interrupt is raised or, if it is latched, was raised.
    static let isInterrupting: UInt8 = 1 << 6
    /// Bit 7 of the register address in a transfer makes the chip increment the address after each byte.
    static let row: UInt8 = 0x80
}

/// Control register 1: the rate in bits 7 to 4, the axes in 2 to 0.
enum LIS3DHControl1: UInt8, RegisterValue {
    static let register: UInt8 = 0x20

    case powerDown = 0x00
    case hertz10 = 0x27
    case hertz400 = 0x77
}

/// Control register 2: bit 0 makes the motion interrupt use the high-pass filter.
enum LIS3DHControl2: UInt8, RegisterValue {
    static let register: UInt8 = 0x21

    case unfiltered = 0x00
    case filtersInterrupt = 0x01
}

/// Control register 3: the interrupts that drive the pin INT1; bit 6 is that of motion.
enum LIS3DHControl3: UInt8, RegisterValue {
    static let register: UInt8 = 0x22

    case none = 0x00
    case interrupt = 0x40
}

/// Control register 4: block data update in bit 7, the range in 5 and 4, high resolution in 3.
enum LIS3DHControl4: UInt8, RegisterValue {
    static let register: UInt8 = 0x23

    case highResolution = 0x88
}

/// Control register 5: bit 6 enables the FIFO, bit 3 latches the interrupt.
enum LIS3DHControl5: UInt8, RegisterValue {
    static let register: UInt8 = 0x24

    case none = 0x00
    case latched = 0x08
}

/// Control register 6: bit 1 makes the interrupt pins active low.
enum LIS3DHControl6: UInt8, RegisterValue {
    static let register: UInt8 = 0x25

    case activeHigh = 0x00
}

/// INT1_CFG: bits 5, 3 and 1 raise the interrupt for Z, Y and X over the threshold.
enum LIS3DHInterrupt: UInt8, RegisterValue {
    static let register: UInt8 = 0x30

    case off = 0x00
    case anyAxisAbove = 0x2A
}

/// INT1_THS, the motion threshold: seven bits, in steps of 16 mg at ±2 g.
struct LIS3DHThreshold: RegisterValue {
    static let register: UInt8 = 0x32
    let rawValue: UInt8

    init(_ threshold: MotionThreshold) { rawValue = threshold.steps(ofMilligravities: 16, atMost: 127) }
}

/// INT1_DURATION, the duration of a motion: seven bits, in samples at 10 Hz.
struct LIS3DHDuration: RegisterValue {
    static let register: UInt8 = 0x33
    let rawValue: UInt8

    init(_ threshold: MotionThreshold) { rawValue = threshold.steps(ofSeconds: 0.1, atMost: 127) }
}
