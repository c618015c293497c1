/// Checks of the tables that give points their names.
enum PlaceChecks {
    /// Two years: towns are renamed and merged, and zones change.
    private static let oldest = 730

    static func tables(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        guard let tables = facts.live.placeTables else { throw Skipped("tables of places were not looked for") }
        guard !tables.isEmpty else {
            let what = "no table of places is installed, so places have no names"
            return [Finding(.places, .note, what, Mend("sudo apt install sextant-places, if names are wanted"))]
        }
        return tables.compactMap { wrong($0) ?? old($0) }
    }

    private static func wrong(_ table: PlaceTableFacts) -> Finding? {
        table.problem.map { Finding(.places, $0, Mend("install or make the table again", at: Place(table.path))) }
    }

    private static func old(_ table: PlaceTableFacts) -> Finding? {
        guard let date = table.date, let age = table.ageInDays, age > oldest else { return nil }
        let what = "the names of places are those of \(date)"
        return Finding(.places, .note, what, Mend("install or make a newer table", at: Place(table.path)))
    }
}
