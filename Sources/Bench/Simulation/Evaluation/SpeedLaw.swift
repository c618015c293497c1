internal import Glibc
internal import SextantUnits

/// The speed along a route, limited by each stretch's own limit, the bends, the next stop and the possible
/// accelerations.
struct SpeedLaw {
    /// The distance travelled along the route, in metres, at each whole second from 1 s on; the last value is the
    /// route's length.
    let distancesEachSecond: [Double]

    init(along places: [Place], spacing: Double, manner: Manner, random: inout SplitMix64) {
        let limits = Self.limits(of: places.count, spacing: spacing, manner: manner, random: &random)
        var speeds = zip(limits, Self.bendSpeeds(places, lateral: manner.lateral)).map { min($0, $1) }
        let stops = Self.stops(of: places.count, spacing: spacing, manner: manner, random: &random)
        for stop in stops.keys { speeds[stop] = 0 }
        speeds[0] = 0
        speeds[speeds.count - 1] = 0
        for index in speeds.indices.dropFirst() {
            let reachable = (speeds[index - 1] * speeds[index - 1] + 2 * manner.acceleration * spacing).squareRoot()
            speeds[index] = min(speeds[index], reachable)
        }
        for index in speeds.indices.dropLast().reversed() {
            let reachable = (speeds[index + 1] * speeds[index + 1] + 2 * manner.deceleration * spacing).squareRoot()
            speeds[index] = min(speeds[index], reachable)
        }
        distancesEachSecond = Self.distances(speeds, spacing: spacing, stops: stops)
    }

    /// The speed limit at each place of the route in m/s, drawn at random for each stretch of the route.
    private static func limits(
        of count: Int, spacing: Double, manner: Manner, random: inout SplitMix64
    ) -> [Double] {
        var limits: [Double] = []
        limits.reserveCapacity(count)
        while limits.count < count {
            let usual = manner.speeds[Int.random(in: 0..<manner.speeds.count, using: &random)]
            let speed = usual * (1 + Double.random(in: -manner.variation...manner.variation, using: &random))
            let length = max(1, Int(Double.random(in: manner.stretch, using: &random) / spacing))
            limits += [Double](repeating: speed, count: min(length, count - limits.count))
        }
        return limits
    }

    /// The speed at each place, in m/s, at which the route's curvature there causes the given lateral acceleration.
    ///
    /// The curvature is that of the circle through the place and two others a few metres before and after it.
    private static func bendSpeeds(_ places: [Place], lateral: Double) -> [Double] {
        let reach = 3
        return places.indices.map { index in
            guard index >= reach, index + reach < places.count else { return .infinity }
            let (before, here, after) = (places[index - reach], places[index], places[index + reach])
            let cross =
                (here.east - before.east) * (after.north - here.north)
                - (here.north - before.north) * (after.east - here.east)
            let sides = before.distance(to: here) * here.distance(to: after) * before.distance(to: after)
            guard sides > 0, cross != 0 else { return .infinity }
            return max((lateral * sides / (2 * abs(cross))).squareRoot(), 0.4)
        }
    }

    /// The seconds to wait at each stop along the route; the key is the stop's index among the route's places.
    private static func stops(
        of count: Int, spacing: Double, manner: Manner, random: inout SplitMix64
    ) -> [Int: Double] {
        var stops: [Int: Double] = [:]
        var index = 0
        while true {
            index += Int(Double.random(in: manner.lights, using: &random) / spacing)
            guard index < count - 10 else { return stops }
            guard Double.random(in: 0...1, using: &random) < manner.stopChance else { continue }
            stops[index] = Double.random(in: manner.stopSeconds, using: &random)
        }
    }

    /// Computes the distance travelled at each whole second; between neighbouring places the acceleration is constant.
    private static func distances(_ speeds: [Double], spacing: Double, stops: [Int: Double]) -> [Double] {
        var distances: [Double] = []
        var time = 0.0
        var nextSecond = 1.0
        for index in 0..<(speeds.count - 1) {
            let wait = stops[index] ?? 0
            let (from, to) = (speeds[index], speeds[index + 1])
            let travel = from + to > 0 ? 2 * spacing / (from + to) : 0
            let acceleration = (to * to - from * from) / (2 * spacing)
            while nextSecond <= time + wait + travel {
                let moving = max(0, nextSecond - time - wait)
                let along = from * moving + acceleration * moving * moving / 2
                distances.append(Double(index) * spacing + min(along, spacing))
                nextSecond += 1
            }
            time += wait + travel
        }
        return distances + [Double(speeds.count - 1) * spacing]
    }
}
