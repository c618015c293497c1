internal import Hardware

/// The addresses of the registers that the driver reads.
///
/// Source: ST DS12144, register mapping.
enum LIS2MDLRegister {
    static let whoAmI: UInt8 = 0x4F
    static let identity: UInt8 = 0x40
    /// The index of the status register in the bytes of a read that begins with configuration register A.
    static let statusInRow = 7
    static let data: UInt8 = 0x68
    /// The data-ready bit, Zyxda, in the status register.
    static let dataAreReady: UInt8 = 1 << 3
    /// The overrun bit, Zyxor, in the status register: new data replaced unread ones.
    static let dataWereLost: UInt8 = 1 << 7
}

/// Configuration register A: temperature compensation in bit 7, reset in 5, rate in 3 and 2, mode in 1 and 0.
enum LIS2MDLConfigurationA: UInt8, RegisterValue {
    static let register: UInt8 = 0x60

    case reset = 0b10_0000
    /// The chip measures continuously at 100 Hz, with temperature compensation.
    case continuous = 0b1000_11_00
    case idle = 0b1000_11_11
}

/// Configuration register B: offset cancellation in bit 1.
enum LIS2MDLConfigurationB: UInt8, RegisterValue {
    static let register: UInt8 = 0x61

    case offsetCancellation = 0b10
}

/// Configuration register C: block data update in bit 4; the low byte of each value comes first.
enum LIS2MDLConfigurationC: UInt8, RegisterValue {
    static let register: UInt8 = 0x62

    case blockUpdate = 0x10
}
