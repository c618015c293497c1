internal import Hardware

/// The addresses of the registers that the driver reads.
///
/// Source: Bosch, BST-BMM150-DS001, chapter 5.
enum BMM150Register {
    static let chipID: UInt8 = 0x40
    static let identity: UInt8 = 0x32
    static let data: UInt8 = 0x42
    static let trim: UInt8 = 0x5D
    /// The data-ready bit, which is bit 0 in the low byte of the Hall plate's resistance; it is cleared when the data
    /// are read.
    static let dataAreReady: UInt8 = 1 << 0
    /// The count of X or Y that means that the field is beyond the range.
    static let overflowXY = -4096
    static let overflowZ = -16384
}

/// Register 0x4B: soft reset in bits 7 and 1, the power bit in 0.
enum BMM150Power: UInt8, RegisterValue {
    static let register: UInt8 = 0x4B

    case on = 0x01
    case reset = 0x82
}

/// Register 0x4C: the data rate of normal mode in bits 5:3, the mode in 2:1; forced mode returns to sleep by itself.
enum BMM150Operation: UInt8, RegisterValue {
    static let register: UInt8 = 0x4C

    case forced = 0b01_0
}

/// The register for the number of repetitions in X and Y, which must be odd.
struct BMM150RepetitionsXY: RegisterValue {
    static let register: UInt8 = 0x51
    var count: Int

    var rawValue: UInt8 { UInt8(truncatingIfNeeded: (count - 1) / 2) }
}

/// The register for the number of repetitions in Z.
struct BMM150RepetitionsZ: RegisterValue {
    static let register: UInt8 = 0x52
    var count: Int

    var rawValue: UInt8 { UInt8(truncatingIfNeeded: count - 1) }
}
