public import Hardware
public import HostSleep
internal import SextantUnits

/// What emulated host switches have in common: their clock, the host's supply, and faults of their registers.
///
/// A host switch cuts and restores the supply of the board. The rules of each switch are in its subclass, written from
/// its maker's firmware. A class, because the bus, the test and the observer of the host's supply share each switch.
public class EmulatedHostSwitch: EmulatedChip {
    /// A fault of one register.
    public enum Fault: String, Sendable, CaseIterable {
        /// A written value is acknowledged but not stored.
        case writeLost
        /// A written value is stored with one bit wrong.
        case wrongByte
        case noAcknowledge
        /// The first reading after a write returns the register's old value.
        case oldValueOnce
    }

    public let address: I2CAddress
    public var clock: EmulatedClock
    public var faults: [UInt8: Fault] = [:]
    /// Whether the switch answers on the I2C bus.
    public var isPresent = true
    /// Whether the switch supplies the board now.
    public private(set) var isHostOn = true
    /// The causes for which the switch has switched the host on, one for each time, in order.
    public private(set) var wakes: [WakeCause] = []
    /// The causes for which the switch has reset a host that was on, one for each time, in order.
    public private(set) var resets: [WakeCause] = []
    /// The number of times that the switch has started the host, by switching it on or by a reset.
    public var starts: Int { wakes.count + resets.count }
    /// Called when the board's supply is switched on (true) or off (false).
    public var supplyChanged: ((Bool) -> Void)?
    var registers = [UInt8](repeating: 0, count: 256)
    private var stale: [UInt8: [UInt8]] = [:]
    private var pointer: UInt8 = 0
    private var microseconds = 0

    init(address: I2CAddress, at instant: UTCInstant) {
        self.address = address
        clock = EmulatedClock(instant)
    }

    public var addresses: Set<I2CAddress> { isPresent ? [address] : [] }

    public func write(_ bytes: [UInt8], at address: I2CAddress) -> Bool {
        guard isPresent, let first = bytes.first else { return isPresent }
        pointer = first
        wasAddressed()
        return bytes.count == 1 || take(Array(bytes.dropFirst()), at: first)
    }

    public func read(_ count: Int, at address: I2CAddress) -> [UInt8]? {
        guard isPresent else { return nil }
        return give(count, from: pointer)
    }

    public func pass(microseconds: Int) {
        self.microseconds += microseconds
        while self.microseconds >= 1_000_000 {
            self.microseconds -= 1_000_000
            for _ in 0..<clock.pass() { clockTicked() }
            secondPassed()
        }
    }

    /// Lets whole seconds pass.
    public func pass(seconds: Int) { pass(microseconds: seconds * 1_000_000) }

    /// Does nothing: a host switch never loses its own supply.
    public func powerCycle() {}

    /// Takes the values of an I2C write for a register and the registers after it; false if the write is not
    /// acknowledged.
    ///
    /// A subclass whose chip assigns the values in another way overrides this.
    func take(_ values: [UInt8], at register: UInt8) -> Bool {
        for (offset, value) in values.enumerated() {
            let register = register &+ UInt8(offset)
            switch admit([value], at: register, over: [self.value(of: register)]) {
            case .refused: return false
            case .lost: continue
            case .taken(let values): accept(values[0], in: register)
            }
        }
        return true
    }

    /// The bytes with which the chip answers an I2C read; nil if the chip does not acknowledge the read.
    func give(_ count: Int, from register: UInt8) -> [UInt8]? {
        var bytes: [UInt8] = []
        for offset in 0..<count {
            let register = register &+ UInt8(offset)
            guard let given = deliver([value(of: register)], from: register) else { return nil }
            bytes += given
        }
        return bytes
    }

    func value(of register: UInt8) -> UInt8 { registers[Int(register)] }
    func accept(_ value: UInt8, in register: UInt8) { registers[Int(register)] = value }
    /// Called at each I2C write to the switch, also at one that only selects a register to be read.
    func wasAddressed() {}
    /// Called for each second that the switch's clock counts.
    func clockTicked() {}
    /// Called for each second of true time, whatever the switch's clock counts.
    func secondPassed() {}

    /// How the chip treats an I2C write: not acknowledged, acknowledged without effect, or acknowledged with these
    /// bytes stored.
    enum Admission {
        case refused
        case lost
        case taken([UInt8])
    }

    func admit(_ values: [UInt8], at register: UInt8, over present: [UInt8]) -> Admission {
        switch faults[register] {
        case .noAcknowledge: return .refused
        case .writeLost: return .lost
        case .wrongByte: return .taken([values[0] ^ 1] + values.dropFirst())
        case .oldValueOnce:
            stale[register] = present
            return .taken(values)
        case nil: return .taken(values)
        }
    }

    func deliver(_ values: [UInt8], from register: UInt8) -> [UInt8]? {
        if faults[register] == .noAcknowledge { return nil }
        return stale.removeValue(forKey: register) ?? values
    }

    /// Clears the alarm, as another program's write would; the switch's second way to wake the host (such as a
    /// watchdog) remains.
    public func loseAlarm() {}
    /// Whether an alarm is set and enabled in the switch and has not fired yet.
    public var holdsAlarm: Bool { false }

    /// Cuts the board's supply.
    public func cutSupply() {
        guard isHostOn else { return }
        isHostOn = false
        supplyChanged?(false)
    }

    /// Switches the board's supply on; a board that is on already is reset.
    func wakeHost(_ cause: WakeCause) {
        if isHostOn {
            resets.append(cause)
        } else {
            isHostOn = true
            wakes.append(cause)
            supplyChanged?(true)
        }
    }

    /// Switches the board's supply on if it is off; does nothing to a board that is on.
    func wakeIfOff(_ cause: WakeCause) { if !isHostOn { wakeHost(cause) } }
}
