/// The track: the recorded points.
extension Database {
    /// Adds points, and deletes the oldest that are past the retention, in one transaction.
    ///
    /// - Parameter durability: `.onCard` waits for the card. `.eventually` does not: a power cut may take the points
    ///   since the last durable transaction or write-back, always the newest, never one out of the middle.
    public mutating func append(
        track points: [TrackPoint], _ durability: Durability
    ) throws(StoreError) {
        guard let newest = points.map(\.time).max() else { return }
        let (connection, retention) = (connection, retention)
        var count = 0
        try write(durability) { [trackCount] () throws(StoreError) in
            count = trackCount
            for point in points where try connection.put(point) { count += 1 }
            count -= try connection.deleteTrack(before: retention.limit(before: newest))
            if count > retention.points {
                let oldest = try connection.integer(
                    "SELECT time FROM track ORDER BY time LIMIT 1 OFFSET ?",
                    [.integer(Int64(count - retention.points))])
                count -= try connection.deleteTrack(before: oldest)
            }
            try connection.giveBackPages(keeping: 64)
        }
        trackCount = count
    }

    /// The points from one time to another, both included: the oldest `limit` of them, or the newest; oldest first.
    public borrowing func track(
        from: Int64, to: Int64, limit: Int, newest: Bool = false
    ) throws(StoreError) -> [TrackPoint] {
        var points: [TrackPoint] = []
        let order = newest ? "time DESC" : "time"
        let sql = "SELECT \(TrackPoint.columns) FROM track WHERE time BETWEEN ? AND ? ORDER BY \(order) LIMIT ?"
        let values: [SQLValue] = [.integer(from), .integer(to), .integer(Int64(max(0, limit)))]
        try connection.each(sql, values) { row throws(StoreError) in
            guard let point = TrackPoint(row) else {
                throw StoreError(.damaged(reason: "the track has an invalid row"), path: connection.path)
            }
            points.append(point)
        }
        return newest ? points.reversed() : points
    }

    /// Deletes the track, and wipes it from the files; when this returns, the deletion is on the card.
    public mutating func eraseTrack() throws(StoreError) {
        let connection = connection
        try write(.onCard) { () throws(StoreError) in
            try connection.run("DELETE FROM track")
            try connection.giveBackPages(keeping: 0)
        }
        trackCount = 0
        eraseTraces()
    }
}

extension TrackRetention {
    /// The oldest time that is kept where `newest` is the newest time of the track.
    fileprivate func limit(before newest: Int64) -> Int64 {
        let (limit, overflow) = newest.subtractingReportingOverflow(Int64(days) * 86_400_000_000_000)
        return overflow ? .min : limit
    }
}

extension TrackPoint {
    /// The columns of the table `track`, in the order in which this file reads and writes them.
    static let columns = "time, latitude, longitude, altitude, horizontalAccuracy, speed, course"

    /// Reads the statement's current row; nil where the row has no latitude or longitude.
    init?(_ row: Statement) {
        guard let latitude = row.real(1), let longitude = row.real(2) else { return nil }
        self.init(
            time: row.integer(0), latitude: latitude, longitude: longitude, altitude: row.real(3),
            horizontalAccuracy: row.real(4), speed: row.real(5), course: row.real(6))
    }

    fileprivate var values: [SQLValue] {
        [
            .integer(time), .real(latitude), .real(longitude), .real(altitude), .real(horizontalAccuracy),
            .real(speed), .real(course),
        ]
    }
}

extension Connection {
    /// Stores a point; a point of the same time is replaced.
    ///
    /// - Returns: Whether there was no point of this time before.
    @discardableResult
    func put(_ point: TrackPoint) throws(StoreError) -> Bool {
        let row = "INTO track (\(TrackPoint.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)"
        try run("INSERT OR IGNORE " + row, point.values)
        guard changes == 0 else { return true }
        try run("REPLACE " + row, point.values)
        return false
    }

    /// Deletes the points before a time.
    ///
    /// - Returns: The number of deleted points.
    fileprivate func deleteTrack(before time: Int64) throws(StoreError) -> Int {
        try run("DELETE FROM track WHERE time < ?", [.integer(time)])
        return changes
    }

    /// Gives all free pages but `count` back to the file system, so that the file shrinks.
    fileprivate func giveBackPages(keeping count: Int) throws(StoreError) {
        let free = Int(try integer("PRAGMA freelist_count"))
        guard free > count else { return }
        try execute("PRAGMA incremental_vacuum(\(free - count))")
    }
}
