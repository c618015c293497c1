internal import Emulation
internal import SextantUnits

/// The positions of the board for a year: at home, at work and in the town, and twice a year far away on holiday.
///
/// From three minutes after an arrival the receiver is indoors and sees no satellites.
struct Journey {
    private(set) var points: [TrajectoryPoint] = []
    private(set) var indoors: [Range<Double>] = []

    /// A place, in degrees north and east.
    struct Place {
        let latitude: Double
        let longitude: Double
    }

    static let home = Place(latitude: 47.3769, longitude: 8.5417)
    /// Home, work, and other places in the town; regions are registered around them.
    static let places =
        [home, Place(latitude: 47.4108, longitude: 8.5441)]
        + (1...8).map {
            Place(latitude: 47.3769 + 0.012 * Double($0 % 4 - 2), longitude: 8.5417 + 0.011 * Double($0))
        }
    private static let holidays = [
        Place(latitude: 38.7223, longitude: -9.1393), Place(latitude: -17.7, longitude: 179.99),
    ]

    init(start: Double, days: Int, random: inout SplitMix64) {
        stay(Journey.home, from: start)
        for day in 0..<days {
            let midnight = start + Double(day) * 86_400
            if day % 180 == 90 {
                travel(to: Journey.holidays[day / 180 % 2], from: midnight + 30_000, metresPerSecond: 220)
            } else if day % 180 == 100 {
                travel(to: Journey.home, from: midnight + 30_000, metresPerSecond: 220)
            } else if !(90..<100).contains(day % 180) {
                spend(day: day, from: midnight, &random)
            }
        }
        stay(here, from: max(start + Double(days) * 86_400, now + 60))
    }

    private var here: Place {
        Place(latitude: points.last?.latitude ?? 0, longitude: points.last?.longitude ?? 0)
    }
    private var now: Double { points.last?.time ?? 0 }

    private mutating func spend(day: Int, from midnight: Double, _ random: inout SplitMix64) {
        let isWorkday = day % 7 < 5
        let target = isWorkday ? Journey.places[1] : Journey.places[Int(random.next() % 10)]
        travel(to: target, from: midnight + random.next(in: 25_000...32_000), metresPerSecond: 12)
        if random.next() % 3 == 0 {
            travel(to: Journey.places[Int(random.next() % 10)], from: midnight + 45_000, metresPerSecond: 1.4)
        }
        travel(to: Journey.home, from: midnight + random.next(in: 60_000...70_000), metresPerSecond: 12)
    }

    private mutating func stay(_ place: Place, from time: Double) {
        points.append(TrajectoryPoint(time: time, latitude: place.latitude, longitude: place.longitude, altitude: 400))
    }

    private mutating func travel(to place: Place, from time: Double, metresPerSecond: Double) {
        let arrived = now
        let begin = max(time, arrived + 60)
        if begin > arrived + 180 { indoors.append(arrived + 180..<begin) }
        stay(here, from: begin)
        let (north, east) = ((place.latitude - here.latitude) * 111_000, (place.longitude - here.longitude) * 75_000)
        let seconds = (north * north + east * east).squareRoot() / metresPerSecond
        guard seconds > 1 else { return }
        stay(place, from: begin + seconds)
    }
}
