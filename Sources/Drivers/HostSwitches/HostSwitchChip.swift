public import Hardware
public import HostSleep
public import SextantUnits

/// The driver of a host switch that is a chip on an I2C bus, as straight-line code over its registers.
///
/// A driver holds nothing but the address: what it tells was read in the same call. None of these drivers has met a real
/// switch; each is written from the sources that its comment names.
public protocol HostSwitchChip: Sendable {
    var model: HostSwitchModel { get }
    var address: I2CAddress { get }
    /// Checks by reading alone that this is the chip and that its firmware is new enough; returns the firmware's version.
    func identify(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> String
    /// The chip's clock; nil where it says that it stopped, or shows no time.
    func clock(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> UTCInstant?
    func setClock(to instant: UTCInstant, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError)
    /// Clears old flags and alarms, then writes the alarm and the second way back.
    ///
    /// Only `reading` says what became of it.
    func arm(_ order: SwitchOrder, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError)
    /// Reads the clock, the alarm and the second way back, in transfers of their own.
    ///
    /// `byMotion` is false: a motion sensor that wakes the host is a chip of its own.
    func reading(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> SwitchReading
    /// Takes the alarm and the second way back away, and clears the flags that tell why the host woke.
    ///
    /// It is called first thing after a wake, since both act on a host that is on too; `wake` is read before.
    func disarm(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError)
    /// Has the switch cut the supply this many seconds after its trigger, which for most is this call.
    func cut(after seconds: Int, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError)
    /// Why the host woke; inferred from an alarm that fell due within the last minute where the chip does not tell.
    ///
    /// - Parameter alarm: What was last armed; nil where that is not known.
    func wake(
        near alarm: UTCInstant?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) -> HostWake
    func battery(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> HostBattery
    /// Has the switch wake the host when the supply returns after an empty battery; nil to leave it off.
    func setRecovery(
        _ recovery: HostRecovery?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError)
}

extension HostSwitchChip {
    /// The cause of a wake by the time alone.
    func inferredWake(
        near alarm: UTCInstant?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) -> HostWake {
        HostWake.inferred(near: alarm, clock: try clock(over: &bus))
    }

    /// Throws where the chip's clock would let the alarm's fields fire at another instant.
    func checkReach(
        of alarm: UTCInstant, as time: AlarmTime, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {
        guard let clock = try clock(over: &bus) else { return }
        guard time.next(after: clock) == alarm else { throw .outOfReach(model, "this alarm") }
    }

    /// The whole units of a second way back; 0 where none is ordered.
    func count(of backstop: Double?, each unit: Double, most: Int) throws(HostSwitchError) -> Int {
        guard let backstop else { return 0 }
        let count = backstop / unit
        guard count >= 1, count <= Double(most), count == count.rounded() else {
            throw .outOfReach(model, "this second way back")
        }
        return Int(count)
    }

    /// The seconds of a cut as one byte.
    func cutByte(_ seconds: Int, each steps: Int = 1) throws(HostSwitchError) -> UInt8 {
        guard seconds >= 0, let byte = UInt8(exactly: seconds * steps) else {
            throw .outOfReach(model, "this delay of the cut")
        }
        return byte
    }
}

extension HostWake {
    /// Seconds after an alarm in which a wake counts as its own.
    private static let nearness = 60.0

    /// The cause of a wake as the clock lets it be inferred: the alarm within a minute after it, else unknown.
    static func inferred(near alarm: UTCInstant?, clock: UTCInstant?) -> HostWake {
        guard let alarm, let clock else { return HostWake(.unknown, isRead: false) }
        let since = Double(clock.nanoseconds(since: alarm)) / 1e9
        return HostWake((0...nearness).contains(since) ? .alarm : .unknown, isRead: false)
    }
}
