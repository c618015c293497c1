internal import Hardware

/// The addresses of the registers that the driver reads.
///
/// Source: MEMSIC, MMC5603NJ data sheet, register map.
enum MMC5603Register {
    static let data: UInt8 = 0x00
    static let status1: UInt8 = 0x18
    static let productID: UInt8 = 0x39
    static let identity: UInt8 = 0x10
    /// The data-ready bit, Meas_m_done, in status register 1; it is cleared when a measurement is started.
    static let fieldIsMeasured: UInt8 = 1 << 6
}

/// Internal control register 0, write-only; its command bits clear themselves.
enum MMC5603Control0: UInt8, RegisterValue {
    static let register: UInt8 = 0x1B

    case measureField = 0x01
    case set = 0x08
    case reset = 0x10
}

/// Internal control register 1, write-only: SW_RST in bit 7, the bandwidth BW in 1:0.
///
/// By the bandwidth code, a measurement takes 6.6, 3.5, 2 or 1.2 ms; the longest has the least noise.
enum MMC5603Control1: UInt8, RegisterValue {
    static let register: UInt8 = 0x1C

    case narrowest = 0x00
    case reset = 0x80
}
