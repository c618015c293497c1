internal import CSextantSQLite
internal import Glibc
internal import PlaceTable
internal import SextantPlaces

/// The nearest place by a plain R*Tree of points in degrees, searched with growing windows.
///
/// This is the obvious first solution. The window is doubled until it holds a place. Then a window as large as the
/// distance to the nearest place found is searched, because a corner of a window is farther from the point than the
/// middle of its sides. A window that crosses a pole covers all longitudes, as does one that crosses the antimeridian.
@safe final class WindowQuery {
    private let database: OpaquePointer
    private let query: OpaquePointer

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Builds the tree from a table's places, in a temporary database with the same cache size as a table of places.
    init(places table: PlaceTable) throws {
        var opened: OpaquePointer?
        // Safety: SQLite writes one pointer, which is closed in `deinit`. An empty name means a temporary database.
        guard unsafe sqlite3_open("", &opened) == SQLITE_OK, let opened = unsafe opened else {
            throw Failure(description: "SQLite cannot open a temporary file")
        }
        unsafe database = opened
        // Safety: the text lives for the call, and the handle until `deinit`.
        _ = unsafe sqlite3_exec(
            opened,
            "PRAGMA cache_size = -256; BEGIN; CREATE VIRTUAL TABLE point USING rtree(id, lat0, lat1, lon0, lon1)", nil,
            nil, nil)
        let insert = try unsafe WindowQuery.prepared("INSERT INTO point VALUES (?1, ?2, ?2, ?3, ?3)", opened)
        for place in 0..<UInt32(table.about.places) {
            guard let record = try table.record(of: place) else { continue }
            // Safety: the statement lives until it is finalized below.
            _ = unsafe sqlite3_bind_int64(insert, 1, Int64(place))
            _ = unsafe sqlite3_bind_double(insert, 2, record.latitude)
            _ = unsafe sqlite3_bind_double(insert, 3, record.longitude)
            guard unsafe sqlite3_step(insert) == SQLITE_DONE else {
                throw Failure(description: "a place cannot be put into the tree")
            }
            _ = unsafe sqlite3_reset(insert)
        }
        _ = unsafe sqlite3_finalize(insert)
        _ = unsafe sqlite3_exec(opened, "COMMIT", nil, nil, nil)
        unsafe query = try WindowQuery.prepared(
            "SELECT id, lat0, lon0 FROM point WHERE lat1 >= ? AND lat0 <= ? AND lon1 >= ? AND lon0 <= ?", opened)
    }

    deinit {
        // Safety: both were made in `init`, and are used nowhere else.
        _ = unsafe sqlite3_finalize(query)
        _ = unsafe sqlite3_close(database)
    }

    /// - Returns: A statement, which the caller finalizes.
    private static func prepared(_ sql: String, _ database: OpaquePointer) throws -> OpaquePointer {
        var statement: OpaquePointer?
        // Safety: SQLite writes one pointer; the text lives for the call.
        guard unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, let found = unsafe statement
        else { throw Failure(description: "SQLite refuses: \(sql)") }
        return unsafe found
    }

    /// The nearest place within 200 km.
    func nearest(latitude: Double, longitude: Double) throws -> Int64? {
        let point = UnitVector(latitude: latitude, longitude: longitude)
        var radius = 2000.0
        while true {
            if let found = inWindow(latitude, longitude, radius: radius, point) {
                guard found.distance > radius else { return found.place }
                let wider = inWindow(latitude, longitude, radius: found.distance, point) ?? found
                return wider.distance <= PlaceRules.reach ? wider.place : nil
            }
            guard radius < PlaceRules.reach else { return nil }
            radius = min(2 * radius, PlaceRules.reach)
        }
    }

    /// The nearest place in the window around a circle.
    private func inWindow(
        _ latitude: Double, _ longitude: Double, radius: Double, _ point: UnitVector
    ) -> (place: Int64, distance: Double)? {
        let north = radius / 111_195
        let isPole = latitude + north >= 90 || latitude - north <= -90
        let east = isPole ? 360 : north / cos((abs(latitude) + north) * .pi / 180)
        let crosses = longitude + east > 180 || longitude - east < -180
        let bounds = [
            latitude - north, latitude + north, crosses ? -180 : longitude - east, crosses ? 180 : longitude + east,
        ]
        // Safety: the statement lives as long as this object.
        for (index, bound) in bounds.enumerated() { _ = unsafe sqlite3_bind_double(query, Int32(index) + 1, bound) }
        defer { _ = unsafe sqlite3_reset(query) }
        var best: (place: Int64, distance: Double)?
        while unsafe sqlite3_step(query) == SQLITE_ROW {
            let (lat, lon) = (unsafe sqlite3_column_double(query, 1), unsafe sqlite3_column_double(query, 2))
            let distance = point.distance(to: UnitVector(latitude: lat, longitude: lon))
            if distance < best?.distance ?? .infinity { best = (unsafe sqlite3_column_int64(query, 0), distance) }
        }
        return best
    }
}
