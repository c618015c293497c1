internal import SextantUnits

/// One invented day of one invented person, as a trajectory.
struct DailyLife {
    private enum Kind: CaseIterable {
        case office
        case home
        case errands
    }

    private static let day = 86_400.0

    private var random: SplitMix64
    private var journey: Journey
    private let kind: Kind
    /// The position of the parked car while the person is at home.
    private let parking: Place
    private let walker: Manner
    private let work: Place

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed ^ 0xDA11)
        journey = Journey(hour: 0, random: &random)
        let choice = Double.random(in: 0...1, using: &random)
        kind = choice < 0.6 ? .office : choice < 0.8 ? .home : .errands
        parking = Place.origin.moved(by: .random(in: 30...180, using: &random), random: &random)
        walker = .walker(speed: .random(in: 1.15...1.55, using: &random))
        // The distance from home to work is drawn on a logarithmic scale: a distance and its double are equally likely.
        let doublings = Int.random(in: 0...4, using: &random)
        let distance = Double.random(in: 900...1400, using: &random) * Double(1 << doublings)
        work = Place.origin.moved(by: distance, random: &random)
        self.random = random
    }

    mutating func trajectory() -> [TruthPoint] {
        // The person sleeps until the morning and does not move meanwhile.
        journey.stay(seconds: hours(5.8, 7.2))
        potter(until: journey.elapsed + hours(0.5, 1.5))
        switch kind {
        case .office: spendAtOffice()
        case .home: spendAtHome()
        case .errands: spendOnErrands()
        }
        evening()
        potter(until: hours(21.7, 23))
        journey.stay(seconds: Self.day - journey.elapsed)
        return Array(journey.points.prefix(Int(Self.day)))
    }

    private mutating func spendAtOffice() {
        go(to: work)
        potter(until: hours(11.7, 12.8))
        if chance(0.7) { goForLunch() }
        potter(until: hours(16.2, 18))
        if chance(0.4) { visitShop(from: work) }
        go(to: .origin)
    }

    private mutating func spendAtHome() {
        if chance(0.6) { walkAround(metres: Double.random(in: 900...2500, using: &random)) }
        potter(until: hours(11.8, 13.5))
        visitShop(from: .origin)
        go(to: .origin)
        potter(until: hours(16, 18))
        walkAround(metres: Double.random(in: 1200...4500, using: &random))
    }

    private mutating func spendOnErrands() {
        for _ in 0..<Int.random(in: 3...6, using: &random) where journey.elapsed < 17 * 3600 {
            visitShop(from: journey.place)
        }
        go(to: .origin)
    }

    private mutating func evening() {
        potter(until: max(hours(18.2, 19.4), journey.elapsed + 600))
        guard journey.elapsed < 20 * 3600 else { return }
        if chance(0.35) {
            go(to: Place.origin.moved(by: .random(in: 800...9000, using: &random), random: &random))
            potter(until: journey.elapsed + hours(0.8, 2.2))
            go(to: .origin)
        } else if chance(0.5) {
            walkAround(metres: Double.random(in: 1000...5000, using: &random))
        }
    }

    private mutating func visitShop(from place: Place) {
        go(to: place.moved(by: .random(in: 500...6000, using: &random), random: &random))
        potter(until: journey.elapsed + hours(0.12, 0.9), every: 240)
    }

    private mutating func goForLunch() {
        let desk = journey.place
        let table = desk.moved(by: .random(in: 120...700, using: &random), random: &random)
        journey.travel(.streets(from: desk, to: table, random: &random), walker, &random)
        journey.stay(seconds: hours(0.3, 0.8))
        journey.travel(.streets(from: journey.place, to: desk, random: &random), walker, &random)
    }

    /// Walks around one or several blocks and back to the start.
    private mutating func walkAround(metres: Double) {
        let start = journey.place
        for place in Place.ring(count: 3, radius: metres / 7, random: &random) {
            journey.travel(
                .streets(from: journey.place, to: start.moved(east: place.east, north: place.north), random: &random),
                walker, &random)
        }
        journey.travel(.streets(from: journey.place, to: start, random: &random), walker, &random)
    }

    /// Walks to a place within 1600 m and drives to one farther away; at both ends of a drive the car is parked a short
    /// walk away.
    private mutating func go(to place: Place) {
        guard journey.place.distance(to: place) > 1600 else {
            journey.travel(.streets(from: journey.place, to: place, random: &random), walker, &random)
            return
        }
        let car = journey.place.moved(east: parking.east, north: parking.north)
        let lot = place.moved(by: .random(in: 20...200, using: &random), random: &random)
        journey.travel(.streets(from: journey.place, to: car, random: &random), walker, &random)
        journey.stay(seconds: .random(in: 20...90, using: &random))
        journey.drive(to: lot, random: &random)
        journey.stay(seconds: .random(in: 20...90, using: &random))
        journey.travel(.streets(from: journey.place, to: place, random: &random), walker, &random)
    }

    /// Stays in the house without moving, except for a few steps into another room now and then.
    private mutating func potter(until end: Double, every mean: Double = 2400) {
        let room = journey.place
        while journey.elapsed < end {
            journey.stay(seconds: min(Double.random(in: 0.2...1.8, using: &random) * mean, end - journey.elapsed))
            guard journey.elapsed < end else { return }
            let other = room.moved(by: .random(in: 2...9, using: &random), random: &random)
            journey.travel(.straight(from: journey.place, to: other), .indoors, &random)
        }
    }

    private mutating func hours(_ from: Double, _ to: Double) -> Double {
        Double.random(in: from...to, using: &random) * 3600
    }

    private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0...1, using: &random) < share }
}
