internal import SextantSQLite

/// Why a map cannot be used; the sentence says what to do.
enum TileProblem: SQLiteError, Equatable {
    case unreadable(String)
    case noTiles
    case vector

    /// SQLite notices only when the first statement is prepared that the file is missing or is no database.
    init(_ failure: SQLiteFailure) { self = failure.kind == .error ? .noTiles : .unreadable(failure.message) }

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
final class TileMap {
    private let file: SQLiteFile<TileProblem>
    private let tiles: SQLiteStatement<TileProblem>
    private let metadata: [String: String]

    /// The largest accepted size of a tile in bytes; SQLite refuses values of the map file that are much longer.
    private static let largestTile: Int32 = 1 << 20
    /// The largest number of SQLite's internal steps for one answer; a tile that is found by an index takes some tens.
    ///
    /// The tables of a map can be views, and a hostile view would never end.
    private static let longestAnswer: Int32 = 2_000_000

    init(path: String) throws(TileProblem) {
        let file = try SQLiteFile<TileProblem>(path, .immutable)
        self.file = file
        file.limit(bytes: TileMap.largestTile + 4096, steps: TileMap.longestAnswer)
        // 256 KiB are enough for SQLite's cache of database pages, because a tile is read once and the browser keeps
        // it.
        try? file.execute("PRAGMA cache_size=-256; PRAGMA trusted_schema=OFF")
        tiles = try file.prepare("SELECT tile_data FROM tiles WHERE zoom_level=? AND tile_column=? AND tile_row=?")
        var metadata: [String: String] = [:]
        try? file.each("SELECT name, value FROM metadata LIMIT 64") { row in
            if let name = row.written(0), let value = row.written(1) { metadata[name] = value }
        }
        self.metadata = metadata
        if metadata["format"] == "pbf" { throw .vector }
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
        defer { tiles.reset() }
        let place = [zoom, column, (1 << zoom) - 1 - row].map { SQLValue.integer(Int64($0)) }
        guard (try? tiles.bind(place)) != nil, (try? tiles.step()) == true else { return nil }
        let tile = tiles.bytes(0)
        return (1...Int(TileMap.largestTile)).contains(tile.count) ? tile : nil
    }

    /// The media type of an image, recognised by its first bytes.
    static func type(of tile: [UInt8]) -> String {
        if tile.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if tile.starts(with: [0xFF, 0xD8]) { return "image/jpeg" }
        if tile.starts(with: Array("RIFF".utf8)) { return "image/webp" }
        return "application/octet-stream"
    }
}
