internal import SextantUnits

/// Invented trajectories of one point per second: days, rides, hikes and drives that differ by their random seed.
///
/// With them a power policy can be developed and tested on more traces than the ones that it was designed for. Speeds
/// and accelerations are those of people and cars: a walker goes 1.1 to 1.6 m/s and stops at crossings, a bicycle 4 to
/// 8 m/s, a car keeps to limits of 30 to 130 km/h, brakes for turns and waits at traffic lights. A person who stays at
/// a place does not move, except for occasional steps inside the house. Places are anywhere between 50° south and 62°
/// north; all trajectories start on a day of 2026.
public enum SyntheticTruth {
    /// One day from midnight to midnight: a night, long stays, the way to work, walks and errands.
    ///
    /// The seed chooses one of three kinds of day: at the office, at home, or a free day with errands.
    public static func dailyLife(seed: UInt64) -> [TruthPoint] {
        var day = DailyLife(seed: seed)
        return day.trajectory()
    }

    /// A round trip of 25 to 60 km on a bicycle, 1 to 3.5 h, with traffic lights in town and sometimes a break.
    public static func bicycleRide(seed: UInt64) -> [TruthPoint] {
        var random = SplitMix64(seed: seed ^ 0xB1C7)
        var journey = Journey(hour: 9, random: &random)
        let speed = Double.random(in: 4.8...7.5, using: &random)
        let rider = Manner.bicycle(speed: speed)
        let corners = Int.random(in: 3...5, using: &random)
        let radius = Double.random(in: 4000...8000, using: &random)
        let places = Place.ring(count: corners, radius: radius, random: &random)
        let rest = Int.random(in: 0...(2 * corners), using: &random)
        journey.stay(seconds: .random(in: 60...400, using: &random))
        journey.travel(.streets(from: .origin, to: places[0].scaled(by: 0.25), random: &random), rider, &random)
        for (index, place) in places.enumerated() {
            journey.travel(.country(from: journey.place, to: place, random: &random), rider, &random)
            if index == rest { journey.stay(seconds: .random(in: 420...1500, using: &random)) }
        }
        let outskirts = places[places.count - 1].scaled(by: 0.25)
        journey.travel(.country(from: journey.place, to: outskirts, random: &random), rider, &random)
        journey.travel(.streets(from: journey.place, to: .origin, random: &random), rider, &random)
        journey.stay(seconds: .random(in: 60...400, using: &random))
        return journey.points
    }

    /// A walk of 9 to 22 km on winding paths, 3 to 9 h, with short halts and long rests.
    public static func hike(seed: UInt64) -> [TruthPoint] {
        var random = SplitMix64(seed: seed ^ 0x41CE)
        var journey = Journey(hour: 9, random: &random)
        let walker = Manner.hiker(speed: .random(in: 0.95...1.3, using: &random))
        let legs = Int.random(in: 4...7, using: &random)
        let radius = Double.random(in: 1300...2400, using: &random)
        journey.stay(seconds: .random(in: 120...600, using: &random))
        for place in Place.ring(count: legs, radius: radius, random: &random) + [.origin] {
            journey.travel(.path(from: journey.place, to: place, random: &random), walker, &random)
            let isLong = Double.random(in: 0...1, using: &random) < 0.35
            journey.stay(seconds: .random(in: isLong ? 600...2400 : 20...240, using: &random))
        }
        return journey.points
    }

    /// A drive of 13 to 55 km: out of town, along a country road or motorway, and into the next town.
    public static func drive(seed: UInt64) -> [TruthPoint] {
        var random = SplitMix64(seed: seed ^ 0xD41E)
        var journey = Journey(hour: 9, random: &random)
        let there = Place.origin.moved(by: .random(in: 12_000...50_000, using: &random), random: &random)
        journey.stay(seconds: .random(in: 60...300, using: &random))
        journey.drive(to: there, random: &random)
        journey.stay(seconds: .random(in: 60...300, using: &random))
        return journey.points
    }
}
