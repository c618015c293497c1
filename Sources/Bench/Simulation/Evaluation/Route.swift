internal import Glibc
internal import SextantUnits

/// A route from one place to another: straight pieces joined by bends.
struct Route: Sendable {
    let places: [Place]

    static func straight(from start: Place, to end: Place) -> Route { Route(places: [start, end]) }

    /// A route along the streets of a town whose streets meet at right angles.
    static func streets(from start: Place, to end: Place, random: inout SplitMix64) -> Route {
        let block = Double.random(in: 70...160, using: &random)
        // All streets of a route are parallel or perpendicular to one direction, which is derived from the route's two
        // ends.
        let grid = 0.35 + (end.east + start.east) * 1e-5
        let (ahead, aside) = (
            (end.east - start.east) * sin(grid) + (end.north - start.north) * cos(grid),
            (end.east - start.east) * cos(grid) - (end.north - start.north) * sin(grid)
        )
        let legs = max(1, min(8, Int((abs(ahead) + abs(aside)) / (2 * block))))
        let aheadCuts = cuts(legs, random: &random)
        let asideCuts = cuts(legs, random: &random)
        var places = [start]
        for leg in 0..<legs {
            let before = leg == 0 ? 0 : asideCuts[leg - 1]
            for (forward, side) in [(aheadCuts[leg], before), (aheadCuts[leg], asideCuts[leg])] {
                places.append(
                    start.moved(
                        east: forward * ahead * sin(grid) + side * aside * cos(grid),
                        north: forward * ahead * cos(grid) - side * aside * sin(grid)))
            }
        }
        return Route(places: withoutShortPieces(places)).rounded(radius: 9)
    }

    /// A country road with wide bends.
    static func country(from start: Place, to end: Place, random: inout SplitMix64) -> Route {
        winding(from: start, to: end, roughness: 0.14, piece: 160, random: &random).rounded(radius: 60)
    }

    static func motorway(from start: Place, to end: Place, random: inout SplitMix64) -> Route {
        winding(from: start, to: end, roughness: 0.05, piece: 1500, random: &random).rounded(radius: 600)
    }

    /// A footpath, with many bends.
    static func path(from start: Place, to end: Place, random: inout SplitMix64) -> Route {
        winding(from: start, to: end, roughness: 0.3, piece: 45, random: &random).rounded(radius: 10)
    }

    /// The route's start, followed by places every `spacing` metres along the route.
    func resampled(spacing: Double) -> [Place] {
        var sampled = [places[0]]
        var left = spacing
        for (start, end) in zip(places, places.dropFirst()) {
            let length = start.distance(to: end)
            guard length > 0 else { continue }
            while left <= length {
                sampled.append(start.toward(end, share: left / length))
                left += spacing
            }
            left -= length
        }
        return sampled
    }

    /// A winding route: repeatedly halves each piece and moves the middle sideways at random, until no piece is longer
    /// than `piece` metres.
    private static func winding(
        from start: Place, to end: Place, roughness: Double, piece: Double, random: inout SplitMix64
    ) -> Route {
        var places = [start, end]
        while zip(places, places.dropFirst()).contains(where: { $0.distance(to: $1) > piece }) {
            var finer = [places[0]]
            for (left, right) in zip(places, places.dropFirst()) {
                let aside = Double.random(in: -roughness...roughness, using: &random)
                let middle = left.toward(right, share: 0.5)
                finer.append(
                    middle.moved(
                        east: (right.north - left.north) * aside, north: -(right.east - left.east) * aside))
                finer.append(right)
            }
            places = finer
        }
        return Route(places: places)
    }

    /// Divides a whole at random into `count` parts; returns the ends of the parts as fractions in ascending order, the
    /// last being 1.
    private static func cuts(_ count: Int, random: inout SplitMix64) -> [Double] {
        let weights = (0..<count).map { _ in Double.random(in: 0.3...1, using: &random) }
        let whole = weights.reduce(0, +)
        var sum = 0.0
        return weights.map { weight in
            sum += weight
            return sum / whole
        }
    }

    private static func withoutShortPieces(_ places: [Place]) -> [Place] {
        var kept = [places[0]]
        for place in places.dropFirst().dropLast() where kept[kept.count - 1].distance(to: place) > 12 {
            kept.append(place)
        }
        return kept + [places[places.count - 1]]
    }

    /// Replaces each corner of the route by a parabola that begins and ends `radius` metres from the corner, or half
    /// way to the neighbouring corner if that is nearer.
    private func rounded(radius: Double) -> Route {
        guard places.count > 2 else { return self }
        var bent = [places[0]]
        for index in 1..<(places.count - 1) {
            let (before, corner, after) = (places[index - 1], places[index], places[index + 1])
            let (back, ahead) = (corner.distance(to: before), corner.distance(to: after))
            let reach = min(radius, back / 2, ahead / 2)
            guard reach > 0 else { continue }
            let entry = corner.toward(before, share: reach / back)
            let exit = corner.toward(after, share: reach / ahead)
            for step in 0...8 {
                let share = Double(step) / 8
                let first = entry.toward(corner, share: share)
                bent.append(first.toward(corner.toward(exit, share: share), share: share))
            }
        }
        return Route(places: bent + [places[places.count - 1]])
    }
}
