internal import SextantUnits

/// A place that was visited.
struct KnownPlace: Sendable, Equatable {
    var id: UInt64
    /// The latitude of the place's middle in degrees.
    var latitude: Double
    var longitude: Double
    /// The standard deviation, on either axis, of the fixes about the place's middle; metres.
    var spread: Double
    /// The total time in seconds that fixes cover in the earlier visits; the place's middle is computed from these
    /// fixes.
    var weight: Double
    /// The number of the latest visit to the place; visits are numbered in order, and the place with the lowest number
    /// is forgotten first.
    var lastVisit: UInt64
}

/// The places that were visited; a place that is visited again on another day has the same number.
struct KnownPlaces: Sendable, Equatable {
    static let capacity = 256
    /// The largest `weight` of a place, in seconds; because of this limit, later visits can still move the place's
    /// middle to where people really stay.
    static let longestWeight = 36_000.0

    private(set) var places: [KnownPlace] = []
    private(set) var nextID: UInt64 = 1

    init() { places.reserveCapacity(KnownPlaces.capacity) }

    /// The index of the known place nearest to a coordinate, if it is near enough to be the place there; nil for none.
    ///
    /// - Parameter doubt: The largest possible error of a place's middle; metres.
    func index(latitude: Double, longitude: Double, doubt: Double) -> Int? {
        var best: (index: Int, distance: Double)?
        for (index, place) in places.enumerated() where abs(place.latitude - latitude) < 0.01 {
            let distance = LocalFrame.distance(
                fromLatitude: place.latitude, longitude: place.longitude, toLatitude: latitude, longitude: longitude)
            guard distance <= doubt, distance < best?.distance ?? .infinity else { continue }
            best = (index, distance)
        }
        return best?.index
    }

    subscript(id id: UInt64) -> KnownPlace? { places.first { $0.id == id } }

    mutating func revisit(_ index: Int, visit: UInt64) -> KnownPlace {
        places[index].lastVisit = visit
        return places[index]
    }

    mutating func add(latitude: Double, longitude: Double, spread: Double, visit: UInt64) -> KnownPlace {
        if places.count == KnownPlaces.capacity, let oldest = places.indices.min(by: isOlder) {
            places.remove(at: oldest)
        }
        let place = KnownPlace(
            id: nextID, latitude: latitude, longitude: longitude, spread: spread, weight: 0, lastVisit: visit)
        nextID += 1
        places.append(place)
        return place
    }

    private func isOlder(_ left: Int, _ right: Int) -> Bool { places[left].lastVisit < places[right].lastVisit }

    /// Updates a place's middle and spread from a visit that is over.
    ///
    /// - Parameter weight: The seconds of the visit for which there were fixes.
    mutating func learn(id: UInt64, latitude: Double, longitude: Double, spread: Double, weight: Double) {
        guard let index = places.firstIndex(where: { $0.id == id }), weight > 0 else { return }
        let share = weight / (places[index].weight + weight)
        places[index].latitude += share * (latitude - places[index].latitude)
        places[index].longitude = LocalFrame.wrapped(
            places[index].longitude + share * LocalFrame.wrapped(longitude - places[index].longitude))
        places[index].spread += share * (spread - places[index].spread)
        places[index].weight = min(places[index].weight + weight, KnownPlaces.longestWeight)
    }

    init?(restoring places: [KnownPlace], nextID: UInt64) {
        guard places.count <= KnownPlaces.capacity, places.allSatisfy({ $0.id < nextID }) else { return nil }
        self.init()
        self.places.append(contentsOf: places)
        self.nextID = nextID
    }
}
