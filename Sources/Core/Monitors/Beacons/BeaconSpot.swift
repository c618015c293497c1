public import Beacons

/// A place that its owner marked with a beacon, so that the board knows its location there without a GNSS receiver.
public struct BeaconSpot: Sendable, Hashable {
    public var name: String
    public var beacon: BeaconConstraint
    /// The latitude in degrees, WGS 84.
    public var latitude: Double
    public var longitude: Double
    /// The radius in metres about the coordinate within which the board certainly is while it is near the beacon.
    public var radius: Double
    /// Whether the board counts as at the spot also while the beacon's proximity is far, and not only while it is near.
    public var holdsFar: Bool

    /// The allowed radii of a spot, in metres.
    public static let radii: ClosedRange<Double> = 1...10_000

    public init(
        name: String, beacon: BeaconConstraint, latitude: Double, longitude: Double, radius: Double,
        holdsFar: Bool = false
    ) {
        self.name = name
        self.beacon = beacon
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
        self.holdsFar = holdsFar
    }
}
