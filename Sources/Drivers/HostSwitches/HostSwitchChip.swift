public import Hardware
public import HostSleep
public import SextantUnits

/// The driver of a host switch that is a chip on an I2C bus, as straight-line code over its registers.
///
/// A driver stores only the address: every value that it returns was read from the chip in the same call. None of these
/// drivers has been tried on a real switch; each is written from the sources that its comment names.
public protocol HostSwitchChip: Sendable {
    var model: HostSwitchModel { get }
    var address: I2CAddress { get }
    /// Checks by reading alone that this is the chip and that its firmware is new enough; returns the firmware's
    /// version.
    func identify(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> String
    /// The time of the chip's clock; nil where the clock has stopped or shows no valid time.
    func clock(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> UTCInstant?
    func setClock(to instant: UTCInstant, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError)
    /// Clears old flags and alarms, then writes the alarm and the backstop.
    ///
    /// The backstop is a timer that wakes the host even if the alarm fails. Only `reading` shows whether the chip took
    /// both.
    func arm(_ order: SwitchOrder, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError)
    /// Reads the clock, the alarm and the backstop from the chip.
    ///
    /// `byMotion` is false: a motion sensor that wakes the host is a chip of its own.
    func reading(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> SwitchReading
    /// Removes the alarm and the backstop, and clears the flags that tell why the host woke.
    ///
    /// Once the host has woken, `wake` is called to read those flags, and then at once this method, because alarm and
    /// backstop act also on a host that is on.
    func disarm(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError)
    /// Makes the switch cut the supply this many seconds after its trigger, which for most switches is this call.
    func cut(after seconds: Int, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError)
    /// Why the host woke; where the chip does not report it, inferred from an alarm that was due within the last
    /// minute.
    ///
    /// - Parameter alarm: The alarm that was armed last; nil where it is not known.
    func wake(
        near alarm: UTCInstant?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) -> HostWake
    func battery(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> HostBattery
    /// Makes the switch wake the host when the supply returns after an empty battery; if `recovery` is nil, the host
    /// stays off.
    func setRecovery(
        _ recovery: HostRecovery?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError)
}

extension HostSwitchChip {
    /// The cause of a wake, inferred from the chip's clock alone, for a chip that does not report the cause.
    func inferredWake(
        near alarm: UTCInstant?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) -> HostWake {
        HostWake.inferred(near: alarm, clock: try clock(over: &bus))
    }

    /// Throws where, by the chip's clock, the fields of the alarm would fire at another instant than `alarm`.
    func checkReach(
        of alarm: UTCInstant, as time: AlarmTime, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {
        guard let clock = try clock(over: &bus) else { return }
        guard time.next(after: clock) == alarm else { throw .outOfReach(model, "this alarm") }
    }

    /// The backstop in whole units of the chip's counter; 0 where no backstop is wanted.
    func count(of backstop: Double?, each unit: Double, most: Int) throws(HostSwitchError) -> Int {
        guard let backstop else { return 0 }
        let count = backstop / unit
        guard count >= 1, count <= Double(most), count == count.rounded() else {
            throw .outOfReach(model, "this second way back")
        }
        return Int(count)
    }

    /// The delay until the supply is cut, as one byte that counts `steps` steps per second.
    func cutByte(_ seconds: Int, each steps: Int = 1) throws(HostSwitchError) -> UInt8 {
        guard seconds >= 0, let byte = UInt8(exactly: seconds * steps) else {
            throw .outOfReach(model, "this delay of the cut")
        }
        return byte
    }
}

extension HostWake {
    /// A wake at most this many seconds after an alarm counts as caused by the alarm.
    private static let nearness = 60.0

    /// The cause of a wake, inferred from the clock: the alarm if that was due within the last minute, otherwise
    /// unknown.
    static func inferred(near alarm: UTCInstant?, clock: UTCInstant?) -> HostWake {
        guard let alarm, let clock else { return HostWake(.unknown, isRead: false) }
        let since = Double(clock.nanoseconds(since: alarm)) / 1e9
        return HostWake((0...nearness).contains(since) ? .alarm : .unknown, isRead: false)
    }
}
