internal import Hardware

/// The addresses of the registers that the driver reads.
///
/// Source: iSentek, IST8310 data sheet, register map; PX4's register names agree.
enum IST8310Register {
    static let whoAmI: UInt8 = 0x00
    static let identity: UInt8 = 0x10
    /// Status register 1, which is read in one transfer with the six registers of data.
    static let status1: UInt8 = 0x02
    /// The data-ready bit, DRDY, in status register 1, which is cleared when the data are read.
    static let dataAreReady: UInt8 = 1 << 0
}

/// Control register 1, which selects the mode; after a single measurement the chip returns to standby by itself.
enum IST8310Control1: UInt8, RegisterValue {
    static let register: UInt8 = 0x0A

    case single = 0x01
}

/// Control register 2; the chip clears its reset bit once it has restarted.
enum IST8310Control2: UInt8, RegisterValue {
    static let register: UInt8 = 0x0B

    case reset = 0x01
}

/// The binary logarithm of the number of samples that are averaged: for Y in bits 5:3, for X and Z in 2:0; 0 at
/// power-up.
enum IST8310Averaging: UInt8, RegisterValue {
    static let register: UInt8 = 0x41

    case bySixteen = 0b100_100
}

/// The duration of the set and reset pulse; the data sheet demands the normal duration, which is not the value at
/// power-up.
enum IST8310PulseDuration: UInt8, RegisterValue {
    static let register: UInt8 = 0x42

    case normal = 0xC0
}
