internal import Emulation
internal import Glibc

/// A place on a made-up map; metres from its middle.
struct Place: Sendable, Hashable {
    var east: Double
    var north: Double

    static let origin = Place(east: 0, north: 0)

    func distance(to other: Place) -> Double { hypot(other.east - east, other.north - north) }

    func moved(east: Double, north: Double) -> Place { Place(east: self.east + east, north: self.north + north) }

    /// As far away as `metres`, in a direction by chance.
    func moved(by metres: Double, random: inout SplitMix64) -> Place {
        let heading = Double.random(in: 0...(2 * .pi), using: &random)
        return moved(east: metres * sin(heading), north: metres * cos(heading))
    }

    func scaled(by factor: Double) -> Place { Place(east: east * factor, north: north * factor) }

    /// The place at a share of the way to another one.
    func toward(_ other: Place, share: Double) -> Place {
        Place(east: east + (other.east - east) * share, north: north + (other.north - north) * share)
    }

    /// Places about as far from the origin as `radius`, one behind the other around a ring that has it on its edge.
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
