internal import Hardware

/// The registers that are read.
///
/// Source: AKM, AK09916 data sheet 016014242-E, register map.
enum AK09916Register {
    static let whoAmI: UInt8 = 0x00
    static let company: UInt8 = 0x48
    static let whatAmI: UInt8 = 0x01
    static let device: UInt8 = 0x09
    /// ST1; the six registers of data, one that is empty and ST2 follow it.
    static let status1: UInt8 = 0x10
    /// DRDY in ST1.
    static let dataAreReady: UInt8 = 1 << 0
    /// HOFL in ST2: the sum of the axes' magnitudes is 4912 µT or more.
    static let isBeyondRange: UInt8 = 1 << 3
}

/// CNTL2: the mode, in power-down by itself after a single measurement.
enum AK09916Control2: UInt8, RegisterValue {
    static let register: UInt8 = 0x31

    case single = 0x01
}

/// CNTL3.
enum AK09916Control3: UInt8, RegisterValue {
    static let register: UInt8 = 0x32

    case reset = 0x01
}
