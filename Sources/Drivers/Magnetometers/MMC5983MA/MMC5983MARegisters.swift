internal import Hardware

/// The registers that are read.
///
/// Source: MEMSIC, MMC5983MA data sheet, register map.
enum MMC5983MARegister {
    static let data: UInt8 = 0x00
    static let status: UInt8 = 0x08
    static let productID: UInt8 = 0x2F
    static let identity: UInt8 = 0x30
    /// Meas_M_Done in the status register: it falls when a measurement is asked for.
    static let fieldIsMeasured: UInt8 = 1 << 0
    /// OTP_Rd_Done in the status register.
    static let trimIsFetched: UInt8 = 1 << 4
}

/// Internal control register 0, write-only; its commands fall back to 0 by themselves.
enum MMC5983MAControl0: UInt8, RegisterValue {
    static let register: UInt8 = 0x09

    case measureField = 0x01
    case set = 0x08
    case reset = 0x10
    case fetchTrim = 0x40
}

/// Internal control register 1, write-only: SW_RST in bit 7, BW in 1:0.
///
/// The codes of the bandwidth have measurements of 8, 4, 2 and 0.5 ms; the longest is the least noisy.
enum MMC5983MAControl1: UInt8, RegisterValue {
    static let register: UInt8 = 0x0A

    case narrowest = 0x00
    case reset = 0x80
}
