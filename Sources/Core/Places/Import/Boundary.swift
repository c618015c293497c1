/// The border of a country, a state, a county or a town, as rings of points.
///
/// A point is inside if an odd number of rings enclose it. The edges are indexed by strips of latitude, so that a test
/// of a point looks at few edges.
public struct Boundary: Sendable {
    /// The rank of the area, which is the value of OpenStreetMap's tag `admin_level`: 2 for a country, more for smaller
    /// areas.
    public let level: Int
    public let name: String
    /// The two-letter code of a country; empty if it is not known.
    public let code: String
    private let edges: [Edge]
    /// For each strip of latitude, the indices of the edges that touch it.
    private var strips: [[UInt32]]
    private let low: GeoPoint
    private let high: GeoPoint

    private struct Edge: Sendable {
        var from: GeoPoint
        var to: GeoPoint
    }

    /// Returns nil if the rings have fewer than three edges in all.
    init?(level: Int, name: String, code: String, rings: [[GeoPoint]]) {
        self.level = level
        self.name = name
        self.code = code
        edges = rings.flatMap { ring in zip(ring, ring.dropFirst()).map { Edge(from: $0, to: $1) } }
        let points = rings.joined()
        guard let first = points.first, edges.count >= 3 else { return nil }
        low = points.reduce(first) { $0.lower($1) }
        high = points.reduce(first) { $0.upper($1) }
        strips = Array(repeating: [], count: max(1, min(512, edges.count / 8)))
        for (index, edge) in edges.enumerated() {
            let (start, end) = (strip(of: edge.from.latitude), strip(of: edge.to.latitude))
            for strip in min(start, end)...max(start, end) { strips[strip].append(UInt32(index)) }
        }
    }

    private func strip(of latitude: Double) -> Int {
        let height = high.latitude - low.latitude
        guard height > 0 else { return 0 }
        return max(0, min(strips.count - 1, Int((latitude - low.latitude) / height * Double(strips.count))))
    }

    public func contains(latitude: Double, longitude: Double) -> Bool {
        guard latitude >= low.latitude, latitude <= high.latitude, longitude >= low.longitude,
            longitude <= high.longitude
        else { return false }
        var isInside = false
        for index in strips[strip(of: latitude)] {
            let edge = edges[Int(index)]
            guard (edge.from.latitude > latitude) != (edge.to.latitude > latitude) else { continue }
            let share = (latitude - edge.from.latitude) / (edge.to.latitude - edge.from.latitude)
            if longitude < edge.from.longitude + share * (edge.to.longitude - edge.from.longitude) {
                isInside.toggle()
            }
        }
        return isInside
    }
}

/// The boundaries in an imported file; they give objects the names of the areas in which they lie.
public struct Boundaries: Sendable {
    private var levels: [Int: [Boundary]] = [:]
    /// For each `admin_level`, the index of the boundary found most recently; the next object is tested against it
    /// first, because it often lies nearby.
    private var last: [Int: Int] = [:]

    public init() {}

    public var isEmpty: Bool { levels.isEmpty }

    public mutating func add(_ boundary: Boundary) { levels[boundary.level, default: []].append(boundary) }

    /// Fills in the country, state, county and town that an object lacks, from the boundaries in which it lies.
    public mutating func complete(_ object: inout ImportedObject) {
        guard !levels.isEmpty else { return }
        if object.country.isEmpty { object.country = find(2, object)?.code ?? "" }
        if object.state.isEmpty { object.state = find(4, object)?.name ?? "" }
        if object.county.isEmpty { object.county = find(6, object)?.name ?? "" }
        guard object.kind != .town, object.town.isEmpty else { return }
        object.town = find(TagRules.townLevel(inCountry: object.country), object)?.name ?? ""
    }

    private mutating func find(_ level: Int, _ object: ImportedObject) -> Boundary? {
        guard let all = levels[level] else { return nil }
        let (latitude, longitude) = (object.latitude, object.longitude)
        if let index = last[level], all[index].contains(latitude: latitude, longitude: longitude) { return all[index] }
        guard let index = all.firstIndex(where: { $0.contains(latitude: latitude, longitude: longitude) }) else {
            return nil
        }
        last[level] = index
        return all[index]
    }
}
