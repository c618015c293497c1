public import Hardware
internal import HostSleep
public import SextantUnits

/// An emulated DS3231 real-time clock, from Maxim's data sheet 19-5170, whose interrupt sets a latch that switches the
/// board's supply on.
///
/// The host's halt resets the latch. An interrupt that is still active, from the clock or from a motion sensor, sets
/// the latch again at once.
public final class EmulatedLatch: EmulatedHostSwitch {
    public init(at instant: UTCInstant, address: I2CAddress = I2CAddress(0x68)) {
        super.init(address: address, at: instant)
        registers[0x0E] = 0x1C
    }

    /// Halts the host, which resets the latch and so cuts the supply.
    public func halt() {
        cutSupply()
        if isInterrupting { wakeHost(.alarm) } else if isMotionTold { wakeHost(.motion) }
    }

    /// Whether the motion sensor's interrupt is active, which sets the latch.
    public var isMotionTold = false {
        didSet { if isMotionTold { wakeIfOff(.motion) } }
    }

    public override func loseAlarm() { registers[0x0E] &= ~0x01 }
    public override var holdsAlarm: Bool { registers[0x0E] & 0x05 == 0x05 && registers[0x0F] & 0x01 == 0 }

    private var isInterrupting: Bool { registers[0x0E] & 0x05 == 0x05 && registers[0x0F] & 0x01 != 0 }

    override func value(of register: UInt8) -> UInt8 {
        switch register {
        case 0x03: clock[.weekday] + 1
        case 0x00...0x06: EmulatedClock.Field(rawValue: Int(register)).map { clock[$0] } ?? 0
        case 0x0F: registers[0x0F] | (clock.isStopped ? 0x80 : 0)
        default: registers[Int(register)]
        }
    }

    override func accept(_ value: UInt8, in register: UInt8) {
        switch register {
        case 0x03: return
        case 0x00...0x06: if let field = EmulatedClock.Field(rawValue: Int(register)) { clock[field] = value }
        case 0x0F:
            if value & 0x80 == 0 { clock.isStopped = false }
            // A write can clear the two alarms' flags but not set them.
            registers[0x0F] = value & 0x08 | registers[0x0F] & value & 0x03
        default: registers[Int(register)] = value
        }
    }

    override func clockTicked() {
        let fields: [EmulatedClock.Field] = [.second, .minute, .hour, .day]
        for (index, field) in fields.enumerated() {
            let value = registers[0x07 + index]
            if value & 0x80 != 0 { continue }
            let isWeekday = field == .day && value & 0x40 != 0
            let due = isWeekday ? clock[.weekday] + 1 | 0x40 : clock[field]
            guard value == due else { return }
        }
        registers[0x0F] |= 0x01
        if isInterrupting { wakeIfOff(.alarm) }
    }
}
