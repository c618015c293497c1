public import Hardware
internal import HostSleep
public import SextantUnits

/// An emulated PiJuice, from its firmware 1.6: command_server.c, rtc_ds1339_emu.c and power_management.c.
///
/// Each command reads or writes one block followed by a checksum; a block with a wrong checksum is not accepted. An
/// alarm that fires sets its flag, and requests a wake-up if the alarm is enabled. A requested wake-up
/// waits until 15 s after the last command from the host, until 30 s after the last wake-up, and for the end of a
/// countdown to a cut of the supply. Each command from the host also cancels it.
public final class EmulatedPiJuice: EmulatedHostSwitch {
    /// The number of coming I2C reads whose first byte has lost its highest bit.
    public var lostTopBits = 0
    /// Whether the board has a 5 V supply of its own, which the PiJuice cannot cut.
    public var isSuppliedItself = false
    public var hasExternalPower = false
    public var isCharging = false
    public var percent = 80
    public var millivolts = 3900
    public var firmware: UInt8 = 0x16
    /// The watchdog's period in minutes that the PiJuice keeps in its flash memory; 0 for none.
    public var keptWatchdog = 0
    private var alarm: [UInt8] = [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0, 0xFF]
    private var control: UInt8 = 0
    private var alarmFlag: UInt8 = 0
    private var faultFlags: UInt8 = 0
    private var wakeOnCharge: UInt8 = 0x7F
    private var watchdogPeriod = 0
    private var watchdogTimer = 0
    private var isWakeAsked = false
    private var cutIn: Int?
    private var sinceCommand = 60
    private var sinceWake = 60

    public init(at instant: UTCInstant, address: I2CAddress = I2CAddress(0x14)) {
        super.init(address: address, at: instant)
    }

    /// Clears the alarm's enable bits, as the kernel's DS1339 driver does whenever it sets the clock.
    public func kernelSetsClock() { control &= ~0x05 }

    public override func loseAlarm() { kernelSetsClock() }
    public override var holdsAlarm: Bool { control & 0x05 == 0x05 && alarmFlag & 1 == 0 }

    override func wasAddressed() {
        sinceCommand = 0
        isWakeAsked = false
        watchdogTimer = watchdogPeriod
    }

    override func take(_ values: [UInt8], at register: UInt8) -> Bool {
        guard let checksum = values.last, checksum == values.dropLast().reduce(0xFF, ^) else { return true }
        switch admit(Array(values.dropLast()), at: register, over: block(register)) {
        case .refused: return false
        case .lost: return true
        case .taken(let block):
            accept(block, at: register)
            return true
        }
    }

    override func give(_ count: Int, from register: UInt8) -> [UInt8]? {
        guard var bytes = deliver(block(register), from: register) else { return nil }
        bytes.append(bytes.reduce(0xFF, ^))
        if lostTopBits > 0 {
            lostTopBits -= 1
            bytes[0] &= 0x7F
        }
        return Array((bytes + [UInt8](repeating: 0xFF, count: 32)).prefix(count))
    }

    private func block(_ register: UInt8) -> [UInt8] {
        switch register {
        case 0x40: return [status]
        case 0x41: return [UInt8(percent)]
        case 0x44: return [faultFlags]
        case 0x49: return [UInt8(millivolts & 0xFF), UInt8(millivolts >> 8)]
        case 0x61: return watchdogBlock
        case 0x62: return [cutIn.map { UInt8($0) } ?? 0xFF]
        case 0x63: return [wakeOnCharge]
        case 0xB0:
            let fields: [EmulatedClock.Field] = [.second, .minute, .hour, .weekday, .day, .month, .year]
            return fields.map { clock[$0] } + [0, 0]
        case 0xB9: return alarm
        case 0xC2: return [control, alarmFlag]
        case 0xFD: return [firmware, 0]
        default: return [0]
        }
    }

    private var status: UInt8 {
        (isCharging ? 1 << 2 : 0) | (hasExternalPower ? 3 << 4 : 0) | (isSuppliedItself ? 3 << 6 : 0)
    }

    private var watchdogBlock: [UInt8] {
        let minutes = keptWatchdog > 0 ? keptWatchdog : watchdogPeriod / 60
        let coded = minutes >= 0x4000 ? minutes >> 2 | 0x4000 : minutes
        return [UInt8(coded & 0xFF), UInt8(coded >> 8) | (keptWatchdog > 0 ? 0x80 : 0)]
    }

    private func accept(_ block: [UInt8], at register: UInt8) {
        switch register {
        case 0x44: faultFlags &= block[0]
        case 0x61 where block.count == 2: setWatchdog(Int(block[0]) | Int(block[1]) << 8)
        case 0x62: cutIn = block[0] <= 250 ? max(1, Int(block[0])) : block[0] == 0xFF ? nil : cutIn
        case 0x63: wakeOnCharge = block[0]
        case 0xB0 where block.count == 9:
            for (field, value) in zip(EmulatedClock.Field.allCases, block) where field != .weekday {
                clock[field] = value
            }
        case 0xB9 where block.count == 9: alarm = block
        case 0xC2:
            control = block[0]
            if block.count > 1 { alarmFlag &= block[1] | 0xFC }
        default: return
        }
    }

    private func setWatchdog(_ word: Int) {
        let minutes = (word & 0x3FFF) << (word & 0x4000 != 0 ? 2 : 0)
        if word & 0x8000 != 0 {
            keptWatchdog = minutes
            guard minutes == 0 else { return }
        }
        watchdogPeriod = minutes * 60
        watchdogTimer = watchdogPeriod
    }

    override func clockTicked() {
        let fields: [EmulatedClock.Field] = [.second, .minute, .hour, .day]
        for (index, field) in fields.enumerated() where alarm[index] & 0x80 == 0 && alarm[index] != clock[field] {
            return
        }
        alarmFlag |= 1
        if control & 0x05 == 0x05 { isWakeAsked = true }
    }

    override func secondPassed() {
        sinceCommand += 1
        sinceWake += 1
        if let left = cutIn {
            cutIn = left > 1 ? left - 1 : nil
            if cutIn == nil, !isSuppliedItself { cutSupply() }
        }
        let isChargedToWake = hasExternalPower && wakeOnCharge <= 100 && percent >= wakeOnCharge && !isHostOn
        if isWakeAsked || isChargedToWake, cutIn == nil, sinceCommand > 15, sinceWake > 30 {
            wake(isWakeAsked ? .alarm : .power)
        }
        if watchdogPeriod > 0, sinceCommand > watchdogTimer {
            faultFlags |= 1 << 3
            watchdogTimer += watchdogPeriod
            wake(.backstop)
        }
    }

    private func wake(_ cause: WakeCause) {
        isWakeAsked = false
        cutIn = nil
        sinceWake = 0
        if keptWatchdog > 0 {
            watchdogPeriod = keptWatchdog * 60
            watchdogTimer = watchdogPeriod
        }
        wakeHost(cause)
    }
}
