public import Units

/// What a receiver may be told when it wakes, to find its satellites sooner.
public struct ReceiverAid: Sendable, Equatable {
    /// A time and how far it may be off.
    ///
    /// Only a time whose accuracy is honest helps; a wrong one prolongs the start or makes it fail (ZED-F9K integration
    /// manual, assistance).
    public struct Time: Sendable, Equatable {
        /// At the instant of the call that hands it over.
        public var utc: UTCInstant
        /// Seconds, over 0.
        public var accuracySeconds: Double

        public init(utc: UTCInstant, accuracySeconds: Double) {
            self.utc = utc
            self.accuracySeconds = accuracySeconds
        }
    }

    /// A place and how far it may be off.
    public struct Position: Sendable, Equatable {
        /// Degrees north and east, WGS 84.
        public var latitude: Double
        public var longitude: Double
        /// Metres above the ellipsoid; nil where not known.
        public var altitude: Double?
        /// Metres, one standard deviation.
        public var accuracyMetres: Double

        public init(latitude: Double, longitude: Double, altitude: Double?, accuracyMetres: Double) {
            self.latitude = latitude
            self.longitude = longitude
            self.altitude = altitude
            self.accuracyMetres = accuracyMetres
        }
    }

    /// Nil where nobody vouches for the time: a board without a battery clock, after its boot.
    public var time: Time?
    public var position: Position?

    public init(time: Time?, position: Position?) {
        self.time = time
        self.position = position
    }
}
