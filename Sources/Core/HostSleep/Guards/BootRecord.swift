/// The record of one boot: how it came, and how it went.
public struct BootRecord: Sendable, Equatable {
    public var wake: HostWake
    /// Seconds of the sleep before, by the switch's clock; 0 where the host did not sleep by itself.
    public var slept: Double
    /// Whether the host had been put to sleep by Sextant.
    public var wasAsleep: Bool
    /// Whether that sleep was a trial of the switch.
    public var wasTrial = false
    /// Seconds by which it woke after the planned instant; nil where that cannot be known.
    public var late: Double?
    /// Seconds awake so far.
    public var awake = 0.0
    /// Whether the daemon served its clients.
    public var served = false
    /// Metres between the last location before the sleep and the first one after; nil until there is one.
    public var travelled: Double?

    public init(wake: HostWake, slept: Double, wasAsleep: Bool, late: Double?) {
        self.wake = wake
        self.slept = slept
        self.wasAsleep = wasAsleep
        self.late = late
    }

    /// Whether somebody switched the board on, as far as is known.
    var isByHand: Bool {
        switch wake.cause {
        case .alarm, .motion, .backstop: false
        case .power, .button, .unknown: true
        }
    }

    /// Whether what shall wake the host did.
    var wasCalled: Bool { wake.cause == .alarm || wake.cause == .motion }

    /// Seconds by which a wake may be late and yet be the alarm's.
    static let lateness = 60.0

    /// Whether an alarm should have woken the host and did not.
    var missedAlarm: Bool {
        guard wasAsleep else { return false }
        if let late, late > BootRecord.lateness { return true }
        // A supply that came, or a battery that was charged, before the alarm was due says nothing of the alarm.
        return wake.cause == .backstop || wake.cause == .power && (late ?? 0) >= 0
    }

    /// Whether motion woke the board, which then had not gone 20 m, as far as is known.
    var wasRestless: Bool { wake.cause == .motion && travelled.map { $0 < 20 } ?? true }
}
