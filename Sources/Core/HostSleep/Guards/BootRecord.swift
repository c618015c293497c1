/// The record of one boot: why the host woke, for how long it was on, and whether its clients were served.
public struct BootRecord: Sendable, Equatable {
    public var wake: HostWake
    /// Seconds of the sleep before this boot, by the switch's clock; 0 where Sextant had not put the host to sleep.
    public var slept: Double
    /// Whether the host had been put to sleep by Sextant.
    public var wasAsleep: Bool
    /// Whether the sleep before this boot was the owner's test of the power switch.
    public var wasTrial = false
    /// Seconds by which the host woke later than planned; nil where that cannot be known.
    public var late: Double?
    /// Seconds for which the host was awake in this boot; 0 until it goes to sleep.
    public var awake = 0.0
    /// Whether the daemon served its clients.
    public var served = false
    /// Metres between the last location before the sleep and the first one of this boot; nil until this boot has a
    /// location.
    public var travelled: Double?

    public init(wake: HostWake, slept: Double, wasAsleep: Bool, late: Double?) {
        self.wake = wake
        self.slept = slept
        self.wasAsleep = wasAsleep
        self.late = late
    }

    /// Whether a person may have switched the board on, because neither the alarm, nor motion, nor the backstop (a
    /// second wake-up by a counter) did.
    var isByHand: Bool {
        switch wake.cause {
        case .alarm, .motion, .backstop: false
        case .power, .button, .unknown: true
        }
    }

    /// Whether the host was woken as intended: by its alarm or by motion.
    var wasCalled: Bool { wake.cause == .alarm || wake.cause == .motion }

    /// The largest delay in seconds after the planned time at which a wake-up still counts as the alarm's.
    static let lateness = 60.0

    /// Whether an alarm should have woken the host and did not.
    var missedAlarm: Bool {
        guard wasAsleep else { return false }
        if let late, late > BootRecord.lateness { return true }
        // If the supply came back or a charger woke the host before the alarm was due, the alarm did not fail.
        return wake.cause == .backstop || wake.cause == .power && (late ?? 0) >= 0
    }

    /// Whether motion woke the board in vain: it moved less than 20 m, or the distance is not known.
    var wasRestless: Bool { wake.cause == .motion && travelled.map { $0 < 20 } ?? true }
}
