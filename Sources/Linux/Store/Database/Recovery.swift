/// The result of rebuilding a damaged database: what was kept, and whether that was all.
public struct Recovery: Sendable, Hashable, CustomStringConvertible {
    /// The rows kept of one table.
    public struct Table: Sendable, Hashable {
        public var name: String
        /// The number of rows that were taken over.
        public var kept: Int
        /// Whether all rows were taken over; false where any could not be read.
        public var isWhole: Bool

        public init(name: String, kept: Int, isWhole: Bool) {
            self.name = name
            self.kept = kept
            self.isWhole = isWhole
        }
    }

    public var path: String
    /// The path of the damaged file that was set aside; its write-ahead log has the same path and `-wal`.
    public var setAside: String
    /// The fault of the damaged file.
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
