internal import Emulation

/// A boat's day in the bay of Quiberon: legs between places on the water, and stays at these places.
struct PageJourney {
    private(set) var points: [TrajectoryPoint] = []
    /// Times under a roof: from three minutes after an arrival until the departure.
    private(set) var indoors: [Range<Double>] = []

    private typealias Place = (latitude: Double, longitude: Double)

    /// The corners of the round trip: the mooring, the anchorage, and marks of the course.
    private static let places: [Place] = [
        (47.5167, -2.9850), (47.5030, -2.9940), (47.4940, -2.9995), (47.4800, -3.0120), (47.4890, -3.0240),
        (47.5060, -3.0290), (47.5190, -3.0180), (47.5280, -3.0020), (47.5290, -2.9900), (47.5220, -2.9820),
    ]

    /// - Parameter goesOn: Whether the boat is still under way at `end`.
    init(from start: Double, until end: Double, goesOn: Bool) {
        var (time, index) = (start, 0)
        stay(PageJourney.places[0], at: time)
        // A round trip with a stay of 40 minutes at every third place; no stay begins shortly before the end.
        while time < end - 2400 {
            index += 1
            time = travel(to: PageJourney.places[index % PageJourney.places.count], from: time, metresPerSecond: 11)
            guard index % 3 == 0, time < end - 4000 else { continue }
            indoors.append(time + 180..<time + 2400)
            time += 2400
            stay(PageJourney.places[index % PageJourney.places.count], at: time)
        }
        while goesOn, time < end + 7200 {
            index += 1
            time = travel(to: PageJourney.places[index % PageJourney.places.count], from: time, metresPerSecond: 11)
        }
        stay(PageJourney.places[index % PageJourney.places.count], at: time + 1e6)
    }

    private mutating func stay(_ place: Place, at time: Double) {
        points.append(TrajectoryPoint(time: time, latitude: place.latitude, longitude: place.longitude, altitude: 2))
    }

    /// Travels along a curve, and returns the time of arrival.
    private mutating func travel(to place: Place, from start: Double, metresPerSecond: Double) -> Double {
        guard let last = points.last else { return start }
        let (north, east) = (place.latitude - last.latitude, place.longitude - last.longitude)
        let metres = (north * north * 111_000 * 111_000 + east * east * 75_000 * 75_000).squareRoot()
        let steps = 24
        for step in 1...steps {
            let share = Double(step) / Double(steps)
            let bow = 4 * share * (1 - share) * 0.18
            let way = (
                latitude: last.latitude + north * share - east * bow * 0.68,
                longitude: last.longitude + east * share + north * bow / 0.68
            )
            stay(way, at: start + metres * 1.06 / metresPerSecond * share)
        }
        return start + metres * 1.06 / metresPerSecond
    }
}
