/// Why energy was spent: every millijoule except the host's own idling has exactly one cause.
public enum EnergyCause: UInt8, Sendable, CaseIterable {
    /// A client receives position reports with an accuracy that it chose.
    case accuracyRequest = 0
    /// A client asked for one position.
    case singleLocation = 1
    case regionMonitoring = 2
    case significantChange = 3
    case visitMonitoring = 4
    /// A gpsd client watches the position.
    case gpsd = 5
    /// The receiver was kept on to collect ephemerides, so that the next starts are hot.
    case ephemerisRefresh = 6
    /// A fix during a long rest, to notice a movement that the motion sensor missed.
    case heartbeat = 7
    /// A fix because movement began.
    case motionStart = 8
    /// A search that follows a failed one.
    case failedSearch = 9
    /// A first search, or one after the receiver's backup supply was lost.
    case coldStart = 10
    /// The receiver sleeps between fixes, or because no client needs it.
    case idleSleep = 11
    /// The receiver is on although no client needs it, because nothing can switch it.
    case alwaysOn = 12
    /// Finding the receiver's baud rate, identifying the receiver and setting it up.
    case configuration = 13
    /// Giving the receiver time, position and orbits, and saving them.
    case aiding = 14
    /// The radio listens for the beacons of regions.
    case beaconMonitoring = 15
    /// The radio listens because a client asked how near beacons are (ranging).
    case beaconRanging = 16
    /// The receiver is on for the host's clock alone.
    case timeService = 17

    /// The name of the cause on the wire.
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
        case .beaconMonitoring: "beaconMonitoring"
        case .beaconRanging: "beaconRanging"
        case .timeService: "timeService"
        }
    }
}
