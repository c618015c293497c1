/// The tag that says what kind of thing an object is: OpenStreetMap's key and value, such as tourism and museum.
public struct ObjectCategory: Sendable, Hashable {
    public var key: String
    public var value: String

    public init(key: String, value: String) {
        self.key = key
        self.value = value
    }

    /// Parses OpenStreetMap's key and value, joined by a full stop.
    public init(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        key = parts.first.map(String.init) ?? ""
        value = parts.count > 1 ? String(parts[1]) : ""
    }

    /// Whether this is an area of interest, as Apple calls a park, a museum or a castle.
    public var isAreaOfInterest: Bool {
        switch key {
        case "tourism", "leisure", "historic", "military": true
        case "boundary": value == "national_park"
        default: false
        }
    }
    /// Whether this is a lake or a river.
    public var isWater: Bool { key == "waterway" || key == "natural" && value == "water" }
    /// Whether this is an ocean or a part of one.
    public var isSea: Bool { key == "place" && (value == "ocean" || value == "sea") }
}
