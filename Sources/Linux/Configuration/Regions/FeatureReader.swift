internal import Monitors
internal import SextantJSON

/// Reads one GeoJSON feature; a geometry that stands alone is read as a feature.
struct FeatureReader {
    private let scanner: JSONScanner
    private let number: Int
    private var id: String?

    /// Makes a reader that begins at the scanner's position in the text.
    ///
    /// - Parameter number: The feature's number in the file, counted from 1.
    init(_ scanner: JSONScanner, number: Int) {
        self.scanner = scanner
        self.number = number
    }

    func read() throws(RegionFileError) -> RegionFeature {
        var reader = self
        let members = try reader.members(at: scanner.position)
        switch members.type {
        case "Feature":
            return try reader.feature(members)
        case "Polygon", "MultiPolygon", "Point":
            let shape = try reader.shape(members, RegionProperties(), at: scanner.position)
            return RegionFeature(id: String(number), shape: shape)
        case let type:
            throw reader.error(
                "its type is \(type.map { "\"\($0)\"" } ?? "not said"); give a FeatureCollection, a Feature, or a Polygon",
                at: scanner.position)
        }
    }

    private mutating func feature(_ members: GeoJSONMembers) throws(RegionFileError) -> RegionFeature {
        if let place = members.id {
            id = try reading(at: place) { s throws(JSONScanError) in try RegionProperties.name(&s) }
        }
        var properties = RegionProperties()
        if let place = members.properties {
            properties = try reading(at: place) { s throws(JSONScanError) in try RegionProperties(&s) }
        }
        id = id ?? properties.id
        guard let place = members.geometry else {
            throw error("it has no geometry; give it a Polygon, a MultiPolygon, or a Point", at: scanner.position)
        }
        if let dwell = properties.dwell, !(dwell >= 0 && dwell <= FeatureReader.longestDwell) {
            throw error("dwell is \(dwell); give seconds, from 0 to 31536000", at: members.properties ?? place)
        }
        return RegionFeature(
            id: id ?? String(number), shape: try shape(self.members(at: place), properties, at: place),
            dwell: properties.dwell, notifyOnEntry: properties.notifyOnEntry, notifyOnExit: properties.notifyOnExit)
    }

    /// The longest dwell (stay in a region) that can be asked for, in seconds: a year.
    private static let longestDwell = 31_536_000.0

    // MARK: Geometries

    private func shape(
        _ geometry: GeoJSONMembers, _ properties: RegionProperties, at index: Int
    ) throws(RegionFileError) -> RegionShape {
        guard let coordinates = geometry.coordinates else {
            throw error("its geometry has no coordinates; write them as [longitude, latitude]", at: index)
        }
        switch geometry.type {
        case "Point":
            let centre = try reading(at: coordinates) { s throws(JSONScanError) in try FeatureReader.position(&s) }
            guard let radius = properties.radius else {
                throw error("a Point is a region with the property radius, in metres; add it", at: index)
            }
            return try checked(at: coordinates) { () throws(RegionShapeError) in
                try RegionShape(latitude: centre.latitude, longitude: centre.longitude, radius: radius)
            }
        case "Polygon":
            let rings = try reading(at: coordinates) { s throws(JSONScanError) in try FeatureReader.rings(&s) }
            return try checked(at: coordinates) { () throws(RegionShapeError) in .polygon(try RegionPolygon(rings)) }
        case "MultiPolygon":
            let parts = try reading(at: coordinates) { s throws(JSONScanError) in try FeatureReader.parts(&s) }
            return try checked(at: coordinates) { () throws(RegionShapeError) in
                .polygon(try RegionPolygon(parts: parts))
            }
        case let type:
            throw error(
                "its geometry is \(type.map { "a \($0)" } ?? "of no type"); a region is a Polygon, a MultiPolygon, or a Point"
                    + " with a radius", at: index)
        }
    }

    private static func parts(_ scanner: inout JSONScanner) throws(JSONScanError) -> [[[RegionPolygon.Position]]] {
        var parts: [[[RegionPolygon.Position]]] = []
        try scanner.enterArray()
        while try scanner.nextElement() { parts.append(try rings(&scanner)) }
        return parts
    }

    private static func rings(_ scanner: inout JSONScanner) throws(JSONScanError) -> [[RegionPolygon.Position]] {
        var rings: [[RegionPolygon.Position]] = []
        try scanner.enterArray()
        while try scanner.nextElement() {
            var ring: [RegionPolygon.Position] = []
            try scanner.enterArray()
            while try scanner.nextElement() { ring.append(try position(&scanner)) }
            rings.append(ring)
        }
        return rings
    }

    /// Reads a position: longitude, latitude, and further numbers, which are ignored.
    private static func position(_ scanner: inout JSONScanner) throws(JSONScanError) -> RegionPolygon.Position {
        try scanner.enterArray()
        var numbers = (longitude: 0.0, latitude: 0.0)
        var count = 0
        while try scanner.nextElement() {
            let number = try scanner.number()
            if count == 0 { numbers.longitude = number } else if count == 1 { numbers.latitude = number }
            count += 1
        }
        guard count >= 2 else { throw scanner.error("a position is [longitude, latitude], and this has \(count)") }
        return RegionPolygon.Position(latitude: numbers.latitude, longitude: numbers.longitude)
    }

    // MARK: Errors

    private func members(at index: Int) throws(RegionFileError) -> GeoJSONMembers {
        try reading(at: index) { s throws(JSONScanError) in try GeoJSONMembers(&s) }
    }

    private func reading<Value>(
        at index: Int, _ read: (inout JSONScanner) throws(JSONScanError) -> Value
    ) throws(RegionFileError) -> Value {
        var part = scanner.at(index)
        do throws(JSONScanError) {
            return try read(&part)
        } catch {
            throw RegionFileError(feature: number, id: id, line: error.line, problem: error.problem)
        }
    }

    private func checked(
        at index: Int, _ make: () throws(RegionShapeError) -> RegionShape
    ) throws(RegionFileError) -> RegionShape {
        do throws(RegionShapeError) {
            return try make()
        } catch let problem {
            throw error("\(problem)", at: index)
        }
    }

    private func error(_ problem: String, at index: Int) -> RegionFileError {
        RegionFileError(feature: number, id: id, line: scanner.at(index).line, problem: problem)
    }
}
