/// The Earth's field at the board's position, from the world model.
public struct EarthField: Sendable, Equatable {
    /// The field's strength; microtesla.
    public var norm: Double
    /// The dip: how far the field points below the horizontal.
    ///
    /// Unit: degrees, -90 to 90, positive in the north.
    public var inclination: Double
    /// One standard deviation of the actual dip from the model's dip.
    ///
    /// It includes the model's own 0.2° and the effect of buildings and ground.
    ///
    /// Unit: degrees.
    public var inclinationDeviation: Double

    public init(norm: Double, inclination: Double, inclinationDeviation: Double = 1) {
        self.norm = norm
        self.inclination = inclination
        self.inclinationDeviation = inclinationDeviation
    }

    /// Takes the world model's field; nil outside the years for which the model is valid.
    public init?(_ field: GeomagneticField) {
        guard field.validity == .valid else { return nil }
        // The model's unit is nanotesla.
        self.init(norm: field.total / 1000, inclination: field.inclination)
    }
}
