internal import Hardware

/// The addresses of the registers that the driver reads.
///
/// Source: QST, QMC5883L data sheet, revisions 1.0 and A, register map.
enum QMC5883LRegister {
    static let data: UInt8 = 0x00
    /// The status register; control register 1 is at its address plus 3, the set and reset period at plus 5.
    static let status: UInt8 = 0x06
    static let reserved: UInt8 = 0x0C
    static let reservedValue: UInt8 = 0x01
    static let chipID: UInt8 = 0x0D
    static let identity: UInt8 = 0xFF
    /// The data-ready bit, DRDY, in the status register.
    static let dataAreReady: UInt8 = 1 << 0
    /// The overflow bit, OVL, in the status register.
    static let isBeyondRange: UInt8 = 1 << 1
}

/// Control register 1: oversampling in bits 7 and 6, range in 5 and 4, rate in 3 and 2, mode in 1 and 0.
enum QMC5883LControl1: UInt8, RegisterValue {
    static let register: UInt8 = 0x09

    /// The chip measures at 200 Hz in the range of ±8 G, with oversampling 512.
    case standby = 0b00_01_11_00
    case continuous = 0b00_01_11_01
}

/// Control register 2, which resets the chip and configures its interrupt.
enum QMC5883LControl2: UInt8, RegisterValue {
    static let register: UInt8 = 0x0A

    case softReset = 0x80
    /// The pin DRDY is disabled.
    case noInterrupt = 0x01
}

/// The period of the set and reset pulses, for which the data sheet recommends 1.
enum QMC5883LSetResetPeriod: UInt8, RegisterValue {
    static let register: UInt8 = 0x0B

    case recommended = 0x01
}
