/// The SQL definitions of the tables in a file of place names; README.md explains the tables.
///
/// A file is used only if its definitions are equal to these, letter by letter. A file that has a view or another kind
/// of virtual table under one of these names is refused.
public enum PlaceSchema {
    /// The `application_id` in the file's header: "SXPG".
    public static let applicationID = 0x5358_5047
    /// `user_version` of the file.
    public static let format = 2

    /// An SQL table's name, and the statement that creates it.
    public struct Definition: Sendable {
        public let name: String
        public let sql: String
    }

    /// The SQL tables that every file of place names has.
    public static let towns = [
        Definition(name: "meta", sql: "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID"),
        Definition(name: "zone", sql: "CREATE TABLE zone(id INTEGER PRIMARY KEY, name TEXT)"),
        Definition(
            name: "area",
            sql: "CREATE TABLE area(id INTEGER PRIMARY KEY, kind INTEGER, parent INTEGER, code TEXT, name TEXT, "
                + "latitude INTEGER, longitude INTEGER, radius INTEGER, population INTEGER)"),
        Definition(name: "place", sql: "CREATE TABLE place(id INTEGER PRIMARY KEY, name TEXT)"),
        Definition(
            name: "block",
            sql: "CREATE VIRTUAL TABLE block USING rtree(id, x0, x1, y0, y1, z0, z1, r0, r1, +records BLOB)"),
        Definition(name: "name", sql: "CREATE TABLE name(row INTEGER PRIMARY KEY, entries BLOB)"),
        Definition(
            name: "area_name",
            sql: "CREATE TABLE area_name(hash INTEGER, area INTEGER, use INTEGER, PRIMARY KEY(hash, area)) "
                + "WITHOUT ROWID"),
    ]

    /// The additional SQL table in which a file of towns says for each point whether it is land or sea.
    public static let land = Definition(name: "land", sql: "CREATE TABLE land(row INTEGER PRIMARY KEY, runs BLOB)")

    /// The additional SQL tables of a region's file, with its streets and addresses.
    public static let streets = [
        Definition(
            name: "street",
            sql: "CREATE TABLE street(id INTEGER PRIMARY KEY, name TEXT, place INTEGER, postcode TEXT)"),
        Definition(
            name: "street_name",
            sql: "CREATE TABLE street_name(hash INTEGER, street INTEGER, PRIMARY KEY(hash, street)) WITHOUT ROWID"),
        Definition(
            name: "object",
            sql: "CREATE TABLE object(id INTEGER PRIMARY KEY, street INTEGER, number TEXT, name TEXT, class TEXT, "
                + "postcode TEXT, district INTEGER)"),
        Definition(
            name: "object_block",
            sql: "CREATE VIRTUAL TABLE object_block USING rtree(id, x0, x1, y0, y1, z0, z1, +points BLOB)"),
        Definition(
            name: "object_name",
            sql: "CREATE TABLE object_name(hash INTEGER, object INTEGER, PRIMARY KEY(hash, object)) WITHOUT ROWID"),
        Definition(
            name: "street_object",
            sql: "CREATE TABLE street_object(street INTEGER, object INTEGER, PRIMARY KEY(street, object)) "
                + "WITHOUT ROWID"),
    ]

    /// The tables in which SQLite keeps the R*Tree over a region's objects (addresses and the like); the names must
    /// belong to tables, not to views.
    static let streetShadows = ["object_block_node", "object_block_parent", "object_block_rowid"].map {
        Definition(name: $0, sql: "")
    }
    /// The tables in which SQLite keeps the R*Tree over the towns; the names must belong to tables, not to views.
    static let shadows = ["block_node", "block_parent", "block_rowid"].map { Definition(name: $0, sql: "") }

    /// The SQL query for the bytes of one block (group of neighbouring entries), which an R*Tree has as an extra
    /// column.
    ///
    /// The query reads the internal table in which SQLite keeps the column: if it used the column of the R*Tree itself,
    /// SQLite would prepare a further statement in each search, which takes a fifth of the search's time. Source: "The
    /// SQLite R*Tree Module", section 5.3, the shadow tables; SQLite's rtree.c, `rtreeColumn`.
    static func bytes(ofBlocks tree: String) -> String { "SELECT a0 FROM \(tree)_rowid WHERE rowid = ?" }
}
