internal import SextantPlaces
internal import SextantUnits

/// Finds the town of an address among the towns of an import: by the town's name in the address, or else by position
/// (`PlaceRules`).
struct TownFinder {
    private(set) var towns: [ListedPlace] = []
    private var points: [UnitVector] = []
    /// The indices of the towns by name, for the search by name; of several towns at one point with one name and
    /// country, only the first.
    private(set) var named: [String: [Int]] = [:]
    /// The indices of the towns by grid cell, for the search by position; of several towns at one point, only the
    /// first.
    private var cells: [Cell: [Int]] = [:]
    private var taken: Set<Seat> = []

    /// A point that is taken by a town of this name and country or, if these are nil, by any town.
    private struct Seat: Hashable {
        var latitudeE5: Int32
        var longitudeE5: Int32
        var name: String?
        var country: String?
    }

    private struct Cell: Hashable {
        var north: Int
        var east: Int
    }

    /// The side of a grid cell, in degrees of latitude and longitude.
    private static let cellSize = 0.25

    /// - Parameter towns: The towns; of several at one point the largest comes first, as in `SortedPlaces`.
    init(_ towns: [ListedPlace]) { for town in towns { append(town) } }

    mutating func append(_ town: ListedPlace) {
        let index = towns.count
        towns.append(town)
        points.append(UnitVector(latitude: town.latitude, longitude: town.longitude))
        var seat = Seat(latitudeE5: town.latitudeE5, longitudeE5: town.longitudeE5)
        if !town.isSection, taken.insert(seat).inserted {
            cells[TownFinder.cell(town.latitude, town.longitude), default: []].append(index)
        }
        (seat.name, seat.country) = (town.name, town.country)
        if taken.insert(seat).inserted { named[town.name, default: []].append(index) }
    }

    private static func cell(_ latitude: Double, _ longitude: Double) -> Cell {
        Cell(north: Int((latitude / cellSize).rounded(.down)), east: Int((longitude / cellSize).rounded(.down)))
    }

    /// The index of an object's town: the nearest town with the name that the object's address states, or, if it states
    /// none, the town in whose urban radius the object is deepest.
    ///
    /// - Parameter reach: The largest distance in metres from the object to a town with the stated name.
    func town(of object: ImportedObject, within reach: Double = PlaceRules.townReach) -> Int? {
        object.town.isEmpty ? deepest(object) : town(named: object.town, of: object, within: reach)
    }

    /// The index of the nearest place with the name of the part of town in an object's address; nil if there is none.
    func district(of object: ImportedObject) -> Int? {
        object.district.isEmpty ? nil : town(named: object.district, of: object)
    }

    private func town(
        named name: String, of object: ImportedObject, within reach: Double = PlaceRules.townReach
    ) -> Int? {
        let point = UnitVector(latitude: object.latitude, longitude: object.longitude)
        let candidates = (named[name] ?? []).filter { index in
            towns[index].country == object.country || towns[index].country.isEmpty || object.country.isEmpty
        }.map { (town: $0, distance: point.distance(to: points[$0])) }
        guard let best = candidates.min(by: { $0.distance < $1.distance }), best.distance <= reach
        else { return nil }
        return best.town
    }

    private func deepest(_ object: ImportedObject) -> Int? {
        let point = UnitVector(latitude: object.latitude, longitude: object.longitude)
        var best: (town: Int, depth: Double)?
        for index in around(object) {
            let distance = point.distance(to: points[index])
            guard distance <= PlaceRules.localityReach else { continue }
            let radius = PlaceRules.urbanRadius(population: towns[index].population)
            let depth = distance / PlaceRules.countedRadius(radius)
            if depth < best?.depth ?? .infinity { best = (index, depth) }
        }
        return best?.town
    }

    /// The towns in the grid cells around an object, without parts of towns.
    func around(_ object: ImportedObject) -> [Int] {
        let here = TownFinder.cell(object.latitude, object.longitude)
        let (_, cosine) = Trigonometry.sineAndCosine(abs(object.latitude) / Trigonometry.degreesPerRadian)
        // A grid cell is 27.8 km high, and its width is that times the cosine of the latitude; so further from the
        // equator more cells are searched.
        let wide = min(20, Int((1 / max(cosine, 0.05)).rounded(.up)))
        return (-1...1).flatMap { row in
            (-wide...wide).flatMap { cells[Cell(north: here.north + row, east: here.east + $0)] ?? [] }
        }
    }
}
