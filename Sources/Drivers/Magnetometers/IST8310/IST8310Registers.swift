internal import Hardware

/// The registers that are read.
///
/// Source: iSentek, IST8310 data sheet, register map; PX4's register names agree.
enum IST8310Register {
    static let whoAmI: UInt8 = 0x00
    static let identity: UInt8 = 0x10
    /// The six registers of data follow it.
    static let status1: UInt8 = 0x02
    /// DRDY in status register 1: it falls when the data are read.
    static let dataAreReady: UInt8 = 1 << 0
}

/// Control register 1: the mode, back in standby by itself after a single measurement.
enum IST8310Control1: UInt8, RegisterValue {
    static let register: UInt8 = 0x0A

    case single = 0x01
}

/// Control register 2; the bit falls when the chip has come up again.
enum IST8310Control2: UInt8, RegisterValue {
    static let register: UInt8 = 0x0B

    case reset = 0x01
}

/// The averaging: of Y in bits 5:3, of X and Z in 2:0; the code is the exponent of two, 0 at power-up.
enum IST8310Averaging: UInt8, RegisterValue {
    static let register: UInt8 = 0x41

    case bySixteen = 0b100_100
}

/// The duration of the set and reset pulse; the data sheet wants the normal one, which is not that of power-up.
enum IST8310PulseDuration: UInt8, RegisterValue {
    static let register: UInt8 = 0x42

    case normal = 0xC0
}
