internal import Glibc
internal import SextantUnits

/// An invented trajectory that is built from stays and journeys, with one point per second.
struct Journey {
    /// The spacing in metres of the points of a route at which the speed is computed.
    private static let spacing = 1.0
    private static let metresPerDegree = 111_195.0
    /// The earliest day on which a trajectory starts, in Unix seconds: 2026-01-05T00:00:00Z, a Monday.
    private static let firstDay = 1_767_571_200.0

    private(set) var points: [TruthPoint] = []
    private(set) var place = Place.origin

    private let startTime: Double
    private let latitude: Double
    private let longitude: Double

    /// Starts a trajectory on a random day and at a random place, `hour` hours after midnight UTC.
    init(hour: Double, random: inout SplitMix64) {
        startTime = Self.firstDay + Double(Int.random(in: 0..<300, using: &random)) * 86_400 + hour * 3600
        latitude = Double.random(in: -50...62, using: &random)
        longitude = Double.random(in: -175...175, using: &random)
    }

    /// Seconds since the start.
    var elapsed: Double { Double(points.count) }

    /// Stays at the present place for a whole number of seconds.
    mutating func stay(seconds: Double) {
        for _ in 0..<max(0, Int(seconds)) { add(place) }
    }

    /// Follows a route, beginning and ending at rest.
    mutating func travel(_ route: Route, _ manner: Manner, _ random: inout SplitMix64) {
        let places = route.resampled(spacing: Self.spacing)
        let law = SpeedLaw(along: places, spacing: Self.spacing, manner: manner, random: &random)
        for distance in law.distancesEachSecond {
            let index = min(Int(distance / Self.spacing), places.count - 1)
            let next = places[min(index + 1, places.count - 1)]
            add(places[index].toward(next, share: distance / Self.spacing - Double(index)))
        }
    }

    /// Drives to a place: along streets at both ends and, if it is far, a country road or motorway between them.
    mutating func drive(to end: Place, random: inout SplitMix64) {
        let start = place
        let distance = start.distance(to: end)
        guard distance > 3500 else {
            travel(.streets(from: start, to: end, random: &random), .townCar, &random)
            return
        }
        let edge = Double.random(in: 900...1500, using: &random) / distance
        let (out, into) = (start.toward(end, share: edge), start.toward(end, share: 1 - edge))
        travel(.streets(from: start, to: out, random: &random), .townCar, &random)
        if distance > 12_000, Double.random(in: 0...1, using: &random) < 0.6 {
            let (on, off) = (start.toward(end, share: 0.25), start.toward(end, share: 0.8))
            travel(.country(from: place, to: on, random: &random), .countryCar, &random)
            travel(.motorway(from: place, to: off, random: &random), .motorwayCar, &random)
        }
        travel(.country(from: place, to: into, random: &random), .countryCar, &random)
        travel(.streets(from: place, to: end, random: &random), .townCar, &random)
    }

    private mutating func add(_ place: Place) {
        self.place = place
        points.append(
            TruthPoint(
                time: startTime + elapsed, latitude: latitude + place.north / Self.metresPerDegree,
                longitude: longitude + place.east / Self.metresPerDegree / cos(latitude * .pi / 180)))
    }
}
