/// The true position of a receiver at one instant.
public struct TruthPoint: Sendable, Hashable {
    /// The time in Unix seconds.
    public var time: Double
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double

    public init(time: Double, latitude: Double, longitude: Double) {
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
    }
}
