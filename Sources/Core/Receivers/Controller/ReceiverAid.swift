public import SextantUnits

/// A time and a position that the host gives a waking receiver, so that it finds its satellites sooner.
public struct ReceiverAid: Sendable, Equatable {
    /// A time and its possible error.
    ///
    /// An understated error prolongs the start or makes it fail (ZED-F9K integration manual, assistance).
    public struct Time: Sendable, Equatable {
        /// The UTC time at the instant when the controller gets this value.
        public var utc: UTCInstant
        /// The largest error in seconds that the time may have, greater than 0.
        public var accuracySeconds: Double

        public init(utc: UTCInstant, accuracySeconds: Double) {
            self.utc = utc
            self.accuracySeconds = accuracySeconds
        }
    }

    /// A position and its possible error.
    public struct Position: Sendable, Equatable {
        /// Latitude in degrees north and longitude in degrees east, WGS 84.
        public var latitude: Double
        public var longitude: Double
        /// Metres above the ellipsoid; nil where not known.
        public var altitude: Double?
        /// The standard deviation of the position's error in metres.
        public var accuracyMetres: Double

        public init(latitude: Double, longitude: Double, altitude: Double?, accuracyMetres: Double) {
            self.latitude = latitude
            self.longitude = longitude
            self.altitude = altitude
            self.accuracyMetres = accuracyMetres
        }
    }

    /// The time; nil where the host's clock cannot be trusted, as after the boot of a board without a battery clock.
    public var time: Time?
    public var position: Position?

    public init(time: Time?, position: Position?) {
        self.time = time
        self.position = position
    }
}
