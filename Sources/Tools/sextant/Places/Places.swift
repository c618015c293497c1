internal import ArgumentParser
internal import PlaceTable
internal import SextantJSON
internal import SextantPlaces

/// `sextant places`.
struct PlacesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "places",
        abstract: "Tables of places: list those installed, check one, make one, import streets.",
        discussion: """
            A table of places gives the names of points and the points of names, without a network. The package \
            sextant-places has the towns of the whole world. Tables are looked for in \
            /usr/share/sextant/places.sqlite and in /usr/local/share/sextant/places, or where SEXTANT_PLACES says: \
            files or folders with colons between.
            """,
        subcommands: [List.self, Check.self, Build.self, PlacesImport.self], defaultSubcommand: List.self)

    /// The command `sextant places list`, which `sextant places` alone runs too.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the installed tables, with their sources and licences (default).",
            discussion: "Exit status: 0; 64 for usage; 65 where a table is damaged; 69 where there is none.")

        @Flag(help: "Print JSON, an object a line.")
        var json = false

        func run() throws {
            try CommandFailure.reporting { () throws(CommandFailure) in
                let paths = PlaceFiles.paths()
                guard !paths.isEmpty else { throw .noPlaces }
                var failure: CommandFailure?
                for path in paths {
                    switch LocalPlaces.open(path) {
                    case .success(let table):
                        for line in json ? [PlaceLines.object(of: table)] : PlaceLines.text(of: table) {
                            try StandardOutput.write(line: line)
                        }
                    case .failure(let error):
                        failure?.report()
                        failure = CommandFailure(error)
                    }
                }
                if let failure { throw failure }
            }
        }
    }

    /// `sextant places check`.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read the whole of a table, and say whether it is as it should be.",
            discussion: "Exit status: 0; 64 for usage; 65 for a table that is wrong; 74 where it cannot be read.")

        @Argument(help: "The table.")
        var file: String

        func run() throws {
            try CommandFailure.reporting { () throws(CommandFailure) in
                do throws(PlaceTableError) {
                    let table = try PlaceTable(path: file)
                    try table.check()
                } catch {
                    guard error.kind != .missing else { throw .inputOutput("\(error); check the path") }
                    throw CommandFailure(error)
                }
                try StandardOutput.write(line: "\(file) is a whole table of places")
            }
        }
    }

    /// `sextant places build`.
    struct Build: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a table of a list of places.",
            discussion: """
                A line has fields with tabs between. meta: key, value. country: code, name, other names. state: \
                country, code, name, other names. county: country, state's code, code, name, other names. place: \
                name, latitude, longitude, people, country, state's code, county's code, time zone, the word section \
                or nothing, other names. A country's line stands before those that name it. scripts/build-places \
                of Sextant's sources makes such a list of GeoNames' data.

                Exit status: 0; 64 for usage; 65 for a list that is wrong; 74 where a file cannot be read or written.
                """)

        @Argument(help: ArgumentHelp("The list; - is standard input.", valueName: "file"))
        var list: String

        @Option(help: ArgumentHelp("Write the table to this file.", valueName: "file"))
        var output: String

        func run() throws {
            try CommandFailure.reporting { () throws(CommandFailure) in
                var input = try InputFile(list)
                var writer = PlaceTableWriter(name: input.name)
                var rest: [UInt8] = []
                do {
                    while try input.read() {
                        rest.append(contentsOf: input.buffer[..<input.count])
                        var start = 0
                        while let end = rest[start...].firstIndex(of: 0x0A) {
                            try writer.add(line: String(decoding: rest[start..<end], as: UTF8.self))
                            start = end + 1
                        }
                        rest.removeSubrange(..<start)
                    }
                    try writer.add(line: String(decoding: rest, as: UTF8.self))
                    let counts = try writer.write(to: output)
                    try StandardOutput.write(line: "\(output): \(counts.places) places with \(counts.names) names")
                } catch let error as PlaceTableError {
                    throw CommandFailure(error)
                } catch let error as CommandFailure {
                    throw error
                } catch {
                    throw .data("\(error)")
                }
            }
        }
    }
}

/// Place tables as lines of text for the user, and as JSON.
enum PlaceLines {
    static func text(of table: PlaceTable) -> [String] {
        let about = table.about
        let date = about.date.map { " of \($0)" } ?? ""
        let streets = about.streets.map { "\($0) streets, " } ?? ""
        let objects = about.objects.map { "\($0) objects, " } ?? ""
        var lines = [
            "\(table.path): \(about.kind.rawValue), \(about.places) places with \(about.names) names, \(streets)"
                + "\(objects)\(size(table.path)) MB",
            "  \(about.origin)\(date), \(about.license)", "  \(about.attribution)",
        ]
        if let bounds = about.bounds {
            let numbers = [bounds.south, bounds.west, bounds.north, bounds.east].map { Text.fixed($0, 4) }
            lines.append("  within \(numbers.joined(separator: ", ")) (south, west, north, east)")
        }
        return lines
    }

    static func object(of table: PlaceTable) -> String {
        let about = table.about
        var members: [String: JSONValue] = [
            "path": .string(table.path), "kind": .string(about.kind.rawValue), "source": .string(about.origin),
            "license": .string(about.license), "attribution": .string(about.attribution),
            "places": .number(Double(about.places)), "names": .number(Double(about.names)),
            "bytes": .number(Double(PlaceFiles.size(of: table.path) ?? 0)),
        ]
        if let streets = about.streets { members["streets"] = .number(Double(streets)) }
        if let objects = about.objects { members["objects"] = .number(Double(objects)) }
        if let bounds = about.bounds {
            members["bounds"] = .array([bounds.south, bounds.west, bounds.north, bounds.east].map { .number($0) })
        }
        if let date = about.date { members["date"] = .string(date) }
        return JSONValue.object(members).text
    }

    private static func size(_ path: String) -> String {
        Text.fixed(Double(PlaceFiles.size(of: path) ?? 0) / 1_000_000, 1)
    }
}
