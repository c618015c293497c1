public import SextantPlaces
internal import SextantReactor
internal import SextantUnits

/// All installed tables of place names, searched like one table.
///
/// If a table's file was replaced, it is opened again after at most 10 s. It is a class because its tables are classes.
/// It belongs to one thread at a time.
public final class PlaceTables {
    private struct Opened {
        var path: String
        var stamp: FileStamp
        var table: Result<PlaceTable, PlaceTableError>
    }

    private let find: () -> [String]
    private var opened: [Opened] = []
    private var lookedAt: MonotonicInstant?

    private let patience: Int64

    /// - Parameters:
    ///   - patience: The time in seconds between two checks whether the tables' files have changed.
    ///   - find: A function that returns the paths of the tables; it is called at each check.
    public init(patience: Int64 = 10, _ find: @escaping () -> [String] = PlaceFiles.paths) {
        self.patience = patience
        self.find = find
    }

    /// The tables that can be read; if there is none, throws the error of the first table.
    public func tables() throws(PlaceTableError) -> [PlaceTable] {
        refresh()
        let readable = opened.compactMap { try? $0.table.get() }
        guard readable.isEmpty else { return readable }
        if case .failure(let error)? = opened.first?.table { throw error }
        throw PlaceTableError(.missing, path: PlaceFiles.towns)
    }

    /// The names of the place at a point, such as its street and town; nil if no place is near.
    ///
    /// A region table that has an object near the point comes first; a table of towns adds what the region table does
    /// not know.
    public func reverse(latitude: Double, longitude: Double) throws(PlaceTableError) -> Placemark? {
        let tables = try tables()
        let nearest = Result { () throws(PlaceTableError) in try town(latitude, longitude, in: tables) }
        let object = Result { () throws(PlaceTableError) in
            try PlaceTables.first(tables, .region) { table throws(PlaceTableError) in
                try table.reverseObject(latitude: latitude, longitude: longitude)
            }
        }
        if let found = try? object.get() { return found.completed(by: try? nearest.get()) }
        if let found = try? nearest.get() { return found }
        _ = try object.get()
        return try nearest.get()
    }

    /// The names of the town to which a point belongs, from a table of towns if one is installed, otherwise from a
    /// region table.
    private func town(
        _ latitude: Double, _ longitude: Double, in tables: [PlaceTable]
    ) throws(PlaceTableError) -> Placemark? {
        let ask = { (table: PlaceTable) throws(PlaceTableError) in
            try table.reverseTown(latitude: latitude, longitude: longitude)
        }
        if let found = try PlaceTables.first(tables, .towns, ask) { return found }
        return try PlaceTables.first(tables, .region, ask)
    }

    /// The answer of the first table that has one, among the tables of one kind (of towns or of regions).
    ///
    /// A damaged table is skipped; its error is thrown only if no table of this kind has an answer.
    private static func first<Answer>(
        _ tables: [PlaceTable], _ kind: TableDescription.Kind, _ ask: (PlaceTable) throws(PlaceTableError) -> Answer?
    ) throws(PlaceTableError) -> Answer? {
        var failure: PlaceTableError?
        for table in tables where table.about.kind == kind {
            do throws(PlaceTableError) {
                if let answer = try ask(table) { return answer }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return nil
    }

    /// The places that have this name; a damaged table is skipped, and its error is thrown only if no other table has
    /// an answer.
    public func forward(_ question: PlaceQuestion) throws(PlaceTableError) -> PlaceAnswer {
        var partial: PlaceAnswer = .nothing
        var failure: PlaceTableError?
        let tables = try tables()
        for table in tables {
            do throws(PlaceTableError) {
                switch try table.forward(question) {
                case .places(let found): return .places(completed(found, of: table, in: tables))
                case .partial(let found): if partial == .nothing { partial = .partial(found) }
                case .nothing: continue
                }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure, partial == .nothing { throw failure }
        return partial
    }

    /// The placemarks of a region table, with the names that a table of towns has for the town at the same point.
    private func completed(_ marks: [Placemark], of table: PlaceTable, in tables: [PlaceTable]) -> [Placemark] {
        guard table.about.kind == .region else { return marks }
        return marks.map { mark in
            var whole = mark.completed(by: try? town(mark.latitude, mark.longitude, in: tables))
            whole.near = nil
            return whole
        }
    }

    /// Opens files that are new or were changed, and closes the tables whose files were replaced or removed.
    private func refresh() {
        let now = Clock.now()
        if let lookedAt, now.nanoseconds(since: lookedAt) < patience * 1_000_000_000 { return }
        lookedAt = now
        opened = find().compactMap { path in
            guard let stamp = FileStamp(path) else { return nil }
            // A table that could not be opened is tried again, since permissions and free descriptors change nothing in
            // the stamp.
            let known = opened.first { $0.path == path && $0.stamp == stamp }
            if let known, case .success = known.table { return known }
            do throws(PlaceTableError) {
                return Opened(path: path, stamp: stamp, table: .success(try PlaceTable(path: path)))
            } catch {
                return Opened(path: path, stamp: stamp, table: .failure(error))
            }
        }
    }
}
