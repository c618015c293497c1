internal import ArgumentParser
internal import PlaceTable
internal import SextantPlaces

/// `sextant places import`.
struct PlacesImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Make a region table with streets, house numbers and points of interest.",
        discussion: """
            The input is a Nominatim dump file (JSON lines, version 0.1.0), or what osmium-tool makes of an extract of \
            OpenStreetMap:

              osmium tags-filter in.osm.pbf nwr/addr:housenumber w/highway n/place r/boundary=administrative \
            nwr/amenity nwr/shop nwr/tourism nwr/leisure nwr/historic nwr/office -o part.osm.pbf

              osmium export part.osm.pbf -f geojsonseq -x print_record_separator=false --add-unique-id=type_id -o - \
            | sextant places import - --output region.sqlite

            Tables in \(PlaceFiles.regions) are used at once. The same input gives the same bytes. A table is written \
            beside an older one, which stays until the new one is whole; up to four times the table's size is needed \
            in /var/tmp, or where SQLITE_TMPDIR says. What is made of OpenStreetMap's data is under the ODbL 1.0: \
            show "© OpenStreetMap contributors" with it.

            Exit status: 0; 64 for usage; 65 for an input that is wrong, with the number of its line; 74 where a file \
            cannot be read or written.
            """)

    @Argument(help: ArgumentHelp("The input; - is standard input.", valueName: "file"))
    var input: String

    @Option(help: ArgumentHelp("Write the table to this file.", valueName: "file"))
    var output: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Keep what lies in this box, in degrees.", valueName: "south,west,north,east"))
    var within: String?

    @Option(
        help: ArgumentHelp(
            "Keep this country, two letters; what names no country is taken to be in it.", valueName: "code"))
    var country: String?

    @Option(
        help: ArgumentHelp(
            "Find places by their own names and by those in these languages; without it, in all.",
            valueName: "codes"))
    var languages: String?

    @Flag(name: .customLong("without-pois"), help: "Leave points of interest out.")
    var withoutInterests = false

    func validate() throws { _ = try options() }

    private func options() throws -> RegionTableWriter.Options {
        var options = RegionTableWriter.Options()
        if let within {
            guard let bounds = RegionBounds(within) else {
                throw ValidationError(
                    "--within \(within): give south, west, north and east in degrees, such as 47.0,8.0,47.7,9.0")
            }
            options.bounds = bounds
        }
        if let country {
            let code = country.uppercased()
            guard code.utf8.count == 2, code.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
                throw ValidationError("--country \(country): give the two letters of ISO 3166-1, such as CH")
            }
            options.country = code
        }
        if let languages {
            guard let kept = NameLanguages(languages) else {
                throw ValidationError(
                    "--languages \(languages): give codes of languages with commas between, such as de,fr,en")
            }
            options.languages = kept
        }
        options.keepsInterests = !withoutInterests
        return options
    }

    func run() throws {
        let options = try options()
        try CommandFailure.reporting { () throws(CommandFailure) in
            var input = try InputFile(input)
            do {
                var writer = try RegionTableWriter(name: input.name, path: output, options)
                try PlacesImport.read(&input, into: &writer)
                let counts = try writer.finish()
                try StandardOutput.write(
                    line: "\(output): \(counts.places) places, \(counts.streets) streets, \(counts.objects) objects")
            } catch let error as PlaceTableError {
                throw PlacesImport.failure(error, output)
            } catch let error as CommandFailure {
                throw error
            } catch {
                throw .data("\(error)")
            }
        }
    }

    /// Passes the lines of a file to the writer; the last line can lack its newline.
    private static func read(_ input: inout InputFile, into writer: inout RegionTableWriter) throws {
        var rest: [UInt8] = []
        var isBegun = false
        while try input.read() {
            if !isBegun, let first = input.buffer[..<input.count].first(where: { $0 > 0x20 || $0 == recordSeparator }) {
                guard first == UInt8(ascii: "{") || first == recordSeparator else {
                    throw CommandFailure.data(
                        "\(input.name): is no JSON; unpack it (zstdcat or gzip -dc FILE | sextant places import -), or "
                            + "convert it with osmium, as sextant places import --help says")
                }
                isBegun = true
            }
            // The bytes left over from earlier reads have no newline, so the search for the next newline starts after
            // them.
            var (start, searched) = (0, rest.count)
            rest.append(contentsOf: input.buffer[..<input.count])
            while let end = rest[searched...].firstIndex(of: 0x0A) {
                try writer.add(line: Array(rest[start..<end]))
                start = end + 1
                searched = start
            }
            rest.removeSubrange(..<start)
            guard rest.count <= longestLine else { throw CommandFailure.data("\(input.name): a line has over 256 MB") }
        }
        if !rest.isEmpty { try writer.add(line: rest) }
    }

    /// The byte before each object of a GeoJSON text sequence (RFC 8142).
    private static let recordSeparator: UInt8 = 0x1E

    /// The length of the longest accepted line, in bytes; the line with the border of a large country has tens of
    /// millions of bytes.
    private static let longestLine = 256_000_000

    private static func failure(_ error: PlaceTableError, _ output: String) -> CommandFailure {
        switch error.kind {
        case .wrongLine: .data("\(error)")
        case .missing: .inputOutput("\(output): cannot be written: there is no such folder; make it, or name another")
        default: .inputOutput("\(output): cannot be written: \(error); make room, or name another file")
        }
    }
}
