public import Units

/// How the receiver's line stands.
public enum ReceiverState: Sendable, Equatable {
    /// No device, or it could not be opened.
    case absent
    /// Open, and its rate is being looked for.
    case searchingRate
    /// Open, and nothing was ever heard.
    case waiting
    /// Checked messages arrive.
    case receiving
    /// Messages arrived once, and no longer do.
    case silent
    /// It was put to rest, and is silent because of that.
    case resting

    public var name: StaticString {
        switch self {
        case .absent: "absent"
        case .searchingRate: "searchingRate"
        case .waiting: "waiting"
        case .receiving: "receiving"
        case .silent: "silent"
        case .resting: "resting"
        }
    }
}

/// What `status` answers.
public struct DaemonStatus: Sendable {
    public var clients = 0
    public var device: String?
    public var state = ReceiverState.absent
    /// Why the device is absent, in a sentence.
    public var detail: String?
    /// Bits per second; nil on a pseudo-terminal.
    public var baud: Int?
    public var bytes: UInt64?
    public var sentences: UInt64?
    public var frames: UInt64?
    public var checksumFailures: UInt64?
    public var skippedBytes: UInt64?
    public var epochs: UInt64 = 0
    public var secondsSinceEpoch: Double?
    /// The last epoch's time.
    public var time: UTCInstant?
    /// Nil for a receiver that is only listened to.
    public var power: PowerStatus?
    /// Nil for a board without one.
    public var compass: CompassStatus?

    public init() {}
}
