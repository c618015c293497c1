internal import Hardware

/// The registers that are read.
///
/// Source: Bosch, BST-BMM150-DS001, chapter 5.
enum BMM150Register {
    static let chipID: UInt8 = 0x40
    static let identity: UInt8 = 0x32
    static let data: UInt8 = 0x42
    static let trim: UInt8 = 0x5D
    /// The lowest bit of the Hall resistance's low register; it falls when the data are read.
    static let dataAreReady: UInt8 = 1 << 0
    /// The count of X or Y where the field is beyond its range.
    static let overflowXY = -4096
    static let overflowZ = -16384
}

/// Register 0x4B: soft reset in bits 7 and 1, the power bit in 0.
enum BMM150Power: UInt8, RegisterValue {
    static let register: UInt8 = 0x4B

    case on = 0x01
    case reset = 0x82
}

/// Register 0x4C: the data rate in bits 5:3, for normal mode only, the mode in 2:1; sleep by itself after forced.
enum BMM150Operation: UInt8, RegisterValue {
    static let register: UInt8 = 0x4C

    case forced = 0b01_0
}

/// The repetitions of X and Y: an odd number.
struct BMM150RepetitionsXY: RegisterValue {
    static let register: UInt8 = 0x51
    var count: Int

    var rawValue: UInt8 { UInt8(truncatingIfNeeded: (count - 1) / 2) }
}

/// The repetitions of Z.
struct BMM150RepetitionsZ: RegisterValue {
    static let register: UInt8 = 0x52
    var count: Int

    var rawValue: UInt8 { UInt8(truncatingIfNeeded: count - 1) }
}
