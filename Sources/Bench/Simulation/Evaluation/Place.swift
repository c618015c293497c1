internal import Glibc
internal import SextantUnits

/// A place on an invented map, in metres east and north of the map's origin.
struct Place: Sendable, Hashable {
    var east: Double
    var north: Double

    static let origin = Place(east: 0, north: 0)

    func distance(to other: Place) -> Double { hypot(other.east - east, other.north - north) }

    func moved(east: Double, north: Double) -> Place { Place(east: self.east + east, north: self.north + north) }

    /// The place `metres` away in a random direction.
    func moved(by metres: Double, random: inout SplitMix64) -> Place {
        let heading = Double.random(in: 0...(2 * .pi), using: &random)
        return moved(east: metres * sin(heading), north: metres * cos(heading))
    }

    func scaled(by factor: Double) -> Place { Place(east: east * factor, north: north * factor) }

    /// The place that lies at a fraction, 0 to 1, of the way to another place.
    func toward(_ other: Place, share: Double) -> Place {
        Place(east: east + (other.east - east) * share, north: north + (other.north - north) * share)
    }

    /// Places along a closed ring that passes through the origin, in order; each is roughly `radius` metres from the
    /// ring's centre.
    static func ring(count: Int, radius: Double, random: inout SplitMix64) -> [Place] {
        let start = Double.random(in: 0...(2 * .pi), using: &random)
        let turn = Bool.random(using: &random) ? 1.0 : -1.0
        let middle = Place(east: -radius * sin(start), north: -radius * cos(start))
        return (1...count).map { index in
            let angle = start + turn * Double(index) / Double(count + 1) * 2 * .pi
            let reach = radius * Double.random(in: 0.75...1.3, using: &random)
            return middle.moved(east: reach * sin(angle), north: reach * cos(angle))
        }
    }
}
