import CSextantSQLite
import Foundation
import PlaceTable
import Testing

/// A table of some places, written by hand.
enum SmallTable {
    static let lines = [
        "meta\tkind\ttowns", "meta\tsource\ta list written by hand", "meta\tlicense\tCC BY 4.0",
        "meta\tattribution\tContains data from GeoNames (geonames.org), CC BY 4.0, changed.",
        "country\tCH\tSwitzerland\tSchweiz\tスイス\tSuisse", "code\tCH\tCH\tCHE", "country\tFR\tFrance",
        "country\tUS\tUnited States\tUSA", "country\tCA\tCanada", "country\tDE\tGermany\tDeutschland",
        "country\tIT\tItaly", "country\tFJ\tFiji", "country\tPL\tPoland",
        "state\tCH\tZH\tZurich\tZürich", "state\tCH\tFR\tFribourg", "state\tUS\tTX\tTexas",
        "state\tUS\tMA\tMassachusetts", "state\tUS\tIL\tIllinois", "state\tCA\t08\tOntario",
        "abbreviation\tUS\tTX\tTX", "county\tCH\tZH\tD\tBezirk Zürich",
        "place\tZürich\t47.36667\t8.55\t415367\tCH\tZH\tD\tEurope/Zurich\t\tZuerich\tЦюрих\t苏黎世",
        "place\tZürich (Kreis 11) / Oerlikon\t47.40823\t8.54258\t17922\tCH\tZH\tD\tEurope/Zurich\t\tOerlikon",
        "place\tWinterthur\t47.50564\t8.72413\t91908\tCH\tZH\t\tEurope/Zurich\t",
        "place\tGeneva\t46.20222\t6.14569\t183981\tCH\t\t\tEurope/Zurich\t",
        "place\tFribourg\t46.80237\t7.15128\t38365\tCH\tFR\t\tEurope/Zurich\t\tFreiburg",
        "place\tParis\t48.85341\t2.3488\t2138551\tFR\t\t\tEurope/Paris\t",
        "place\tParis\t33.66094\t-95.55551\t24782\tUS\tTX\t\tAmerica/Chicago\t",
        "place\tSpringfield\t42.10148\t-72.58981\t154341\tUS\tMA\t\tAmerica/New_York\t",
        "place\tSpringfield\t39.80172\t-89.64371\t160000\tUS\tIL\t\tAmerica/Chicago\t",
        "place\tLondon\t42.98339\t-81.23304\t422324\tCA\t08\t\tAmerica/Toronto\t",
        "place\tKöln\t50.93333\t6.95\t1084831\tDE\t\t\tEurope/Berlin\t\tCologne",
        "place\tCologne\t45.57862\t9.9418\t7000\tIT\t\t\tEurope/Rome\t",
        "place\tSavusavu\t-16.77942\t179.33564\t6810\tFJ\t\t\tPacific/Fiji\t",
        "place\tŁódź\t51.77058\t19.47395\t640000\tPL\t\t\tEurope/Warsaw\t",
    ]

    /// Writes the table to a new file in a folder of its own.
    static func write(_ lines: [String] = SmallTable.lines) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("places.sqlite").path
        var writer = PlaceTableWriter(name: "list")
        for line in lines { try writer.add(line: line) }
        _ = try writer.write(to: path)
        return path
    }
}

/// Changes a table as no writer of ours would.
func change(_ path: String, _ sql: String) {
    var database: OpaquePointer?
    defer { _ = unsafe sqlite3_close(database) }
    #expect(unsafe sqlite3_open(path, &database) == SQLITE_OK)
    #expect(unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
}
