public import Monitors
internal import SextantJSON

/// A region as it is written in a GeoJSON file.
public struct RegionFeature: Sendable, Hashable {
    /// The feature's `id`, or else its property `id`; if both are missing, the feature's number in the file, counted
    /// from 1.
    public var id: String
    public var shape: RegionShape
    /// How long a stay in the region must last to be reported as a dwell, in seconds; nil if none is reported.
    public var dwell: Double?
    public var notifyOnEntry = true
    public var notifyOnExit = true

    public init(
        id: String, shape: RegionShape, dwell: Double? = nil, notifyOnEntry: Bool = true, notifyOnExit: Bool = true
    ) {
        self.id = id
        self.shape = shape
        self.dwell = dwell
        self.notifyOnEntry = notifyOnEntry
        self.notifyOnExit = notifyOnExit
    }
}

/// Reads regions from GeoJSON: a feature collection, a feature, or a geometry.
///
/// A region is a `Polygon`, a `MultiPolygon`, or a `Point` with the property `radius` in metres. Other properties that
/// are read: `id`, `dwell` (seconds), `notifyOnEntry` and `notifyOnExit`. Source: RFC 7946.
public enum RegionFile {
    /// Reads all regions of a file; a file without any region is an error.
    public static func read(_ bytes: [UInt8]) throws(RegionFileError) -> [RegionFeature] {
        let scanner = JSONScanner(bytes)
        let top: GeoJSONMembers
        do throws(JSONScanError) {
            var whole = scanner
            top = try GeoJSONMembers(&whole)
            try whole.end()
        } catch {
            throw RegionFileError(line: error.line, problem: error.problem)
        }
        var features: [RegionFeature] = []
        guard top.type == "FeatureCollection" else {
            try features.append(FeatureReader(scanner, number: 1).read())
            return features
        }
        try readCollection(scanner, top, into: &features)
        return features
    }

    private static func readCollection(
        _ scanner: JSONScanner, _ top: GeoJSONMembers, into features: inout [RegionFeature]
    ) throws(RegionFileError) {
        guard let start = top.features else {
            throw RegionFileError(problem: "the FeatureCollection has no features; give it the array \"features\"")
        }
        var list = scanner.at(start)
        var numbers: [String: Int] = [:]
        while try nextFeature(&list, isFirst: features.isEmpty) {
            let number = features.count + 1
            let feature = try FeatureReader(list, number: number).read()
            if let other = numbers.updateValue(number, forKey: feature.id) {
                throw RegionFileError(
                    feature: number, id: feature.id, line: list.line,
                    problem: "its id is that of feature \(other) too; give each its own")
            }
            features.append(feature)
            // Skipping the feature cannot fail, because `GeoJSONMembers` has scanned the same text without an error.
            try? list.skip()
        }
        guard !features.isEmpty else {
            throw RegionFileError(problem: "there is no region in it; add a feature for each")
        }
    }

    private static func nextFeature(
        _ list: inout JSONScanner, isFirst: Bool
    ) throws(RegionFileError) -> Bool {
        do throws(JSONScanError) {
            if isFirst { try list.enterArray() }
            return try list.nextElement()
        } catch {
            throw RegionFileError(line: error.line, problem: "features: \(error.problem)")
        }
    }
}

/// A mistake in a GeoJSON file of regions: where it is, what is wrong and how to correct it.
public struct RegionFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The feature's number, counted from 1; nil if the mistake concerns the whole file.
    public var feature: Int?
    public var id: String?
    /// The line's number, counted from 1; nil if the mistake concerns no single line.
    public var line: Int?
    public var problem: String

    public var description: String {
        var place: [String] = []
        if let line { place.append("line \(line)") }
        if let feature { place.append("feature \(feature)" + (id.map { " (\"\($0)\")" } ?? "")) }
        return (place.isEmpty ? "" : place.joined(separator: ", ") + ": ") + problem
    }
}
