internal import Hardware

/// The addresses of the registers that the driver reads, and those of the cycle counts, which take two registers for
/// each axis.
///
/// Source: PNI, RM3100 & RM2100 user manual, table 5-1. The identity 0x22 in REVID is from PX4 and the maker's FAQ.
enum RM3100Register {
    /// The first register of the cycle counts, each of which has its high byte first; a count is 0x00C8 at power-up.
    static let cycleCounts: UInt8 = 0x04
    static let cycles: UInt8 = 200
    static let results: UInt8 = 0x24
    static let status: UInt8 = 0x34
    static let revision: UInt8 = 0x36
    static let identity: UInt8 = 0x22
    /// The data-ready bit, DRDY, in STATUS, which is cleared when the results are read.
    static let dataAreReady: UInt8 = 1 << 7
}

/// POLL, which starts one measurement of the axes whose bits are set: X in bit 4, Y in 5, Z in 6.
enum RM3100Poll: UInt8, RegisterValue {
    static let register: UInt8 = 0x00

    case allAxes = 0x70
}

/// CMM, which controls continuous measurement and switches it off here.
enum RM3100Continuous: UInt8, RegisterValue {
    static let register: UInt8 = 0x01

    case off = 0x00
}

/// BIST: bit 7 makes POLL test the coils instead of measuring.
enum RM3100SelfTest: UInt8, RegisterValue {
    static let register: UInt8 = 0x33

    case off = 0x00
}

/// TMRC: the rate of continuous measurement, 37 Hz (0x96) at power-up.
enum RM3100Rate: UInt8, RegisterValue {
    static let register: UInt8 = 0x0B

    case hz600 = 0x92
}
