/// What the field is known to be where the board is, from the world model.
public struct EarthField: Sendable, Equatable {
    /// Unit: microtesla.
    public var norm: Double
    /// The dip: how far the field points below the horizontal.
    ///
    /// Unit: degrees, -90 to 90, positive in the north.
    public var inclination: Double
    /// The deviation of what is there from what the model says: the model's own 0.2° and what buildings and ground add.
    ///
    /// Unit: degrees.
    public var inclinationDeviation: Double

    public init(norm: Double, inclination: Double, inclinationDeviation: Double = 1) {
        self.norm = norm
        self.inclination = inclination
        self.inclinationDeviation = inclinationDeviation
    }

    /// The world model's, while it is valid.
    public init?(_ field: GeomagneticField) {
        guard field.validity == .valid else { return nil }
        // The model has nanotesla.
        self.init(norm: field.total / 1000, inclination: field.inclination)
    }
}
