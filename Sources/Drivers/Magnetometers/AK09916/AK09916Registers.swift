internal import Hardware

/// The addresses of the registers that the driver reads.
///
/// Source: AKM, AK09916 data sheet 016014242-E, register map.
enum AK09916Register {
    static let whoAmI: UInt8 = 0x00
    static let company: UInt8 = 0x48
    static let whatAmI: UInt8 = 0x01
    static let device: UInt8 = 0x09
    /// ST1, which is read in one transfer with the six registers of data, an empty register and ST2.
    static let status1: UInt8 = 0x10
    /// The data-ready bit, DRDY, in ST1.
    static let dataAreReady: UInt8 = 1 << 0
    /// The overflow bit, HOFL, in ST2: the sum of the axes' magnitudes is 4912 µT or more.
    static let isBeyondRange: UInt8 = 1 << 3
}

/// CNTL2, which selects the mode; after a single measurement the chip returns to power-down by itself.
enum AK09916Control2: UInt8, RegisterValue {
    static let register: UInt8 = 0x31

    case single = 0x01
}

/// CNTL3, which resets the chip.
enum AK09916Control3: UInt8, RegisterValue {
    static let register: UInt8 = 0x32

    case reset = 0x01
}
