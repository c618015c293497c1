internal import Hardware

/// The registers that are read.
///
/// Source: QST 13-52-19, register map.
enum QMC5883PRegister {
    static let chipID: UInt8 = 0x00
    static let identity: UInt8 = 0x80
    static let data: UInt8 = 0x01
    /// The status; control registers 1 and 2 follow it.
    static let status: UInt8 = 0x09
    /// DRDY in the status.
    static let dataAreReady: UInt8 = 1 << 0
    /// OVFL in the status.
    static let isBeyondRange: UInt8 = 1 << 1
}

/// Control register 1: filter in bits 7 and 6, oversampling in 5 and 4, rate in 3 and 2, mode in 1 and 0.
enum QMC5883PControl1: UInt8, RegisterValue {
    static let register: UInt8 = 0x0A

    /// The filter at 8, the oversampling at 8, 200 Hz.
    case suspend = 0b11_00_11_00
    case single = 0b11_00_11_10
}

/// Control register 2: reset in bit 7, the range in 3 and 2, set and reset in 1 and 0.
enum QMC5883PControl2: UInt8, RegisterValue {
    static let register: UInt8 = 0x0B

    case softReset = 0x80
    /// The reset's bit does not fall by itself.
    case ended = 0x00
    /// ±8 G, with set and reset pulses.
    case gauss8 = 0b10_00
}

/// The signs of the axes.
enum QMC5883PSigns: UInt8, RegisterValue {
    static let register: UInt8 = 0x29

    case asInExamples = 0x06
}
