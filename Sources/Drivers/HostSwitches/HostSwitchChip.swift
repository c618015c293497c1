public import Hardware
public import HostSleep
public import SextantUnits

/// The driver of a host switch (a device that cuts and restores the host's supply) that is a chip on an I2C bus.
///
/// It is straight-line code over the chip's registers and stores only the address: every value that it returns was read
/// from the chip in that call. None of these drivers has been tried on a real switch; each is written from the sources
/// that its comment names.
public protocol HostSwitchChip: Sendable {
    var model: HostSwitchModel { get }
    var address: I2CAddress { get }
    /// Checks, by reading alone, that the chip is this switch and that its firmware is new enough; returns the
    /// firmware's version.
    func identify(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> String
    /// The time of the chip's clock; nil if the clock has stopped or shows no valid time.
    func clock(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> UTCInstant?
    func setClock(to instant: UTCInstant, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError)
    /// Clears old flags and alarms, then writes the alarm and the backstop.
    ///
    /// The backstop is a timer that wakes the host even if the alarm fails. Only a call of `reading` shows whether the
    /// chip accepted both.
    func arm(_ order: SwitchOrder, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError)
    /// Reads the clock, the alarm and the backstop from the chip.
    ///
    /// `byMotion` is always false in the result, because a motion sensor that wakes the host is a chip of its own.
    func reading(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> SwitchReading
    /// Removes the alarm and the backstop, and clears the flags that tell why the host woke.
    ///
    /// Once the host has woken, the caller first reads those flags by `wake`, and then calls this method at once,
    /// because the alarm and the backstop act also on a host that is on.
    func disarm(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError)
    /// Makes the switch cut the supply this many seconds after its trigger; for most switches this call is the trigger.
    func cut(after seconds: Int, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError)
    /// Why the host woke; for a chip that does not report the cause, inferred from whether the alarm was due within the
    /// last minute.
    ///
    /// - Parameter alarm: The alarm that was set before the host went to sleep; nil for the one that the chip still
    ///   holds, although its time has passed.
    func wake(
        near alarm: UTCInstant?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) -> HostWake
    func battery(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> HostBattery
    /// Sets whether the switch wakes the host when the supply returns after the battery was empty; nil for `recovery`
    /// keeps the host off.
    func setRecovery(
        _ recovery: HostRecovery?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError)
}

extension HostSwitchChip {
    /// The cause of a wake for a chip that does not report it, inferred from the alarm and the chip's clock.
    func inferredWake(
        near alarm: UTCInstant?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) -> HostWake {
        HostWake.inferred(near: alarm, clock: try clock(over: &bus))
    }

    /// Throws if the alarm's fields in the chip, by the chip's clock, would match first at another instant than
    /// `alarm`.
    func checkReach(
        of alarm: UTCInstant, as time: AlarmTime, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {
        guard let clock = try clock(over: &bus) else { return }
        guard time.next(after: clock) == alarm else { throw .outOfReach(model, "this alarm") }
    }

    /// The backstop as a number of the units that the chip's counter counts; 0 if no backstop is wanted.
    func count(of backstop: Double?, each unit: Double, most: Int) throws(HostSwitchError) -> Int {
        guard let backstop else { return 0 }
        let count = backstop / unit
        guard count >= 1, count <= Double(most), count == count.rounded() else {
            throw .outOfReach(model, "this second way back")
        }
        return Int(count)
    }

    /// The delay until the supply is cut, as a byte in units of 1/`steps` second.
    func cutByte(_ seconds: Int, each steps: Int = 1) throws(HostSwitchError) -> UInt8 {
        guard seconds >= 0, let byte = UInt8(exactly: seconds * steps) else {
            throw .outOfReach(model, "this delay of the cut")
        }
        return byte
    }
}

extension HostWake {
    /// The largest number of seconds after an alarm at which the alarm counts as the cause of a wake.
    private static let nearness = 60.0

    /// The cause of a wake, inferred from the clock: the alarm, if it was due within the last minute; otherwise
    /// unknown.
    static func inferred(near alarm: UTCInstant?, clock: UTCInstant?) -> HostWake {
        guard let alarm, let clock else { return HostWake(.unknown, isRead: false) }
        let since = Double(clock.nanoseconds(since: alarm)) / 1e9
        return HostWake((0...nearness).contains(since) ? .alarm : .unknown, isRead: false)
    }
}
