internal import Doctor
internal import Glibc
internal import PlaceTable
internal import SextantUnits

extension PlaceTableFacts {
    /// The doctor's facts about the installed place tables; each table is read completely to check it.
    ///
    /// - Parameter root: The folder where a card is mounted, without a slash at its end; empty for the running system,
    ///   where environment variables can name other tables.
    static func all(below root: String) -> [PlaceTableFacts] {
        let installed = [PlaceFiles.towns, PlaceFiles.regions].map { root + $0 }
        let paths = root.isEmpty ? PlaceFiles.paths() : PlaceFiles.paths(in: installed)
        return paths.map { PlaceTableFacts(reading: $0, shownAs: String($0.dropFirst(root.count))) }
    }

    private init(reading path: String, shownAs name: String) {
        self.init(path: name)
        do throws(PlaceTableError) {
            let table = try PlaceTable(path: path)
            try table.check()
            date = table.about.date
            ageInDays = date.flatMap(PlaceTableFacts.days)
        } catch {
            // The error names the table by its path on this host; the doctor shows its path on the SD card.
            problem = "\(error)".replacing(path, with: name)
            if case .newerFormat = error.kind { isOfLaterSextant = true }
        }
    }

    /// The number of days from a date to today, by this host's clock; nil if the text is no date.
    private static func days(since date: String) -> Int? {
        CivilDate(iso8601: date).map { time(nil) / 86_400 - Int($0.daysSince1970) }
    }
}
