/// What the search for a place's name needs from a table of places.
public protocol PlaceNames {
    associatedtype Failure: Error

    /// The numbers of the places that have this name.
    func places(named key: NameKey) throws(Failure) -> [UInt32]
    /// The areas that have this name.
    func areas(named key: NameKey) throws(Failure) -> [NamedArea]
    func record(of place: UInt32) throws(Failure) -> PlaceRecord?
    /// The place's own name.
    func name(of place: UInt32) throws(Failure) -> String?
    func area(_ area: UInt32) throws(Failure) -> Area?
}

/// An area that has the searched name, and how that name can be used.
public struct NamedArea: Sendable, Hashable {
    public enum Use: Int64, Sendable {
        /// A name of the area.
        case name = 0
        /// An abbreviation of the area's name, which counts only if it stands beside the name of a place.
        case besidePlace = 1
        /// A country's code; if no place is named like the code, a search for the code alone finds the country.
        case code = 2
    }

    public var area: UInt32
    public var use: Use

    public init(area: UInt32, use: Use) {
        self.area = area
        self.use = use
    }
}

extension PlaceNames {
    /// The areas (county, state and country) in which a place lies, the smallest first.
    public func areas(of record: PlaceRecord) throws(Failure) -> [UInt32] {
        var found: [UInt32] = []
        var next = record.area
        // The climb from an area to the larger one ends after four areas, since in a damaged table two could lie in
        // each other.
        while let area = next, found.count < 4 {
            found.append(area)
            next = try self.area(area)?.parent
        }
        let country = UInt32(record.country)
        if !found.contains(country) { found.append(country) }
        return found
    }

    /// The areas (county, state and country) in which a place lies, with their names.
    public func chain(of record: PlaceRecord) throws(Failure) -> AreaChain {
        var chain = AreaChain()
        for area in try areas(of: record) {
            if let area = try self.area(area) { chain.add(area) }
        }
        return chain
    }
}
