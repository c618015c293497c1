public import Hardware
internal import HostSleep
public import SextantUnits

/// An emulated LiFePO4wered/Pi+ with register version 7, from the maker's lifepo4wered-data.c and
/// lifepo4wered-access.c.
///
/// A write is accepted only if it begins with the unlocking byte of its register. The alarm and the wake timer, which
/// counts minutes from the cut of the supply, work at the same time; the maker does not document this.
public final class EmulatedLiFePO4wered: EmulatedHostSwitch {
    /// The number of coming I2C reads in whose first byte the highest bit is wrong.
    public var wrongFirstBits = 0
    private var cutIn: Int?
    private var sinceCut = 0

    public init(at instant: UTCInstant, address: I2CAddress = I2CAddress(0x43), version: UInt8 = 7) {
        super.init(address: address, at: instant)
        registers[0x00] = version
        registers[0x01] = address.rawValue
        store(4664, at: 0x0A)
        store(5172, at: 0x0C)
        store(1290, at: 0x10)
        registers[0x21] = 30
        registers[0x22] = 12
        registers[0x31] = 1
        store(5400, at: 0x32)
    }

    private func store(_ value: Int, at register: Int) {
        registers[register] = UInt8(value & 0xFF)
        registers[register + 1] = UInt8(value >> 8)
    }

    /// The host's UART goes silent; if the host has reported that it is stopping, the supply is cut.
    public func hostFallsSilent() { if registers[0x31] == 0, isHostOn { cut() } }

    /// A touch of the button.
    public func press() { turnOn(.button) }

    public override func loseAlarm() { registers.replaceSubrange(0x2C...0x2F, with: [0, 0, 0, 0]) }
    public override var holdsAlarm: Bool { alarm > seconds }

    override func take(_ values: [UInt8], at register: UInt8) -> Bool {
        guard values.first == address.rawValue << 1 ^ 0xC9 ^ register else { return true }
        return super.take(Array(values.dropFirst()), at: register)
    }

    override func give(_ count: Int, from register: UInt8) -> [UInt8]? {
        guard var bytes = super.give(count, from: register) else { return nil }
        if wrongFirstBits > 0 {
            wrongFirstBits -= 1
            bytes[0] ^= 0x80
        }
        return bytes
    }

    private var seconds: UInt32 {
        get { UInt32(clamping: clock.instant.nanoseconds / 1_000_000_000) }
        set { clock.instant = UTCInstant(nanoseconds: Int64(newValue) * 1_000_000_000) }
    }

    override func value(of register: UInt8) -> UInt8 {
        switch register {
        case 0x28...0x2B: UInt8(truncatingIfNeeded: seconds >> (8 * (UInt32(register) - 0x28)))
        default: registers[Int(register)]
        }
    }

    override func accept(_ value: UInt8, in register: UInt8) {
        switch register {
        case 0x28...0x2B:
            let shift = 8 * (UInt32(register) - 0x28)
            seconds = seconds & ~(0xFF << shift) | UInt32(value) << shift
        case 0x00, 0x32...0x3A: return
        case 0x31:
            registers[0x31] = value
            cutIn = value == 0 ? max(1, Int(registers[0x22]) * 10) : nil
        default: registers[Int(register)] = value
        }
    }

    override func clockTicked() {
        if !isHostOn, alarm != 0, seconds == alarm { turnOn(.alarm) }
    }

    private var alarm: UInt32 {
        (0..<4).reduce(UInt32(0)) { $0 | UInt32(registers[0x2C + $1]) << (8 * UInt32($1)) }
    }

    override func secondPassed() {
        if let left = cutIn {
            cutIn = left > 1 ? left - 1 : nil
            if cutIn == nil { cut() }
        }
        guard !isHostOn else { return }
        sinceCut += 1
        let minutes = Int(registers[0x26]) | Int(registers[0x27]) << 8
        if minutes > 0, sinceCut >= minutes * 60 { turnOn(.backstop) }
    }

    private func cut() {
        cutIn = nil
        sinceCut = 0
        cutSupply()
    }

    private func turnOn(_ cause: WakeCause) {
        guard !isHostOn else { return }
        registers[0x31] = 1
        wakeHost(cause)
    }
}
