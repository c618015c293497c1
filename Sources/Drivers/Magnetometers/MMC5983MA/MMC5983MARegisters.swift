internal import Hardware

/// The addresses of the registers that the driver reads.
///
/// Source: MEMSIC, MMC5983MA data sheet, register map.
enum MMC5983MARegister {
    static let data: UInt8 = 0x00
    static let status: UInt8 = 0x08
    static let productID: UInt8 = 0x2F
    static let identity: UInt8 = 0x30
    /// The data-ready bit, Meas_M_Done, in the status register; it is cleared when a measurement is started.
    static let fieldIsMeasured: UInt8 = 1 << 0
    /// The bit OTP_Rd_Done in the status register: the chip has loaded its trim values.
    static let trimIsFetched: UInt8 = 1 << 4
}

/// Internal control register 0, write-only; its command bits clear themselves.
enum MMC5983MAControl0: UInt8, RegisterValue {
    static let register: UInt8 = 0x09

    case measureField = 0x01
    case set = 0x08
    case reset = 0x10
    case fetchTrim = 0x40
}

/// Internal control register 1, write-only: SW_RST in bit 7, the bandwidth BW in 1:0.
///
/// By the bandwidth code, a measurement takes 8, 4, 2 or 0.5 ms; the longest has the least noise.
enum MMC5983MAControl1: UInt8, RegisterValue {
    static let register: UInt8 = 0x0A

    case narrowest = 0x00
    case reset = 0x80
}
