import GNSS
import Glibc

/// A circular satellite orbit in an Earth-fixed frame, for a plausible geometry; it is not an ephemeris.
///
/// Source: IS-GPS-200, table 20-IV for the formulas and 20.3.3.4.3.3 for the constants; without eccentricity and
/// perturbations.
struct Orbit: Sendable {
    private static let gravitation = 3.986_005e14
    private static let earthRotation = 7.292_115_146_7e-5

    private let radius: Double
    private let inclination: Double
    /// Longitude of the ascending node at time 0; radians.
    private let node: Double
    /// Argument of latitude at time 0; radians.
    private let argument: Double
    /// The mean motion in radians per second.
    private let motion: Double

    /// Makes an orbit; the radius in metres, all angles in degrees.
    init(radius: Double, inclination: Double, node: Double, argument: Double) {
        self.radius = radius
        self.inclination = inclination * .pi / 180
        self.node = node * .pi / 180
        self.argument = argument * .pi / 180
        motion = (Self.gravitation / (radius * radius * radius)).squareRoot()
    }

    /// Makes an orbit with a period of one sidereal day, whose ground track stays at a longitude or is a figure of
    /// eight there; angles in degrees.
    init(geosynchronousAt longitude: Double, inclination: Double, argument: Double) {
        radius = 42_164_170
        self.inclination = inclination * .pi / 180
        self.argument = argument * .pi / 180
        node = (longitude - argument) * .pi / 180
        motion = Self.earthRotation
    }

    /// The satellite's Earth-fixed position, in metres, at a time in seconds that counts from the same instant for all
    /// satellites.
    func position(atSeconds seconds: Double) -> ECEFVector {
        let along = argument + motion * seconds
        let node = node - Self.earthRotation * seconds
        let (x, y) = (radius * cos(along), radius * sin(along))
        return ECEFVector(
            x: x * cos(node) - y * cos(inclination) * sin(node),
            y: x * sin(node) + y * cos(inclination) * cos(node),
            z: y * sin(inclination)
        )
    }
}
