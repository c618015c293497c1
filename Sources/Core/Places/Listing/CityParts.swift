internal import SextantUnits

/// Finds the city that each place of a list is a part of; see `PlaceRules.isPart`.
public enum CityParts {
    /// A place, with a number that identifies the state in which it lies.
    public struct Item: Sendable, Hashable {
        public var point: UnitVector
        public var latitude: Double
        public var longitude: Double
        public var population: UInt32
        public var state: Int

        public init(latitude: Double, longitude: Double, population: UInt32, state: Int) {
            point = UnitVector(latitude: latitude, longitude: longitude)
            self.latitude = latitude
            self.longitude = longitude
            self.population = population
            self.state = state
        }
    }

    private struct Cell: Hashable {
        var north: Int
        var east: Int

        static let size = 0.25

        init(_ latitude: Double, _ longitude: Double) {
            north = Int((latitude / Cell.size).rounded(.down))
            east = Int((longitude / Cell.size).rounded(.down))
        }
    }

    /// For each place, the index of the city that it is a part of; nil if it is a part of no city.
    public static func cities(of items: [Item]) -> [Int?] {
        var cells: [Cell: [Int]] = [:]
        for (index, item) in items.enumerated() {
            cells[Cell(item.latitude, item.longitude), default: []].append(index)
        }
        var best: [(city: Int, depth: Double)?] = Array(repeating: nil, count: items.count)
        for city in seats(of: items) {
            let item = items[city]
            let radius = PlaceRules.urbanRadius(population: item.population)
            // Half the height and half the width, in degrees, of a box around the circle that holds the city's parts.
            // The width is that at the edge nearer to the pole, where a degree of longitude is shorter. A degree counts
            // as 110 km instead of 111.2 km, which leaves 1 % for the ellipsoid.
            let north = PlaceRules.partDepth * radius / 110_000
            let (_, cosine) = Trigonometry.sineAndCosine(
                min(89, abs(item.latitude) + north) / Trigonometry.degreesPerRadian)
            let east = min(180, north / cosine)
            let (low, high) = (Cell(item.latitude - north, 0).north, Cell(item.latitude + north, 0).north)
            let (left, right) = (Cell(0, item.longitude - east).east, Cell(0, item.longitude + east).east)
            for row in low...high {
                for column in left...right {
                    var cell = Cell(0, 0)
                    (cell.north, cell.east) = (row, column)
                    for index in cells[cell] ?? [] where index != city && items[index].state == item.state {
                        let distance = item.point.distance(to: items[index].point)
                        let population = items[index].population
                        guard PlaceRules.isPart(population: population, ofCity: item.population, distance: distance)
                        else { continue }
                        if distance / radius < best[index]?.depth ?? .infinity {
                            best[index] = (city, distance / radius)
                        }
                    }
                }
            }
        }
        return items.indices.map { index in
            var city = best[index]?.city
            // If the city is itself a part of a larger city, the place is a part of the larger one. The loop ends,
            // because each city has at least ten times the people of its part.
            while let whole = city.flatMap({ best[$0]?.city }) { city = whole }
            return city
        }
    }

    /// The indices of the places that are large enough to have other places as parts, in ascending order.
    ///
    /// Of several places with equal coordinates in one state only the largest counts, because its circle contains
    /// theirs.
    static func seats(of items: [Item]) -> [Int] {
        var largest: [Seat: Int] = [:]
        for (index, item) in items.enumerated() where Double(item.population) >= PlaceRules.partRatio {
            let seat = Seat(point: item.point, state: item.state)
            if let other = largest[seat], items[other].population >= item.population { continue }
            largest[seat] = index
        }
        return largest.values.sorted()
    }

    private struct Seat: Hashable {
        var point: UnitVector
        var state: Int
    }
}
