/// The result of rebuilding a damaged database: what was kept, and whether anything was lost.
public struct Recovery: Sendable, Hashable, CustomStringConvertible {
    /// What was kept of one table.
    public struct Table: Sendable, Hashable {
        public var name: String
        /// The number of the table's rows that were kept.
        public var kept: Int
        /// Whether all of the table's rows were kept; false if some could not be read.
        public var isWhole: Bool

        public init(name: String, kept: Int, isWhole: Bool) {
            self.name = name
            self.kept = kept
            self.isWhole = isWhole
        }
    }

    public var path: String
    /// The path under which the damaged file was set aside; its write-ahead log has this path with `-wal` added.
    public var setAside: String
    /// What was wrong with the damaged file.
    public var reason: String
    public var tables: [Table]

    public init(path: String, setAside: String, reason: String, tables: [Table]) {
        self.path = path
        self.setAside = setAside
        self.reason = reason
        self.tables = tables
    }

    public var isWhole: Bool { tables.allSatisfy(\.isWhole) }

    public var description: String {
        let kept = tables.map { "\($0.kept) of \($0.name)\($0.isWhole ? "" : " (not all)")" }.joined(separator: ", ")
        return "\(path) was damaged (\(reason)) and was built anew with the rows that could be read: \(kept); "
            + "the damaged one is kept as \(setAside)"
    }
}
