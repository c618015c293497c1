import Foundation
import Testing

/// `sextant places import`, and what is asked of the table.
@Suite("Import of places")
struct PlacesImportTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let head =
        #"{"type":"NominatimDumpFile","content":{"version":"0.1.0","data_timestamp":"2026-02-01"}}"#
    private static let house = """
        {"type":"Place","content":[{"osm_key":"place","osm_value":"house","housenumber":"1","postcode":"8001",\
        "address":{"street":"Bahnhofstrasse","city":"Zürich"},"country_code":"ch","centroid":[8.5405,47.3673]}]}
        """

    private var table: String { "\(scratch.path)/region.sqlite" }

    /// Asks the table.
    private func ask(_ arguments: String...) async throws -> (status: Int32, program: Program) {
        let program = try Program(
            "/usr/bin/env", ["SEXTANT_PLACES=\(table)", Built.sextant] + arguments, in: scratch)
        return (try await program.status(), program)
    }

    @Test func `GEO-47: an imported table is listed with its source, date, licence and attribution`() async throws {
        let file = try scratch.write("\(Self.head)\n\(Self.house)\n", to: "dump.jsonl")
        let (status, written) = try await Program.sextant(["places", "import", file, "--output", table], in: scratch)
        #expect(status == 0 && written.output.contains("1 places, 1 streets, 1 objects"), "\(written.errors)")
        let listed = try await ask("places").program.output
        #expect(listed.contains("region, 1 places") && listed.contains("OpenStreetMap of 2026-02-01, ODbL 1.0"))
        #expect(listed.contains("© OpenStreetMap contributors, ODbL 1.0") && listed.contains("47.3673, 8.5405"))
        let line = try #require(try await ask("places", "list", "--json").program.outputLines.first)
        #expect(JSON(line: line)?.number("streets") == 1 && JSON(line: line)?.number("objects") == 1)
        let answer = try await ask("geocode", "--json", "Bahnhofstrasse 1, Zürich").program.outputLines
        #expect(answer.count == 1 && JSON(line: answer[0])?.text("subThoroughfare") == "1")
        let point = try await ask("geocode", "--reverse", "47.36735", "8.5405").program.output
        #expect(point.hasPrefix("Bahnhofstrasse 1, Zürich"))
        let behind = try await ask("geocode", "--json", "--", "Bahnhofstrasse 1,", "Zürich").program.outputLines
        #expect(behind == answer, "-- ends the options")
        #expect(try await ask("geocode", "--reverse", "--", "-33.9", "8.5").status == 0)
        #expect(try await ask("geocode", "--", "--json").status == 0)
        #expect(try await ask("geocode", "--jason", "Zürich").status == 64)
    }

    @Test func `GEO-33: a process that may open the table and nothing beside it has the answers`() async throws {
        let file = try scratch.write("\(Self.head)\n\(Self.house)\n", to: "dump.jsonl")
        #expect(try await Program.sextant(["places", "import", file, "--output", table], in: scratch).status == 0)
        // Standard input, output and errors, and one file more.
        let confined = ["--nofile=4:4", "/usr/bin/env", "SEXTANT_PLACES=\(table)", Built.sextant]
        for question in [["geocode", "Bahnhofstrasse", "1"], ["geocode", "--reverse", "47.3673", "8.5405"]] {
            let program = try Program("/usr/bin/prlimit", confined + question, in: scratch)
            #expect(try await program.status() == 0)
            #expect(program.output.hasPrefix("Bahnhofstrasse 1"), "\(program.output)\(program.errors)")
        }
    }

    @Test func `GEO-46: what is wrong with an input is said with the line's number, and the old table stays`()
        async throws
    {
        _ = try scratch.write("old", to: "region.sqlite")
        for (lines, words) in [
            ([Self.head, Self.house, #"{"type":"Place","content":[{"#], "line 3: is damaged or cut off"),
            ([#"{"type":"NominatimDumpFile","content":{"version":"0.2.0"}}"#], "line 1: has version 0.2.0"),
            (["\u{28}zstandard", "{}"], "is no JSON; unpack it"),
            ([Self.head], "line 1: the input has no street"), ([""], "line 1: there is nothing to import"),
        ] {
            let file = try scratch.write(lines.joined(separator: "\n"), to: "dump.jsonl")
            let (status, program) = try await Program.sextant(
                ["places", "import", file, "--output", table], in: scratch)
            #expect(status == 65 && program.errors.contains(words), "\(program.errors)")
            #expect(try String(contentsOfFile: table, encoding: .utf8) == "old")
            #expect(!FileManager.default.fileExists(atPath: table + ".new"))
        }
    }

    @Test(arguments: [
        ["--within", "1,2,3"], ["--country", "CHE"], ["--within", "48,8,47,9"], ["--languages", "de,"],
    ])
    func `an option that means nothing is refused`(option: [String]) async throws {
        let (status, program) = try await Program.sextant(
            ["places", "import", "-", "--output", table] + option, in: scratch)
        #expect(status == 64 && program.errors.contains(option[0]))
    }

    @Test func `a table that is not there is named, whatever else is installed`() async throws {
        let (status, program) = try await Program.sextant(["places", "check", scratch.path("none")], in: scratch)
        #expect(status == 74)
        #expect(program.errorLines == ["sextant: \(scratch.path("none")): no such file; check the path"])
    }

    @Test func `a table that cannot be written is said, and which`() async throws {
        let file = try scratch.write(Self.head + "\n", to: "dump.jsonl")
        let (status, program) = try await Program.sextant(
            ["places", "import", file, "--output", "\(scratch.path)/none/region.sqlite"], in: scratch)
        #expect(status == 74 && program.errors.contains("none/region.sqlite: cannot be written"))
    }

    @Test(.enabled(if: Tool.isInstalled("osmium"), "Debian's osmium-tool is not installed"))
    func `GEO-46: OpenStreetMap's data through osmium have each closed way once, in the town of its boundary`()
        async throws
    {
        let file = try scratch.write(Self.map, to: "in.osm")
        let osmium = try #require(Tool.path("osmium"))
        let lines = "\(scratch.path)/lines"
        let export = try Program(
            osmium, ["export", file, "-f", "geojsonseq", "--add-unique-id=type_id", "-o", lines], in: scratch)
        #expect(try await export.status() == 0, "\(export.errors)")
        let (status, written) = try await Program.sextant(["places", "import", lines, "--output", table], in: scratch)
        #expect(status == 0 && written.output.contains("1 places, 1 streets, 1 objects"), "\(written.errors)")
        let answer = try await ask("geocode", "--json", "Städtle 32, Vaduz").program.outputLines
        #expect(answer.count == 1 && JSON(line: answer[0])?.text("isoCountryCode") == "LI")
    }

    /// A house, and the boundary of its town and its country.
    private static let map = """
        <osm version="0.6">
        <node id="1" version="1" lat="47.0" lon="9.4"/><node id="2" version="1" lat="47.0" lon="9.7"/>
        <node id="3" version="1" lat="47.3" lon="9.7"/><node id="5" version="1" lat="47.14" lon="9.62"/>
        <node id="6" version="1" lat="47.14" lon="9.6202"/><node id="7" version="1" lat="47.1402" lon="9.6202"/>
        <way id="17" version="1"><nd ref="5"/><nd ref="6"/><nd ref="7"/><nd ref="5"/><tag k="building" v="yes"/>
        <tag k="addr:street" v="Städtle"/><tag k="addr:housenumber" v="32"/></way>
        <way id="20" version="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="1"/></way>
        <relation id="30" version="1"><member type="way" ref="20" role="outer"/><tag k="type" v="boundary"/>
        <tag k="boundary" v="administrative"/><tag k="admin_level" v="8"/><tag k="name" v="Vaduz"/></relation>
        <relation id="31" version="1"><member type="way" ref="20" role="outer"/><tag k="type" v="boundary"/>
        <tag k="boundary" v="administrative"/><tag k="admin_level" v="2"/><tag k="name" v="Liechtenstein"/>
        <tag k="ISO3166-1:alpha2" v="LI"/></relation>
        </osm>
        """
}
