/// The Earth's field at the board's position, from the world model.
public struct EarthField: Sendable, Equatable {
    /// The field's strength; microtesla.
    public var norm: Double
    /// The dip: how far the field points below the horizontal.
    ///
    /// Unit: degrees, -90 to 90, positive in the north.
    public var inclination: Double
    /// The standard deviation of the actual dip about the model's dip.
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

    /// Takes the values of a world model's field; nil if the model is not valid at the field's time.
    public init?(_ field: GeomagneticField) {
        guard field.validity == .valid else { return nil }
        // The model gives nanotesla; this type has microtesla.
        self.init(norm: field.total / 1000, inclination: field.inclination)
    }
}
