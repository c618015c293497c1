internal import SextantJSON

/// Reads a file to import line by line: a Nominatim dump file, or a GeoJSON text sequence of osmium.
///
/// The first line tells the format. Sources: "Nominatim Dump File Format", version 0.1.0; RFC 8142 and RFC 7946;
/// osmium-export(1), `--add-unique-id=type_id`.
public struct PlaceInput: Sendable {
    /// A line of the input that cannot be used: its number, and a text that tells the fault and the remedy.
    public struct Problem: Error, Sendable, Hashable {
        public var line: Int
        public var text: String
    }

    private enum Format: Sendable {
        case geoJSON
        case nominatim
    }

    private let languages: NameLanguages
    private var format: Format?
    /// How many lines were read.
    public private(set) var lineCount = 0

    /// - Parameter languages: The languages in which names are kept, beside the local name.
    public init(_ languages: NameLanguages = NameLanguages()) { self.languages = languages }

    /// The supported version of the dump format; a file whose version differs only in the third number is read too.
    static let version = "0.1.0"

    /// Reads one line, without its line end.
    ///
    /// - Returns: The objects, boundaries and other items in the line; none for a line of an unknown kind.
    public mutating func read(line: [UInt8]) throws(Problem) -> [ImportedItem] {
        lineCount += 1
        // In a GeoJSON text sequence (RFC 8142), a record separator character precedes each text.
        let bytes = line.first == 0x1E ? Array(line.dropFirst()) : line
        guard bytes.contains(where: { $0 > 0x20 }) else { return [] }
        let members = try members(of: bytes)
        switch format {
        case nil: return try begin(members)
        case .geoJSON: return GeoJSONFeature(members, languages)?.items ?? []
        case .nominatim: return DumpLine.items(of: members, languages)
        }
    }

    /// Must be called at the end of the input; it throws if the input had no usable line.
    public func end() throws(Problem) {
        guard format == nil else { return }
        throw Problem(line: max(1, lineCount), text: "there is nothing to import; \(PlaceInput.wanted)")
    }

    private static let wanted = "give a Nominatim dump file, or what osmium export -f geojsonseq writes"

    private func problem(_ text: String) -> Problem { Problem(line: lineCount, text: text) }

    private func members(of bytes: [UInt8]) throws(Problem) -> [String: JSONValue] {
        let value: JSONValue
        do throws(JSONParseError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            // The JSON parser's error names a line number, which is always 1 here, and advises the user to edit the
            // file by hand; both are removed.
            let place = error.detail.split(separator: ",", maxSplits: 1).last ?? error.detail[...]
            let detail = place.prefix { $0 != ";" }
            throw problem("is damaged or cut off:\(detail); make the file again")
        }
        guard let members = value.members else { throw problem("is no object; \(PlaceInput.wanted)") }
        return members
    }

    private mutating func begin(_ members: [String: JSONValue]) throws(Problem) -> [ImportedItem] {
        switch members["type"]?.asText {
        case "Feature":
            format = .geoJSON
            return GeoJSONFeature(members, languages)?.items ?? []
        case "NominatimDumpFile":
            let content = members["content"]?.members ?? [:]
            try check(version: content["version"]?.asText ?? "none")
            format = .nominatim
            return DumpLine.date(content["data_timestamp"]?.asText).map { [.date($0)] } ?? []
        case "FeatureCollection":
            throw problem("is a whole collection; export it with -f geojsonseq, which has a feature a line")
        default: throw problem("is neither a feature nor the head of a dump; \(PlaceInput.wanted)")
        }
    }

    private func check(version: String) throws(Problem) {
        guard version.split(separator: ".").prefix(2) == PlaceInput.version.split(separator: ".").prefix(2) else {
            throw problem(
                "has version \(version) of the dump's format; this Sextant reads \(PlaceInput.version): "
                    + "update sextant, or make the file with an older tool")
        }
    }
}
