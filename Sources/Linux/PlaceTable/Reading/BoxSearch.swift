internal import CSextantSQLite
internal import SextantPlaces

/// The subject of a search over boxes: the search's owner sets it, and the callback that judges boxes reads it.
final class Subject<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
}

/// A best-first search over the boxes of an R*Tree.
///
/// SQLite calls `score` for each box that it meets, and hands out the box with the least score first. The object must
/// live as long as the connection that it was registered with. Source: "The SQLite R*Tree Module", section 5.2.
final class BoxSearch {
    /// The lowest score that any place in a box can have; lower is better, and nil leaves the box out.
    ///
    /// It is a constant, because Swift would retain a variable closure once for each box.
    private let score: (_ box: UnitBox, _ radius: Double) -> Double?
    /// How many boxes the present search has met.
    private var count = 0

    /// More boxes than any search of a whole table meets; a damaged tree can have cycles.
    private static let maximumCount = 400_000

    init(_ score: @escaping (_ box: UnitBox, _ radius: Double) -> Double?) { self.score = score }

    /// Registers this search under a name, so that statements of the file can use `id MATCH best_first()`.
    func register(in file: TableFile, as name: String = "best_first") throws(PlaceTableError) {
        // Safety: the pointer is not retained; the owner of the connection owns this object, and lets go of it last.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let code = unsafe file.withHandle { handle in
            unsafe sqlite3_rtree_query_callback(handle, name, BoxSearch.callback, context, nil)
        }
        guard code == SQLITE_OK else { throw file.error(code) }
    }

    /// Resets the count of boxes for another search.
    func restart() { count = 0 }

    private static let callback: @convention(c) (UnsafeMutablePointer<sqlite3_rtree_query_info>?) -> Int32 = { info in
        guard let info = unsafe info, let context = unsafe info.pointee.pContext else { return SQLITE_ERROR }
        // Safety: the context is the registered object, which lives as long as the connection. A search visits hundreds
        // of boxes, and retaining the object for each box would double the search's time.
        return unsafe Unmanaged<BoxSearch>.fromOpaque(context)._withUnsafeGuaranteedRef { unsafe $0.judge(info) }
    }

    /// Scores a box that SQLite asks about.
    private func judge(_ info: UnsafeMutablePointer<sqlite3_rtree_query_info>) -> Int32 {
        count += 1
        // Safety: during the call, SQLite provides as many coordinates as `nCoord` says.
        guard count <= BoxSearch.maximumCount, unsafe info.pointee.nCoord >= 6,
            let at = unsafe info.pointee.aCoord
        else { return SQLITE_ERROR }
        let box = unsafe UnitBox(
            lower: UnitVector(x: at[0], y: at[2], z: at[4]), upper: UnitVector(x: at[1], y: at[3], z: at[5]))
        let radius = unsafe info.pointee.nCoord >= 8 ? at[7] : 0
        if let score = score(box, radius) {
            // PARTLY_WITHIN makes SQLite ask about the parts of the box one by one.
            unsafe info.pointee.eWithin = PARTLY_WITHIN
            unsafe info.pointee.rScore = score
        } else {
            unsafe info.pointee.eWithin = NOT_WITHIN
        }
        return SQLITE_OK
    }
}
