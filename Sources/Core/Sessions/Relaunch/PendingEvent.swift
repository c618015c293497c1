public import ClientProtocol
public import Units

/// The services that outlive a connection, each of which a client asks for again after it was started.
public enum MonitoredService: UInt8, Sendable, Equatable, CaseIterable {
    case significantChange = 1
    case regions = 2
    case visits = 3

    /// The service's name in logs, and among the capabilities that a client is told.
    public var name: StaticString {
        switch self {
        case .significantChange: "significantChange"
        case .regions: "regions"
        case .visits: "visits"
        }
    }
}

/// An event that is kept for a client until the client acknowledges it.
public struct PendingEvent: Sendable, Equatable {
    /// The event's number, counted from 1 over all clients and every restart; the wire's `number`.
    public let number: UInt64
    /// The name of the client's manifest.
    public let client: String
    public let kind: Kind

    /// The greatest integer that a JSON number holds exactly in every client: 2^53.
    public static let maximumNumber: UInt64 = 1 << 53

    public enum Kind: Sendable, Equatable {
        /// The location after the change; the fix's own sequence number has no meaning here.
        case significantChange(DeferredFix)
        case region(RegionTransition)
        case visit(VisitReport)
    }

    /// A region that was entered, left or stayed in, or a condition that changed.
    public struct RegionTransition: Sendable, Equatable {
        public var identifier: String
        /// The name of the `CLMonitor` that the condition belongs to; nil for a region.
        public var monitor: String?
        public var kind: RegionEventObject.Kind
        public var state: RegionState
        /// When the boundary was crossed; nil where no clock was right.
        public var time: UTCInstant?
        /// When the crossing was certain.
        public var confirmed: UTCInstant?

        public init(
            identifier: String, monitor: String?, kind: RegionEventObject.Kind, state: RegionState, time: UTCInstant?,
            confirmed: UTCInstant?
        ) {
            self.identifier = identifier
            self.monitor = monitor
            self.kind = kind
            self.state = state
            self.time = time
            self.confirmed = confirmed
        }
    }

    /// The state of a region.
    ///
    /// Raw values are those of CLMonitor's states: unknown, satisfied, unsatisfied, unmonitored.
    public enum RegionState: UInt8, Sendable, Equatable, CaseIterable {
        case unknown
        case inside
        case outside
        case unmonitored
    }

    /// A stay at one place, or its beginning.
    public struct VisitReport: Sendable, Equatable {
        /// The arrival; nil where it was before monitoring began.
        public var arrival: UTCInstant?
        /// The departure; nil while the stay lasts.
        public var departure: UTCInstant?
        /// Degrees.
        public var latitude: Double
        /// Degrees.
        public var longitude: Double
        /// Metres: the radius of the place.
        public var horizontalAccuracy: Double

        public init(
            arrival: UTCInstant?, departure: UTCInstant?, latitude: Double, longitude: Double,
            horizontalAccuracy: Double
        ) {
            self.arrival = arrival
            self.departure = departure
            self.latitude = latitude
            self.longitude = longitude
            self.horizontalAccuracy = horizontalAccuracy
        }
    }

    public init(number: UInt64, client: String, kind: Kind) {
        self.number = number
        self.client = client
        self.kind = kind
    }

    /// The service that the event belongs to.
    public var service: MonitoredService {
        switch kind {
        case .significantChange: .significantChange
        case .region: .regions
        case .visit: .visits
        }
    }
}
