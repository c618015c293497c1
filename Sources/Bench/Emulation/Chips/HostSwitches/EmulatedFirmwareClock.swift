public import Hardware
public import HostSleep
public import SextantUnits

/// The emulated clock of a Raspberry Pi 5's firmware, reached through its mailbox and through the kernel's driver
/// rtc-rpi.c.
///
/// The kernel sets the alarm in the clock and keeps a copy of the alarm, which it still reports when the clock has lost
/// the alarm. A class, because the mailbox, the kernel's alarm and the test share the same clock.
public final class EmulatedFirmwareClock: FirmwareMailbox, KernelAlarm {
    public let name: String
    public var clock: EmulatedClock
    /// Whether the mailbox answers.
    public var isPresent = true
    /// The faults, by register.
    public var faults: [UInt32: EmulatedHostSwitch.Fault] = [:]
    /// The alarm that the kernel reports, in seconds since 1970; nil if it reports none.
    public private(set) var kernelCopy: UInt32?
    public private(set) var isHostOn = true
    public private(set) var wakes: [WakeCause] = []
    private var registers: [UInt32: UInt32] = [:]
    private var stale: [UInt32: UInt32] = [:]
    private var microseconds = 0

    public init(at instant: UTCInstant, name: String = "/dev/vcio") {
        self.name = name
        clock = EmulatedClock(instant)
    }

    public func exchange(
        _ words: (UInt32, UInt32), property: UInt32
    ) throws(FirmwareError) -> (UInt32, UInt32) {
        guard isPresent, faults[words.0] != .noAcknowledge else {
            throw FirmwareError(name, cause: "the firmware does not answer")
        }
        switch property {
        case 0x0003_0087: return (words.0, stale.removeValue(forKey: words.0) ?? value(of: words.0))
        case 0x0003_8087:
            store(words.1, in: words.0)
            return words
        default: throw FirmwareError(name, cause: "the firmware does not know this property")
        }
    }

    public func set(_ seconds: UInt32?) throws(FirmwareError) {
        kernelCopy = seconds
        if let seconds { store(seconds, in: 1) }
        store(seconds == nil ? 0 : 1, in: 3)
    }

    /// Makes the clock lose its alarm, while the kernel still reports the alarm as set.
    public func loseAlarm() { registers[3] = 0 }

    /// Halts the host and cuts the host's supply.
    public func halt() { isHostOn = false }

    public func pass(seconds: Int) {
        for _ in 0..<seconds {
            for _ in 0..<clock.pass() where registers[3] == 1 && registers[1] == value(of: 0) {
                registers[2] = 1
                if !isHostOn {
                    isHostOn = true
                    wakes.append(.alarm)
                }
            }
        }
    }

    private func value(of register: UInt32) -> UInt32 {
        register == 0 ? UInt32(clamping: clock.instant.nanoseconds / 1_000_000_000) : registers[register] ?? 0
    }

    private func store(_ value: UInt32, in register: UInt32) {
        switch faults[register] {
        case .writeLost?, .noAcknowledge?: return
        case .oldValueOnce?: stale[register] = self.value(of: register)
        case .wrongByte?, nil: break
        }
        let stored = faults[register] == .wrongByte ? value ^ 1 : value
        switch register {
        case 0: clock.instant = UTCInstant(nanoseconds: Int64(stored) * 1_000_000_000)
        case 2: registers[2] = 0
        default: registers[register] = stored
        }
    }
}
