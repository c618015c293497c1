internal import CSextantSQLite

/// A best-first search over the boxes of an R*Tree.
///
/// SQLite calls `score` for each box that it reads, and returns the box with the lowest score first. The object must
/// live as long as the file with which it is registered. Source: "The SQLite R*Tree Module", section 5.2.
package final class BoxSearch {
    /// Returns the lowest score that anything in a box can have, where lower is better; nil excludes the box.
    ///
    /// It is a constant, because Swift would retain a closure in a variable once for each box.
    private let score: (_ box: borrowing Span<Double>) -> Double?
    /// The number of boxes that SQLite has asked about in the present search.
    private var count = 0

    /// The largest number of boxes that SQLite may ask about in one search: more than in any intact table, so it only
    /// ends a search in a damaged tree that has cycles.
    private static let maximumCount = 400_000

    /// - Parameter score: A function that gets the smallest and the largest coordinate of a box in each of at least
    ///   three dimensions, and returns the box's score.
    package init(_ score: @escaping (_ box: borrowing Span<Double>) -> Double?) { self.score = score }

    /// Resets the number of boxes that SQLite has asked about to 0; call it before each search.
    package func restart() { count = 0 }

    static let callback: @convention(c) (UnsafeMutablePointer<sqlite3_rtree_query_info>?) -> Int32 = { info in
        guard let info = unsafe info, let context = unsafe info.pointee.pContext else { return SQLITE_ERROR }
        // Safety: the context is the registered object, which lives as long as the file. A search visits hundreds
        // of boxes, and retaining the object for each box would double the search's time.
        return unsafe Unmanaged<BoxSearch>.fromOpaque(context)._withUnsafeGuaranteedRef { unsafe $0.judge(info) }
    }

    /// Scores a box about which SQLite asks.
    private func judge(_ info: UnsafeMutablePointer<sqlite3_rtree_query_info>) -> Int32 {
        count += 1
        // Safety: during the call, SQLite provides as many coordinates as `nCoord` says.
        guard count <= BoxSearch.maximumCount, unsafe info.pointee.nCoord >= 6,
            let at = unsafe info.pointee.aCoord
        else { return SQLITE_ERROR }
        let box = unsafe UnsafeBufferPointer(start: at, count: Int(info.pointee.nCoord))
        if let score = unsafe score(box.span) {
            // PARTLY_WITHIN makes SQLite ask about each box inside this box.
            unsafe info.pointee.eWithin = PARTLY_WITHIN
            unsafe info.pointee.rScore = score
        } else {
            unsafe info.pointee.eWithin = NOT_WITHIN
        }
        return SQLITE_OK
    }
}
