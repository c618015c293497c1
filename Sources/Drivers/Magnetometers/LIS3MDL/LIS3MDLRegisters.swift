internal import Hardware

/// The addresses of the registers that the driver reads.
///
/// Source: ST DocID024204, register mapping.
enum LIS3MDLRegister {
    static let whoAmI: UInt8 = 0x0F
    static let identity: UInt8 = 0x3D
    /// Bit 7 of the register address in a transfer makes the chip increment the address after each byte.
    static let row: UInt8 = 0x80
    /// The address with which a transfer reads control registers 1 to 5, two reserved registers, the status and the
    /// data.
    static let controlToData = LIS3MDLControl1.register | row
    /// The index of the status register in the bytes of a read from `controlToData`; the data follow the status.
    static let statusInRow = 7
    static let dataInRow = 8
    /// The data-ready bit, ZYXDA, in the status register.
    static let dataAreReady: UInt8 = 1 << 3
}

/// Control register 1: the mode of X and Y in bits 6 and 5, the rate in 4 to 2.
enum LIS3MDLControl1: UInt8, RegisterValue {
    static let register: UInt8 = 0x20

    /// The chip has ultra-high performance at 80 Hz, the highest rate that single conversions allow.
    case ultraHighPerformance = 0b0_11_111_00
}

/// Control register 2: the range in bits 6 and 5.
enum LIS3MDLControl2: UInt8, RegisterValue {
    static let register: UInt8 = 0x21

    case gauss4 = 0b00_00000
}

/// Control register 3: the mode in bits 1 and 0.
enum LIS3MDLControl3: UInt8, RegisterValue {
    static let register: UInt8 = 0x22

    case single = 0b01
    case powerDown = 0b11
}

/// Control register 4: the mode of Z in bits 3 and 2.
enum LIS3MDLControl4: UInt8, RegisterValue {
    static let register: UInt8 = 0x23

    case ultraHighPerformance = 0b11_00
}

/// Control register 5: block data update in bit 6.
enum LIS3MDLControl5: UInt8, RegisterValue {
    static let register: UInt8 = 0x24

    case blockUpdate = 0x40
}
