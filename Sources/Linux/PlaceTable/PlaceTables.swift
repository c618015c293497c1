internal import Glibc
public import Places

/// All tables of places that are installed, asked as one.
///
/// A table that was replaced is opened anew within 10 s. A class, because its tables are. It belongs to one thread at a
/// time.
public final class PlaceTables {
    private struct Opened {
        var path: String
        var stamp: FileStamp
        var table: Result<PlaceTable, PlaceTableError>
    }

    private let find: () -> [String]
    private var opened: [Opened] = []
    private var lookedAt: Int64 = .min

    /// Seconds for which the files that were found are taken to be the same.
    private static let patience: Int64 = 10

    /// - Parameter find: The paths of the tables; asked again and again.
    public init(_ find: @escaping () -> [String] = PlaceFiles.paths) { self.find = find }

    /// The tables that can be read; what is wrong with the first, where none can.
    public func tables() throws(PlaceTableError) -> [PlaceTable] {
        refresh()
        let readable = opened.compactMap { try? $0.table.get() }
        guard readable.isEmpty else { return readable }
        if case .failure(let error)? = opened.first?.table { throw error }
        throw PlaceTableError(.missing, path: PlaceFiles.towns)
    }

    /// The names of a point; nil where none is near.
    public func reverse(latitude: Double, longitude: Double) throws(PlaceTableError) -> Placemark? {
        let tables = try tables()
        for table in tables {
            if let found = try table.reverse(latitude: latitude, longitude: longitude) { return found }
        }
        return nil
    }

    /// The places of a name.
    public func forward(_ question: PlaceQuestion) throws(PlaceTableError) -> PlaceAnswer {
        var partial: PlaceAnswer = .nothing
        for table in try tables() {
            switch try table.forward(question) {
            case .places(let found): return .places(found)
            case .partial(let found): if partial == .nothing { partial = .partial(found) }
            case .nothing: continue
            }
        }
        return partial
    }

    /// Opens what is new, and lets go of what was replaced.
    private func refresh() {
        var now = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        guard lookedAt == .min || Int64(now.tv_sec) - lookedAt >= PlaceTables.patience else { return }
        lookedAt = Int64(now.tv_sec)
        opened = find().compactMap { path in
            guard let stamp = FileStamp(path) else { return nil }
            if let known = opened.first(where: { $0.path == path && $0.stamp == stamp }) { return known }
            do throws(PlaceTableError) {
                return Opened(path: path, stamp: stamp, table: .success(try PlaceTable(path: path)))
            } catch {
                return Opened(path: path, stamp: stamp, table: .failure(error))
            }
        }
    }
}
