internal import Hardware

/// The chip in whose package a magnetometer sits, and its switch that lets the bus through to it.
///
/// The switch, BYPASS_EN, works while the host chip's own bus master, I2C_MST_EN, is off. It is a passive one: the host
/// may sleep meanwhile, and its setting can be written then; that of the bus master only awake (the maker's driver for
/// the ICM-20948 wakes the chip for it).
/// Source: InvenSense, RM-MPU-9250A-00 registers 55, 106, 107 and 117; DS-000189 (ICM-20948) bank 0 registers 0, 3, 6
/// and 15.
struct HostBypass: Sendable {
    static let mpu9250 = HostBypass(
        whoAmI: 0x75, identities: (0x71, 0x73), userControl: 0x6A, power: 0x6B, pinSetting: 0x37)
    static let icm20948 = HostBypass(
        whoAmI: 0x00, identities: (0xEA, 0xEA), userControl: 0x03, power: 0x06, pinSetting: 0x0F)

    private static let bypass: UInt8 = 1 << 1
    private static let busMaster: UInt8 = 1 << 5
    /// SLEEP, and CYCLE or LP_EN.
    private static let rest: UInt8 = 1 << 6 | 1 << 5
    /// What users find that the switch takes, in microseconds.
    private static let switchTime = 5000
    private static let places = (I2CAddress(0x68), I2CAddress(0x69))

    var whoAmI: UInt8
    /// An MPU-9255 is an MPU-9250 with another identity.
    var identities: (UInt8, UInt8)
    var userControl: UInt8
    var power: UInt8
    var pinSetting: UInt8

    /// What the host chip's registers held before the switch was closed.
    struct Before: Sendable {
        var host: I2CAddress
        var userControl: UInt8
        var pinSetting: UInt8
    }

    /// The host chip whose switch is closed; nil for none, and then the magnetometer stands by itself.
    func throughHost(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> I2CAddress? {
        for host in [HostBypass.places.0, HostBypass.places.1] where try isHost(at: host, over: &bus) {
            if try isClosed(at: host, over: &bus) { return host }
        }
        return nil
    }

    func isClosed(at host: I2CAddress, over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Bool {
        try bus.readRegister(pinSetting, at: host) & HostBypass.bypass != 0
    }

    /// Closes the switch of the first host chip whose switch is open; nil where there is none.
    func close(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Before? {
        for host in [HostBypass.places.0, HostBypass.places.1] where try isHost(at: host, over: &bus) {
            let before = Before(
                host: host, userControl: try bus.readRegister(userControl, at: host),
                pinSetting: try bus.readRegister(pinSetting, at: host))
            guard before.pinSetting & HostBypass.bypass == 0 else { continue }
            let masterIsOff = before.userControl & ~HostBypass.busMaster
            if masterIsOff != before.userControl { try setUserControl(masterIsOff, at: host, over: &bus) }
            try bus.writeRegister(pinSetting, before.pinSetting | HostBypass.bypass, at: host)
            bus.wait(microseconds: HostBypass.switchTime)
            return before
        }
        return nil
    }

    func restore(_ before: Before, over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try bus.writeRegister(pinSetting, before.pinSetting, at: before.host)
        if before.userControl & HostBypass.busMaster != 0 {
            try setUserControl(before.userControl, at: before.host, over: &bus)
        }
    }

    private func setUserControl(
        _ value: UInt8, at host: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        let before = try bus.readRegister(power, at: host)
        let isAwake = before & HostBypass.rest == 0
        if !isAwake { try bus.writeRegister(power, before & ~HostBypass.rest, at: host) }
        try bus.writeRegister(userControl, value, at: host)
        if !isAwake { try bus.writeRegister(power, before, at: host) }
    }

    private func isHost(at host: I2CAddress, over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Bool {
        do {
            let identity = try bus.readRegister(whoAmI, at: host)
            return identity == identities.0 || identity == identities.1
        } catch .bus(let error) where error.kind == .noAcknowledge || error.kind == .busy {
            return false
        }
    }
}
