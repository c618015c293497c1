public import SextantUnits

/// The state of the serial line to the receiver.
public enum ReceiverState: Sendable, Equatable {
    /// The device does not exist, or could not be opened.
    case absent
    /// The device is open, and its rate is being looked for.
    case searchingRate
    /// The device is open, and no message has come yet.
    case waiting
    /// Checked messages arrive.
    case receiving
    /// Messages arrived before, and no longer do.
    case silent
    /// The receiver was put to rest, and is therefore silent.
    case resting
    /// The device is open; who asks may not know more.
    case open

    public var name: StaticString {
        switch self {
        case .absent: "absent"
        case .searchingRate: "searchingRate"
        case .waiting: "waiting"
        case .receiving: "receiving"
        case .silent: "silent"
        case .resting: "resting"
        case .open: "open"
        }
    }
}

/// A rest of the receiver that is meant to be.
public struct RestPlan: Sendable, Equatable {
    /// The reason: `noDemand`, `accuracyHolds`, `interval` or `searchesFail`.
    public var why: StaticString
    /// Seconds to the planned end; nil where the receiver rests until a client or a movement wants it.
    public var seconds: Double?
    /// The planned end; nil where there is none, or no receiver has told the time yet.
    public var until: UTCInstant?

    public init(why: StaticString, seconds: Double?, until: UTCInstant?) {
        self.why = why
        self.seconds = seconds
        self.until = until
    }

    public static func == (left: RestPlan, right: RestPlan) -> Bool {
        left.why.description == right.why.description && left.seconds == right.seconds && left.until == right.until
    }
}

/// The contents of the answer to `status`.
public struct DaemonStatus: Sendable {
    public var clients = 0
    /// Whether location services are on.
    public var servicesEnabled = true
    public var device: String?
    public var state = ReceiverState.absent
    /// Why the device is absent, or why the receiver's positions are withheld, in a sentence.
    public var detail: String?
    /// The line's rate in bits per second; nil on a pseudo-terminal.
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
    /// Seconds since the last position that was good enough for clients; nil where there was none.
    public var secondsSinceFix: Double?
    /// The horizontal accuracy of the last position, in metres.
    public var horizontalAccuracy: Double?
    /// The state of the receiver's power; nil for a receiver that is only listened to.
    public var power: PowerStatus?
    /// The state of the host's sleep; nil where the configuration has no settings for it.
    public var host: HostStatus?
    /// The use that was made of the receiver's time; nil where the time service is off.
    public var timeService: TimeServiceStatus?
    /// Why the receiver rests and until when; nil while it does not rest, or cannot be switched.
    public var plan: RestPlan?
    /// The counts since the daemon started; nil for a client that may not know them.
    public var counters: StatusCounters?
    /// The compass's state; nil for a board without a compass.
    public var compass: CompassStatus?
    /// The state of the radio that hears beacons.
    public var radio: RadioStatus?
    /// Why spots that are marked by beacons are not used, in sentences.
    public var spotTroubles: [String] = []
    /// Why something cannot be stored, in a sentence; nil where everything can.
    public var storeTrouble: String?

    public init() {}

    /// The status without what tells when the board moves: when the receiver runs, and what it has received.
    public var withoutMovement: DaemonStatus {
        var seen = DaemonStatus()
        (seen.clients, seen.device, seen.baud) = (clients, device, baud)
        seen.detail = state == .absent ? detail : nil
        seen.servicesEnabled = servicesEnabled
        seen.state = state == .absent ? .absent : .open
        (seen.compass, seen.storeTrouble) = (compass, storeTrouble)
        // How much the radio listens tells whether a beacon is near.
        seen.radio = radio.map { RadioStatus(trouble: $0.trouble) }
        return seen
    }
}
