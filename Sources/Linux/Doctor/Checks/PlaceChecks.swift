/// Checks of the tables with the names of places.
enum PlaceChecks {
    /// The age in days beyond which a table is old: within two years towns are renamed and merged, and time zones
    /// change.
    private static let oldest = 730

    static func tables(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        guard let tables = facts.live.placeTables else { throw Skipped("tables of places were not looked for") }
        guard !tables.isEmpty else {
            let what = "no table of places is installed, so places have no names"
            return [Finding(.places, .note, what, Mend("if names are wanted: \(install) (\(making))"))]
        }
        return tables.compactMap { wrong($0) ?? old($0) }
    }

    private static let install = "sudo apt install ./sextant-places_*_all.deb"
    private static let making = "scripts/package --with-places of Sextant's sources makes it"

    private static func wrong(_ table: PlaceTableFacts) -> Finding? {
        let later = Mend("install the newest Sextant", at: FilePosition(table.path))
        return table.problem.map { Finding(.places, $0, table.isOfLaterSextant ? later : mend(table, "again")) }
    }

    /// The remedy for a place table: to install the package with the table of towns again, or, for any other table, to
    /// make it with `sextant places import`.
    private static func mend(_ table: PlaceTableFacts, _ how: String) -> Mend {
        let isPackaged = table.path == "/usr/share/sextant/places.sqlite"
        let command = isPackaged ? "install it \(how): \(install) (\(making))" : "make it \(how): sextant places import"
        return Mend(command, at: FilePosition(table.path))
    }

    private static func old(_ table: PlaceTableFacts) -> Finding? {
        guard let date = table.date, let age = table.ageInDays, age > oldest else { return nil }
        let what = "the names of places are those of \(date)"
        return Finding(.places, .note, what, mend(table, "anew"))
    }
}
