/// Rows of cells as lines of a text table, each column as wide as its widest cell.
enum TextTable {
    /// - Parameter rows: The rows, of which the first is the heading; all rows have the same number of cells.
    static func lines(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let line = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return trimmed(line.joined(separator: "  "))
        }
    }

    private static func trimmed(_ text: String) -> String {
        String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
    }
}
