internal import Emulation
internal import Glibc
internal import PlaceTable
internal import SextantPlaces
internal import SextantUnits

/// The points and names that are looked up in a table of towns: random, but the same in every run with the same table.
struct PlaceQuestions {
    struct Point {
        var latitude: Double
        var longitude: Double
    }

    /// Points, grouped by the kind of area in which they lie.
    var points: [(name: String, points: [Point])]
    var names: [String] = []
    var namesAndCountries: [String] = []

    init(of table: PlaceTable, count: Int) throws {
        var random = SplitMix64(seed: 7)
        var near: [Point] = []
        let last = Double(max(1, table.about.places) - 1)
        while near.count < count {
            let place = UInt32(random.next(in: 0...last))
            guard let record = try table.record(of: place), let name = try table.name(of: place) else { continue }
            // The point is offset from the town at random, with a standard deviation of some 2 km to the north and to
            // the east.
            let latitude = min(90, max(-90, record.latitude + 0.018 * random.nextGaussian()))
            let east = 0.018 * random.nextGaussian() / max(0.01, cos(latitude * .pi / 180))
            near.append(Point(latitude: latitude, longitude: LocalFrame.wrapped(record.longitude + east)))
            names.append(name)
            namesAndCountries.append("\(name), \(try table.area(UInt32(record.country))?.name ?? "")")
        }
        let sphere = (0..<count).map { _ in PlaceQuestions.point(sines: -1...1, &random) }
        let pole = sin(80 * Double.pi / 180)
        let poles = (0..<count).map { index in
            PlaceQuestions.point(sines: index % 2 == 0 ? pole...1 : -1...(-pole), &random)
        }
        points = [("near a town", near), ("on the sphere", sphere), ("near a pole", poles)]
    }

    /// A random point between two latitudes, given by their sines; the points are evenly distributed over the sphere's
    /// area.
    private static func point(sines: ClosedRange<Double>, _ random: inout SplitMix64) -> Point {
        Point(latitude: asin(random.next(in: sines)) * 180 / .pi, longitude: random.next(in: -180...180))
    }

    /// Writes the points of each kind of area to their own file, with one point per line.
    func write(to folder: String) throws {
        for (name, (_, points)) in zip(["near", "sphere", "poles"], self.points) {
            let path = "\(folder)/\(name).csv"
            // Safety: the file is closed at the end, and nothing else has it.
            guard let file = unsafe fopen(path, "w") else {
                throw PlaceTableError(.inaccessible(errno: errno), path: path)
            }
            for point in points { unsafe fputs("\(point.latitude),\(point.longitude)\n", file) }
            _ = unsafe fclose(file)
        }
    }
}
