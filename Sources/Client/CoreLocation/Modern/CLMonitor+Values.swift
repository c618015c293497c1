internal import ClientVocabulary
public import Foundation

/// A condition that a `CLMonitor` can watch.
public protocol CLCondition: Codable, Sendable {}

extension CLMonitor {
    /// The condition that the device is within a circle.
    public struct CircularGeographicCondition: CLCondition {
        public let center: CLLocationCoordinate2D
        /// Unit: metre.
        public let radius: CLLocationDistance

        public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
            self.center = center
            self.radius = radius
        }

        private enum CodingKeys: CodingKey {
            case latitude, longitude, radius
        }

        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            center = CLLocationCoordinate2D(
                latitude: try values.decode(CLLocationDegrees.self, forKey: .latitude),
                longitude: try values.decode(CLLocationDegrees.self, forKey: .longitude))
            radius = try values.decode(CLLocationDistance.self, forKey: .radius)
        }

        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(center.latitude, forKey: .latitude)
            try values.encode(center.longitude, forKey: .longitude)
            try values.encode(radius, forKey: .radius)
        }
    }

    /// The condition that the device receives a beacon with a given UUID and, if they are given, major and minor
    /// number.
    ///
    /// On a board without a Bluetooth radio the condition is not monitored; its events then have `conditionUnsupported`
    /// set.
    public struct BeaconIdentityCondition: CLCondition, Hashable {
        public let uuid: UUID
        public let major: CLBeaconMajorValue?
        public let minor: CLBeaconMinorValue?

        public init(uuid: UUID, major: CLBeaconMajorValue? = nil, minor: CLBeaconMinorValue? = nil) {
            self.uuid = uuid
            self.major = major
            self.minor = minor
        }
    }

    /// A condition and the last of its events that the program took.
    public struct Record: Sendable {
        public let condition: any CLCondition
        public let lastEvent: Event
    }

    /// A change of a condition's state, or the reason why the state is not known.
    public struct Event: Sendable {
        public let identifier: String
        /// The beacon that satisfied the condition, as a `BeaconIdentityCondition` with UUID, major and minor number.
        ///
        /// If several beacons match, it is the one that was received first.
        ///
        /// It is nil for circles, for a condition that is not satisfied, and in the last event of a record that an
        /// earlier process left.
        public let refinement: (any CLCondition)?
        public let state: State
        /// When the device crossed the condition's border, by the time of the GNSS receiver.
        public let date: Date
        /// The earliest and latest possible date of the crossing, if no position was known at that time, for example
        /// while the whole board slept; nil if `date` is exact.
        ///
        /// This property is Sextant's own, and not Apple's; a monitor's records do not keep it.
        public let sextantRange: ClosedRange<Date>?
        let flags: SessionDiagnostics

        public enum State: UInt, Sendable {
            case unknown = 0
            case satisfied = 1
            case unsatisfied = 2
            case unmonitored = 3
        }

        init(
            _ identifier: String, _ state: State, _ date: Date, _ flags: SessionDiagnostics = [],
            refinement: (any CLCondition)? = nil, range: ClosedRange<Date>? = nil
        ) {
            self.identifier = identifier
            self.refinement = refinement
            self.state = state
            self.date = date
            sextantRange = range
            self.flags = flags
        }

        public var authorizationDenied: Bool { flags.contains(.authorizationDenied) }
        public var authorizationDeniedGlobally: Bool { flags.contains(.authorizationDeniedGlobally) }
        public var authorizationRestricted: Bool { flags.contains(.authorizationRestricted) }
        public var authorizationRequestInProgress: Bool { flags.contains(.authorizationRequestInProgress) }
        public var insufficientlyInUse: Bool { flags.contains(.insufficientlyInUse) }
        public var serviceSessionRequired: Bool { flags.contains(.serviceSessionRequired) }
        /// Whether the program has only reduced accuracy; conditions are not watched then.
        public var accuracyLimited: Bool { flags.contains(.accuracyLimited) }
        /// Whether the client has as many conditions and regions as its manifest allows.
        public var conditionLimitExceeded: Bool { flags.contains(.conditionLimitExceeded) }
        public var conditionUnsupported: Bool { flags.contains(.conditionUnsupported) }
        public var persistenceUnavailable: Bool { flags.contains(.persistenceUnavailable) }
    }
}
