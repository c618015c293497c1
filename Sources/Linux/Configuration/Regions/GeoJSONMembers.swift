internal import SextantJSON

/// Where in the text the values of a GeoJSON object's members begin; a member that is missing or null is nil.
struct GeoJSONMembers {
    private(set) var type: String?
    private(set) var id: Int?
    private(set) var features: Int?
    private(set) var geometry: Int?
    private(set) var properties: Int?
    private(set) var coordinates: Int?

    /// Scans an object, and remembers where its members' values begin.
    init(_ scanner: inout JSONScanner) throws(JSONScanError) {
        try scanner.enterObject()
        while let key = try scanner.nextKey() {
            let kind = try scanner.kind()
            let place = kind == .null ? nil : scanner.position
            switch key {
            case "type" where kind == .string:
                type = try scanner.string()
                continue
            case "id": id = place
            case "features": features = place
            case "geometry": geometry = place
            case "properties": properties = place
            case "coordinates": coordinates = place
            default: break
            }
            try scanner.skip()
        }
    }
}

/// Those properties of a GeoJSON feature that say how the region is monitored.
struct RegionProperties {
    private(set) var id: String?
    private(set) var radius: Double?
    private(set) var dwell: Double?
    private(set) var notifyOnEntry = true
    private(set) var notifyOnExit = true

    init() {}

    init(_ scanner: inout JSONScanner) throws(JSONScanError) {
        try scanner.enterObject()
        while let key = try scanner.nextKey() {
            guard try scanner.kind() != .null else {
                try scanner.skip()
                continue
            }
            switch key {
            case "id": id = try RegionProperties.name(&scanner)
            case "radius":
                radius = try RegionProperties.named(key, &scanner) { s throws(JSONScanError) in try s.number() }
            case "dwell":
                dwell = try RegionProperties.named(key, &scanner) { s throws(JSONScanError) in try s.number() }
            case "notifyOnEntry":
                notifyOnEntry = try RegionProperties.named(key, &scanner) { s throws(JSONScanError) in try s.bool() }
            case "notifyOnExit":
                notifyOnExit = try RegionProperties.named(key, &scanner) { s throws(JSONScanError) in try s.bool() }
            default: try scanner.skip()
            }
        }
    }

    /// Reads a feature's id: a string, or a number, which is kept as it is written.
    static func name(_ scanner: inout JSONScanner) throws(JSONScanError) -> String {
        switch try scanner.kind() {
        case .string: return try scanner.string()
        case .number: return try scanner.numberText()
        default: throw scanner.error("its id is neither a string nor a number")
        }
    }

    private static func named<Value>(
        _ key: String, _ scanner: inout JSONScanner, _ read: (inout JSONScanner) throws(JSONScanError) -> Value
    ) throws(JSONScanError) -> Value {
        do throws(JSONScanError) {
            return try read(&scanner)
        } catch {
            throw JSONScanError(line: error.line, problem: "\(key): \(error.problem)")
        }
    }
}
