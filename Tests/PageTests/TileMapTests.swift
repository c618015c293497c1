import CSextantSQLite
import Foundation
import Testing

@testable import Page

@Suite("The owner's map")
struct TileMapTests {
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 1, 2, 3]

    /// Makes a file and opens it as a map.
    private func map(_ statements: String, tile: [UInt8] = TileMapTests.png) throws -> TileMap {
        let path = NSTemporaryDirectory() + "map \(UUID().uuidString)%?.mbtiles"
        defer { try? FileManager.default.removeItem(atPath: path) }
        var database: OpaquePointer?
        #expect(unsafe sqlite3_open(path, &database) == SQLITE_OK)
        let hexadecimal = tile.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let text = statements.replacingOccurrences(of: "TILE", with: "x'\(hexadecimal)'")
        #expect(unsafe sqlite3_exec(database, text, nil, nil, nil) == SQLITE_OK)
        unsafe sqlite3_close(database)
        return try TileMap(path: path)
    }

    private static let tables = """
        CREATE TABLE metadata (name text, value text);
        CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
        INSERT INTO metadata VALUES ('name', 'Lake'), ('format', 'png'), ('maxzoom', '3');
        INSERT INTO tiles VALUES (2, 1, 0, TILE);
        """

    @Test func `a tile's row is counted from the south in the file and from the north on the page`() throws {
        let map = try map(TileMapTests.tables)
        #expect(map.tile(zoom: 2, column: 1, row: 3) == TileMapTests.png)
        #expect(map.tile(zoom: 2, column: 1, row: 0) == nil)
        #expect(String(decoding: map.description, as: UTF8.self).contains("\"name\":\"Lake\""))
    }

    @Test func `PAGE-16 vector tiles, no tiles, no database and no file are told apart, and each says what to do`()
        throws
    {
        let vector = TileMapTests.tables.replacingOccurrences(of: "'png'", with: "'pbf'")
        #expect(throws: TileProblem.vector) { try map(vector) }
        #expect(throws: TileProblem.noTiles) { try map("CREATE TABLE other (a)") }
        #expect(throws: TileProblem.self) { try TileMap(path: "/nowhere/at/all.mbtiles") }
        let path = NSTemporaryDirectory() + "broken-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(repeating: 0x41, count: 5000).write(to: URL(fileURLWithPath: path))
        do throws(TileProblem) {
            _ = try TileMap(path: path)
            Issue.record("a text file was opened as a map")
        } catch {
            #expect(error.sentence.contains("Give the path of an MBTiles file"))
        }
    }

    private static let numbers = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"

    @Test(arguments: [
        "SELECT x, x FROM (\(TileMapTests.numbers)) WHERE x < 0", "SELECT hex(zeroblob(300000000)), 1",
    ])
    func `a map's views that never end or give 300 MB are given up, and its other tiles are served`(
        metadata: String
    ) throws {
        let map = try map(
            """
            CREATE VIEW metadata(name, value) AS \(metadata);
            CREATE TABLE tile (z, c, r, d);
            INSERT INTO tile VALUES (0, 0, 0, TILE);
            CREATE VIEW tiles(zoom_level, tile_column, tile_row, tile_data) AS SELECT * FROM tile
            UNION ALL SELECT 2, 0, 3, zeroblob(300000000) UNION ALL SELECT 1, x, x, x FROM (\(TileMapTests.numbers));
            """)
        for _ in 0..<3 {
            #expect(map.tile(zoom: 1, column: 0, row: 1) == nil && map.tile(zoom: 2, column: 0, row: 0) == nil)
            #expect(map.tile(zoom: 0, column: 0, row: 0) == TileMapTests.png)
        }
    }

    @Test func `an image's type is told by its first bytes`() {
        #expect(TileMap.type(of: TileMapTests.png) == "image/png")
        #expect(TileMap.type(of: [0xFF, 0xD8, 0xFF]) == "image/jpeg")
        #expect(TileMap.type(of: Array("RIFF....WEBP".utf8)) == "image/webp")
        #expect(TileMap.type(of: Array("<svg onload=alert(1)>".utf8)) == "application/octet-stream")
    }
}
