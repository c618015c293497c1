internal import Glibc
internal import PlaceTable
internal import SextantPlaces
internal import SextantSQLite

/// Finds the nearest place with a plain R*Tree of points in degrees, searched with growing windows.
///
/// It is the obvious solution, with which the daemon's own is compared. The window is doubled until it holds a place.
/// Then a window as large as the distance to the nearest place found is searched, because a corner of a window is
/// farther from the point than the middle of its sides. A window that crosses a pole or the antimeridian covers all
/// longitudes.
final class WindowQuery {
    private let file: SQLiteFile<SQLiteFailure>
    private let query: SQLiteStatement<SQLiteFailure>

    /// Builds the R*Tree from the places of a table of towns, in a temporary SQLite database with the cache size that
    /// the table itself has.
    init(places table: PlaceTable) throws {
        // SQLite takes an empty file name as a temporary database.
        file = try SQLiteFile("", .creating)
        try file.execute(
            "PRAGMA cache_size = -256; BEGIN; CREATE VIRTUAL TABLE point USING rtree(id, lat0, lat1, lon0, lon1)")
        let insert = try file.prepare("INSERT INTO point VALUES (?1, ?2, ?2, ?3, ?3)")
        for place in 0..<UInt32(table.about.places) {
            guard let record = try table.record(of: place) else { continue }
            try insert.run([.integer(Int64(place)), .real(record.latitude), .real(record.longitude)])
        }
        try file.execute("COMMIT")
        query = try file.prepare(
            "SELECT id, lat0, lon0 FROM point WHERE lat1 >= ? AND lat0 <= ? AND lon1 >= ? AND lon0 <= ?")
    }

    /// The row number of the place that is nearest to a point; nil if none lies within 200 km.
    func nearest(latitude: Double, longitude: Double) throws -> Int64? {
        let point = UnitVector(latitude: latitude, longitude: longitude)
        var radius = 2000.0
        while true {
            if let found = try inWindow(latitude, longitude, radius: radius, point) {
                guard found.distance > radius else { return found.place }
                let wider = try inWindow(latitude, longitude, radius: found.distance, point) ?? found
                return wider.distance <= PlaceRules.reach ? wider.place : nil
            }
            guard radius < PlaceRules.reach else { return nil }
            radius = min(2 * radius, PlaceRules.reach)
        }
    }

    /// The nearest of the places in the window that encloses a circle around the point; nil if the window holds none.
    private func inWindow(
        _ latitude: Double, _ longitude: Double, radius: Double, _ point: UnitVector
    ) throws -> (place: Int64, distance: Double)? {
        let north = radius / 111_195
        let isPole = latitude + north >= 90 || latitude - north <= -90
        let east = isPole ? 360 : north / cos((abs(latitude) + north) * .pi / 180)
        let crosses = longitude + east > 180 || longitude - east < -180
        let bounds = [
            latitude - north, latitude + north, crosses ? -180 : longitude - east, crosses ? 180 : longitude + east,
        ]
        defer { query.reset() }
        try query.bind(bounds.map { .real($0) })
        var best: (place: Int64, distance: Double)?
        while try query.step() {
            let distance = point.distance(to: UnitVector(latitude: query.double(1), longitude: query.double(2)))
            if distance < best?.distance ?? .infinity { best = (query.integer(0), distance) }
        }
        return best
    }
}
