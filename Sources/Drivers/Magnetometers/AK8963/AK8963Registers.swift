internal import Hardware

/// The registers that are read.
///
/// Source: AKM, AK8963 data sheet MS1356-E, chapter 8.
enum AK8963Register {
    static let whoAmI: UInt8 = 0x00
    static let company: UInt8 = 0x48
    static let information: UInt8 = 0x01
    static let device: UInt8 = 0x9A
    /// The bits of it that AKM's own driver compares.
    static let deviceMask: UInt8 = 0x18
    /// ST1; the six registers of data and ST2 follow it.
    static let status1: UInt8 = 0x02
    static let adjustment: UInt8 = 0x10
    /// DRDY in ST1.
    static let dataAreReady: UInt8 = 1 << 0
    /// HOFL in ST2: the sum of the axes' magnitudes is 4912 µT or more.
    static let isBeyondRange: UInt8 = 1 << 3
    /// BITM in ST2.
    static let is16Bit: UInt8 = 1 << 4
}

/// CNTL1: BIT (16 bits of output) in bit 4, MODE in 3:0; in power-down by itself after a single measurement.
struct AK8963Control1: RegisterValue {
    enum Mode: UInt8 {
        case powerDown = 0x00
        case single = 0x01
        case fuseAccess = 0x0F
    }

    static let register: UInt8 = 0x0A
    var mode: Mode

    var rawValue: UInt8 { 1 << 4 | mode.rawValue }
}

/// CNTL2.
enum AK8963Control2: UInt8, RegisterValue {
    static let register: UInt8 = 0x0B

    case reset = 0x01
}
