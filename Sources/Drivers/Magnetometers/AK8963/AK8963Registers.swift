internal import Hardware

/// The addresses of the registers that the driver reads.
///
/// Source: AKM, AK8963 data sheet MS1356-E, chapter 8.
enum AK8963Register {
    static let whoAmI: UInt8 = 0x00
    static let company: UInt8 = 0x48
    static let information: UInt8 = 0x01
    static let device: UInt8 = 0x9A
    /// The bits of the device id that AKM's own driver compares to identify the chip.
    static let deviceMask: UInt8 = 0x18
    /// ST1, which is read in one transfer with the six registers of data and ST2.
    static let status1: UInt8 = 0x02
    static let adjustment: UInt8 = 0x10
    /// The data-ready bit, DRDY, in ST1.
    static let dataAreReady: UInt8 = 1 << 0
    /// The overflow bit, HOFL, in ST2: the sum of the axes' magnitudes is 4912 µT or more.
    static let isBeyondRange: UInt8 = 1 << 3
    /// The bit BITM in ST2: the measurement has 16 bits.
    static let is16Bit: UInt8 = 1 << 4
}

/// CNTL1: BIT (16-bit output) in bit 4, MODE in 3:0; a single measurement ends in power-down.
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

/// CNTL2, which resets the chip.
enum AK8963Control2: UInt8, RegisterValue {
    static let register: UInt8 = 0x0B

    case reset = 0x01
}
