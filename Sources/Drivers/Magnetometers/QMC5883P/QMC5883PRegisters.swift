internal import Hardware

/// The addresses of the registers that the driver reads.
///
/// Source: QST 13-52-19, register map.
enum QMC5883PRegister {
    static let chipID: UInt8 = 0x00
    static let identity: UInt8 = 0x80
    static let data: UInt8 = 0x01
    /// The status register, which is read in one transfer with control registers 1 and 2.
    static let status: UInt8 = 0x09
    /// The data-ready bit, DRDY, in the status register.
    static let dataAreReady: UInt8 = 1 << 0
    /// The overflow bit, OVFL, in the status register.
    static let isBeyondRange: UInt8 = 1 << 1
}

/// Control register 1: filter in bits 7 and 6, oversampling in 5 and 4, rate in 3 and 2, mode in 1 and 0.
enum QMC5883PControl1: UInt8, RegisterValue {
    static let register: UInt8 = 0x0A

    /// The chip is suspended, with filter 8, oversampling 8 and 200 Hz.
    case suspend = 0b11_00_11_00
    case single = 0b11_00_11_10
}

/// Control register 2: reset in bit 7, the range in 3 and 2, set and reset in 1 and 0.
enum QMC5883PControl2: UInt8, RegisterValue {
    static let register: UInt8 = 0x0B

    case softReset = 0x80
    /// The value that must be written to end a reset, since the chip does not clear the reset bit itself.
    case ended = 0x00
    /// The range is ±8 G, with set and reset pulses.
    case gauss8 = 0b10_00
}

/// The signs of the axes, with the value that the data sheet's examples set.
enum QMC5883PSigns: UInt8, RegisterValue {
    static let register: UInt8 = 0x29

    case asInExamples = 0x06
}
