internal import Hardware

/// The bus switch of a host chip, that is, of a chip whose package contains a magnetometer.
///
/// The switch, BYPASS_EN, connects the bus to the magnetometer while the host chip's own bus master, I2C_MST_EN, is
/// off. The switch is passive, so it works, and can be set, while the host chip sleeps. The bus master can be set only
/// while the host chip is awake (the maker's driver for the ICM-20948 wakes the chip for it). Source: InvenSense,
/// RM-MPU-9250A-00 registers 55, 106, 107 and 117; DS-000189 (ICM-20948) bank 0 registers 0, 3, 6 and 15.
struct HostBypass: Sendable {
    enum Host: Sendable {
        /// An MPU-9250, or an MPU-9255, which has another identity.
        case mpu9250
        case icm20948
    }

    static let mpu9250 = HostBypass(kind: .mpu9250, userControl: 0x6A, power: 0x6B, pinSetting: 0x37)
    static let icm20948 = HostBypass(kind: .icm20948, userControl: 0x03, power: 0x06, pinSetting: 0x0F)

    private static let bypass: UInt8 = 1 << 1
    private static let busMaster: UInt8 = 1 << 5
    /// The bits of the power register that are 0 while the chip is awake: SLEEP, and CYCLE or LP_EN.
    private static let rest: UInt8 = 1 << 6 | 1 << 5
    /// The time that the bus switch takes to close, as users report it, in microseconds.
    private static let switchTime = 5000
    private static let places = [I2CAddress(0x68), I2CAddress(0x69)]
    /// The number of tries after which an address counts as vacant; a single lost answer must not change the frame of
    /// the readings.
    private static let attempts = 3

    var kind: Host
    var userControl: UInt8
    var power: UInt8
    var pinSetting: UInt8

    /// The contents of the host chip's registers before the switch was closed, to restore them.
    struct Before: Sendable {
        var host: I2CAddress
        var userControl: UInt8
        var pinSetting: UInt8
    }

    /// The address of the host chip whose switch is closed; nil if there is none, so that the magnetometer is connected
    /// directly.
    ///
    /// Throws if that is unknown, because a kernel driver holds an address at which a host chip can be.
    func throughHost(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> I2CAddress? {
        let (hosts, held) = try hosts(over: &bus)
        for host in hosts where try isClosed(at: host, over: &bus) { return host }
        if let held { throw .bus(held) }
        return nil
    }

    func isClosed(at host: I2CAddress, over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Bool {
        try bus.readRegister(pinSetting, at: host) & HostBypass.bypass != 0
    }

    /// Closes the switch of the first host chip whose switch is open, and returns its registers as they were before;
    /// nil if there is no such chip.
    ///
    /// Throws if that is unknown, because a kernel driver holds an address at which a host chip can be.
    func close(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Before? {
        let (hosts, held) = try hosts(over: &bus)
        for host in hosts {
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
        if let held { throw .bus(held) }
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

    /// The addresses at which host chips answer; `held` is the error for an address that a kernel driver holds and at
    /// which a host chip can be.
    private func hosts(
        over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) -> (answering: [I2CAddress], held: BusError?) {
        var answering: [I2CAddress] = []
        var held: BusError?
        for place in HostBypass.places {
            do {
                if try isHost(at: place, over: &bus) { answering.append(place) }
            } catch .bus(let error) where error.kind == .busy {
                // If the kernel driver is named "rtc-…", it drives a clock, so the chip at this address is no host
                // chip.
                if !error.cause.hasPrefix("rtc-") { held = error }
            }
        }
        return (answering, held)
    }

    private func isHost(at place: I2CAddress, over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Bool {
        for _ in 0..<HostBypass.attempts {
            do {
                try checkHost(at: place, over: &bus)
                return true
            } catch .wrongIdentity {
                return false
            } catch .bus(let error) where error.kind == .noAcknowledge {
                continue
            }
        }
        return false
    }

    /// Throws `wrongIdentity` if the chip at the address `place` is not a host chip of this kind.
    func checkHost(at place: I2CAddress, over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        switch kind {
        case .icm20948: try ICM20948Identity.check(as: "icm20948", at: place, over: &bus)
        case .mpu9250:
            let found = try bus.readRegister(0x75, at: place)
            guard found == 0x71 || found == 0x73 else {
                throw .wrongIdentity(
                    chip: "mpu9250", register: 0x75, expected: 0x71, found: found, at: bus.chip(place))
            }
        }
    }
}
