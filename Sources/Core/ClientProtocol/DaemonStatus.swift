public import Power
public import SextantUnits

/// The state of the GNSS receiver's serial connection.
public enum ReceiverState: String, Sendable {
    /// The serial device does not exist, or could not be opened.
    case absent
    /// The serial device is open, and its baud rate is being determined.
    case searchingRate
    /// The serial device is open, and no message has come yet.
    case waiting
    /// Checked messages arrive.
    case receiving
    /// Messages arrived earlier, but none arrives at present.
    case silent
    /// The receiver is silent because the daemon put it into a power-saving state or switched it off.
    case resting
    /// The serial device is open; the client that asks for the status is not allowed to know more.
    case open
}

/// A rest of the GNSS receiver (it is off or saves power): the reason, and the planned end.
public struct RestPlan: Sendable, Equatable {
    public var why: RestReason
    /// Seconds until the rest's planned end; nil if the receiver rests until a client or a movement of the board needs
    /// it.
    public var seconds: Double?
    /// The time of the rest's planned end; nil if no end is planned, or if the daemon does not know the time yet.
    public var until: UTCInstant?

    public init(why: RestReason, seconds: Double?, until: UTCInstant?) {
        self.why = why
        self.seconds = seconds
        self.until = until
    }
}

/// The contents of the daemon's answer to a `status` request.
public struct DaemonStatus: Sendable {
    public var clients = 0
    /// Whether location services are switched on.
    public var servicesEnabled = true
    public var device: String?
    public var state = ReceiverState.absent
    /// In a sentence, why the serial device is absent, or why the receiver's positions are withheld; nil if neither is
    /// the case.
    public var detail: String?
    /// The baud rate of the serial device; nil on a pseudo-terminal.
    public var baud: Int?
    public var bytes: UInt64?
    public var sentences: UInt64?
    public var frames: UInt64?
    public var checksumFailures: UInt64?
    public var skippedBytes: UInt64?
    public var epochs: UInt64?
    public var secondsSinceEpoch: Double?
    /// The last epoch's time.
    public var time: UTCInstant?
    /// Seconds since the newest position that was good enough for clients; nil if there was none since the daemon's
    /// start.
    public var secondsSinceFix: Double?
    /// The horizontal accuracy of the newest position that was good enough for clients, in metres, 68 %.
    public var horizontalAccuracy: Double?
    /// The state of the receiver's power; nil for a receiver that the daemon reads but does not control.
    public var power: PowerStatus?
    /// The state of the host's sleep; nil if the configuration has no settings for sleep.
    public var host: HostStatus?
    /// The state of the time service, which passes the receiver's time to the host; nil if the service is off.
    public var timeService: TimeServiceStatus?
    /// Why the receiver rests and until when; nil while the receiver runs, or if the daemon cannot switch its power.
    public var plan: RestPlan?
    /// Counts of receiver starts, epochs, events and failures since the daemon started; nil for a client that is not
    /// allowed to know them.
    public var counters: StatusCounters?
    /// The compass's state; nil for a board without a compass.
    public var compass: CompassStatus?
    /// The state of the Bluetooth radio that receives beacons.
    public var radio: RadioStatus?
    /// For each beacon whose configured place cannot serve as the board's position at present, the reason in a
    /// sentence.
    public var spotTroubles: [String] = []
    /// Why the daemon cannot write its data to the SD card, in a sentence; nil if it can.
    public var storeTrouble: String?

    public init() {}

    /// A copy of this status without the values that reveal when the board moves, such as when the receiver runs and
    /// what it received.
    public var withoutMovement: DaemonStatus {
        var seen = DaemonStatus()
        (seen.clients, seen.device, seen.baud) = (clients, device, baud)
        seen.detail = state == .absent ? detail : nil
        seen.servicesEnabled = servicesEnabled
        seen.state = state == .absent ? .absent : .open
        (seen.compass, seen.storeTrouble) = (compass, storeTrouble)
        // How long the Bluetooth radio listens reveals whether a beacon is near, so this copy of the status lacks it.
        seen.radio = radio.map { RadioStatus(trouble: $0.trouble) }
        return seen
    }
}
