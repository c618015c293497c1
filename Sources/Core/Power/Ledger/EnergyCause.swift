/// Why energy was spent: every millijoule but the host's own idling has exactly one of these.
public enum EnergyCause: UInt8, Sendable, CaseIterable {
    /// A client follows the position with an accuracy of its own.
    case accuracyRequest = 0
    /// A client asked for one position.
    case singleLocation = 1
    case regionMonitoring = 2
    case significantChange = 3
    case visitMonitoring = 4
    /// A gpsd client watches.
    case gpsd = 5
    /// The receiver was kept on to collect ephemerides, so that the next starts are hot.
    case ephemerisRefresh = 6
    /// A fix in a long rest, to notice what the motion sensor missed.
    case heartbeat = 7
    /// A fix because movement began.
    case motionStart = 8
    /// A search after one that found nothing.
    case failedSearch = 9
    /// A first search, or one after the backup supply was lost.
    case coldStart = 10
    /// Resting between fixes, or because nobody asks.
    case idleSleep = 11
    /// On although nobody asks, because nothing can switch it.
    case alwaysOn = 12
    /// Finding the receiver's rate, asking who it is and setting it up.
    case configuration = 13
    /// Giving it time, position and orbits, and saving them.
    case aiding = 14
    /// A measurement somebody asked for at the bench.
    case bench = 15

    /// The name on the wire.
    public var name: StaticString {
        switch self {
        case .accuracyRequest: "accuracyRequest"
        case .singleLocation: "singleLocation"
        case .regionMonitoring: "regionMonitoring"
        case .significantChange: "significantChange"
        case .visitMonitoring: "visitMonitoring"
        case .gpsd: "gpsd"
        case .ephemerisRefresh: "ephemerisRefresh"
        case .heartbeat: "heartbeat"
        case .motionStart: "motionStart"
        case .failedSearch: "failedSearch"
        case .coldStart: "coldStart"
        case .idleSleep: "idleSleep"
        case .alwaysOn: "alwaysOn"
        case .configuration: "configuration"
        case .aiding: "aiding"
        case .bench: "bench"
        }
    }
}
