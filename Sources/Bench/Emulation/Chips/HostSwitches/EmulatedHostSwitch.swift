public import Hardware
public import HostSleep
internal import SextantUnits

/// The common part of emulated host switches: their clock, the host's supply, and faults of their registers.
///
/// The rules of each switch are in its subclass, written from its maker's firmware. A class, because each is held by
/// the bus, by the test and by what watches the host's supply.
public class EmulatedHostSwitch: EmulatedChip {
    /// A fault of one register.
    public enum Fault: String, Sendable, CaseIterable {
        /// A value that is written is acknowledged and forgotten.
        case writeLost
        /// A value that is written is stored with one bit wrong.
        case wrongByte
        case noAcknowledge
        /// The first reading after a writing gives what was there before.
        case oldValueOnce
    }

    public let address: I2CAddress
    public var clock: EmulatedClock
    public var faults: [UInt8: Fault] = [:]
    /// Whether the chip answers on the bus.
    public var isPresent = true
    /// Whether the board is supplied now.
    public private(set) var isHostOn = true
    /// Why the host was switched on, one for each time.
    public private(set) var wakes: [WakeCause] = []
    /// Why a host that was on was reset, one for each time.
    public private(set) var resets: [WakeCause] = []
    /// How often the switch has started the host, from off or by a reset.
    public var starts: Int { wakes.count + resets.count }
    /// Told when the supply comes and goes.
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

    /// Does nothing: a switch keeps its supply.
    public func powerCycle() {}

    /// Takes a message of values for a register and, in most chips, those after it; false where not acknowledged.
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

    /// The bytes of a reading; nil where not acknowledged.
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
    /// Told of each transfer.
    func wasAddressed() {}
    /// Told of each second of the clock.
    func clockTicked() {}
    /// Told of each second that passes.
    func secondPassed() {}

    /// The fate of a message after the register's fault.
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

    /// Forgets the alarm, as after another program's write; the second way back stays.
    public func loseAlarm() {}
    /// Whether an alarm stands in the chip that is enabled and has not fired yet.
    public var holdsAlarm: Bool { false }

    /// Cuts the board's supply.
    public func cutSupply() {
        guard isHostOn else { return }
        isHostOn = false
        supplyChanged?(false)
    }

    /// Supplies the board, or resets one that is supplied.
    func wakeHost(_ cause: WakeCause) {
        if isHostOn {
            resets.append(cause)
        } else {
            isHostOn = true
            wakes.append(cause)
            supplyChanged?(true)
        }
    }

    /// Supplies a board that is off; does nothing to one that is on.
    func wakeIfOff(_ cause: WakeCause) { if !isHostOn { wakeHost(cause) } }
}
