internal import CSextantSQLite

/// Why a map cannot be used; the sentence says what to do.
enum TileProblem: Error, Equatable {
    case unreadable(String)
    case noTiles
    case vector

    var sentence: String {
        switch self {
        case .unreadable(let text):
            "cannot be read (\(text)). Give the path of an MBTiles file that everybody may read; until then the "
                + "coast is drawn."
        case .noTiles: "has no table of tiles, so it is no MBTiles file; until then the coast is drawn."
        case .vector:
            "holds vector tiles, which this page cannot draw. QGIS writes a map of pictures, by its tool Generate XYZ "
                + "tiles (MBTiles); until then the coast is drawn."
        }
    }
}

/// The owner's map: raster tiles in an SQLite file (MBTiles).
///
/// Source: MBTiles specification 1.3, which counts rows from the south. A class, because it owns the database, which is
/// opened read-only and stays open as long as the process lives.
@safe final class TileMap {
    private var database: OpaquePointer?
    private var statement: OpaquePointer?
    private let metadata: [String: String]

    /// The largest accepted size of a tile in bytes; SQLite refuses values of the map file that are much longer.
    private static let largestTile = 1 << 20
    /// The largest number of SQLite's internal steps for one answer; a tile that is found by an index takes some tens.
    ///
    /// The tables of a map can be views, and a hostile view would never end.
    private static let longestAnswer: Int32 = 2_000_000

    init(path: String) throws(TileProblem) {
        var opened: OpaquePointer?
        // `immutable` keeps SQLite from locking the file, which a read-only file system would refuse.
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        let result = unsafe sqlite3_open_v2("file:\(TileMap.escaped(path))?immutable=1", &opened, flags, nil)
        guard result == SQLITE_OK, let opened = unsafe opened else {
            let text = unsafe String(cString: sqlite3_errstr(result))
            unsafe sqlite3_close(opened)
            throw .unreadable(text)
        }
        unsafe database = opened
        unsafe sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, Int32(TileMap.largestTile + 4096))
        unsafe sqlite3_progress_handler(opened, TileMap.longestAnswer, { _ in 1 }, nil)
        // 256 KiB of cached pages are enough, because a tile is read once and the browser keeps it.
        _ = unsafe sqlite3_exec(opened, "PRAGMA cache_size=-256; PRAGMA trusted_schema=OFF", nil, nil, nil)
        var prepared: OpaquePointer?
        let text = "SELECT tile_data FROM tiles WHERE zoom_level=? AND tile_column=? AND tile_row=?"
        let status = unsafe sqlite3_prepare_v2(opened, text, -1, &prepared, nil)
        guard status == SQLITE_OK else {
            // A missing file, or a file that is no database, is noticed here, at the first read.
            let problem = unsafe String(cString: sqlite3_errmsg(opened))
            unsafe sqlite3_close(opened)
            unsafe database = nil
            metadata = [:]
            throw status == SQLITE_ERROR ? .noTiles : .unreadable(problem)
        }
        unsafe statement = prepared
        metadata = unsafe TileMap.readMetadata(opened)
        if metadata["format"] == "pbf" { throw .vector }
    }

    deinit {
        unsafe sqlite3_finalize(statement)
        unsafe sqlite3_close(database)
    }

    /// The path, escaped for a URI.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            let isPlain = byte > 0x20 && byte < 0x7F && !"%?#".utf8.contains(byte)
            if isPlain { return String(UnicodeScalar(byte)) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private static func readMetadata(_ database: OpaquePointer) -> [String: String] {
        var statement: OpaquePointer?
        defer { unsafe sqlite3_finalize(statement) }
        let text = "SELECT name, value FROM metadata LIMIT 64"
        guard unsafe sqlite3_prepare_v2(database, text, -1, &statement, nil) == SQLITE_OK else { return [:] }
        var result: [String: String] = [:]
        while unsafe sqlite3_step(statement) == SQLITE_ROW {
            guard let name = unsafe sqlite3_column_text(statement, 0),
                let value = unsafe sqlite3_column_text(statement, 1)
            else { continue }
            // Safety: the texts live until the next step, and are copied.
            unsafe result[String(cString: name)] = unsafe String(cString: value)
        }
        return result
    }

    /// The description of the map that the page needs to draw it.
    var description: [UInt8] {
        let zooms = ["minzoom", "maxzoom"].map { Int(metadata[$0] ?? "") }
        return PageText.object([
            "name": metadata["name"] ?? "", "attribution": metadata["attribution"] ?? "",
            "bounds": metadata["bounds"] ?? "", "minzoom": "\(zooms[0] ?? 0)", "maxzoom": "\(zooms[1] ?? 18)",
        ])
    }

    /// A tile, with its row counted from the north; nil if the map does not have it.
    func tile(zoom: Int, column: Int, row: Int) -> [UInt8]? {
        defer {
            unsafe sqlite3_reset(statement)
            // The count of steps starts again for each tile.
            unsafe sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1)
        }
        unsafe sqlite3_bind_int(statement, 1, Int32(zoom))
        unsafe sqlite3_bind_int(statement, 2, Int32(column))
        unsafe sqlite3_bind_int(statement, 3, Int32((1 << zoom) - 1 - row))
        guard unsafe sqlite3_step(statement) == SQLITE_ROW, let bytes = unsafe sqlite3_column_blob(statement, 0) else {
            return nil
        }
        let count = Int(unsafe sqlite3_column_bytes(statement, 0))
        guard count > 0, count <= TileMap.largestTile else { return nil }
        // Safety: the blob has `count` bytes, and lives until the reset.
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// The media type of an image, recognised by its first bytes.
    static func type(of tile: [UInt8]) -> String {
        if tile.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if tile.starts(with: [0xFF, 0xD8]) { return "image/jpeg" }
        if tile.starts(with: Array("RIFF".utf8)) { return "image/webp" }
        return "application/octet-stream"
    }
}
