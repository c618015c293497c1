internal import Hardware

/// The addresses of the registers that the driver reads.
///
/// Source: Honeywell 900405 revision E, table 2.
enum HMCRegister {
    static let status: UInt8 = 0x09
    /// The first of the three identification registers, which hold the characters "H43".
    static let identification: UInt8 = 0x0A
    static let identity: [UInt8] = [0x48, 0x34, 0x33]
    /// The ready bit, RDY, in the status register.
    static let isReady: UInt8 = 1 << 0
    /// The higher of the two mode bits in the mode register; it is set while the chip is idle.
    static let isIdle: UInt8 = 1 << 1
}

/// Configuration register A: averaging in bits 6 and 5, the rate in 4 to 2, the self-test's bias in 1 and 0.
enum HMCConfigurationA: UInt8, RegisterValue {
    static let register: UInt8 = 0x00

    /// Eight samples are averaged; the rate, 15 Hz, has no effect on single measurements.
    case averagingEight = 0x70
    /// The rate is 220 Hz, and the LSM303DLHC's thermometer is off.
    case hertz220 = 0x1C
}

/// The gain's code in bits 7 to 5 of configuration register B, from the finest used (±1.3 G) to the coarsest (±8.1 G).
///
/// Code 0 (±0.88 G) is omitted, because the Earth's field together with the iron on a board easily exceeds it, and
/// because the LSM303DLHC lacks it.
enum HMCGain: UInt8, RegisterValue {
    static let register: UInt8 = 0x01

    case one = 0x20
    case two = 0x40
    case three = 0x60
    case four = 0x80
    case five = 0xA0
    case six = 0xC0
    case seven = 0xE0

    var coarser: HMCGain? { self == .seven ? nil : HMCGain(rawValue: rawValue + 0x20) }
    var finer: HMCGain? { self == .one ? nil : HMCGain(rawValue: rawValue - 0x20) }
}

/// The mode register: the chip takes one measurement, or is idle.
enum HMCMode: UInt8, RegisterValue {
    static let register: UInt8 = 0x02

    case single = 1
    case idle = 3
}
