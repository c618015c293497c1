internal import SextantSQLite

/// The recorded track of the board, in the same file as the state.
extension Database {
    /// Adds points, and deletes the days that the retention limits no longer cover, in one transaction.
    ///
    /// No point is deleted until the whole track was checked.
    ///
    /// - Parameter durability: `.onCard` waits for the storage card. `.eventually` does not: a power cut can lose the
    ///   points since the last durable transaction or write-back of the log, always the newest, never one in the
    ///   middle.
    public mutating func append(
        track points: [TrackPoint], _ durability: Durability
    ) throws(StoreError) {
        guard !points.isEmpty else { return }
        let (connection, retention) = (connection, retention)
        let unchecked = uncheckedFrom
        // Whether days are to be deleted is looked up only now and then, because days pass slowly and there can be many
        // dates to look through.
        let steady = points.reduce(steadyUnseen) { TrackRetention.sum($0, $1.steady) }
        let isDue = unchecked == nil && steady >= TrackRetention.wholeDay / 12
        var count = 0
        try write(durability) { [trackCount] () throws(StoreError) in
            count = trackCount
            for point in points {
                // A point in the unchecked part of the track is not counted here, but by the check.
                if try connection.put(point), unchecked.map({ point.time < $0 }) ?? true { count += 1 }
                try connection.count(TrackDay(of: point.time), steady: point.steady)
            }
            if isDue { count -= try connection.deleteDays(olderThan: retention.days) }
            let most = unchecked == nil ? retention.points : .max
            while count > most, let deleted = try connection.deleteOldest(count - most) {
                count -= deleted
            }
            try connection.giveBackPages(keeping: 64)
        }
        trackCount = count
        steadyUnseen = isDue ? 0 : steady
    }

    /// The points between two times, both included, the oldest first; if there are more than `limit`, either the oldest
    /// or the newest of them.
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

    /// Whether the whole track was checked for damage.
    public var isTrackChecked: Bool { uncheckedFrom == nil }

    /// Checks the next part of the track: its points must be readable and in the order of their times.
    ///
    /// One call reads some ten times from the storage card, so that it does not delay a waiting transaction for long.
    public mutating func checkTrack() throws(StoreError) {
        guard let from = uncheckedFrom else { return }
        do throws(StoreError) {
            let (count, last) = try connection.checkTrack(from: from, points: Database.checkedAtOnce)
            trackCount += count
            uncheckedFrom = count < Database.checkedAtOnce || last == .max ? nil : last + 1
        } catch {
            // Nothing is changed in a damaged file until it is rebuilt from its readable parts.
            if case .damaged = error.kind { leaveAsItIs() }
            throw error
        }
    }

    /// The number of points that are checked in one step: some nine pages of 4 KiB.
    private static let checkedAtOnce = 512

    /// Deletes the track, and overwrites its bytes in the files; when this returns, both are done on the storage card.
    ///
    /// - Returns: The number of points that were deleted.
    @discardableResult
    public mutating func eraseTrack() throws(StoreError) -> Int {
        let connection = connection
        var count = 0
        try write(.onCard) { () throws(StoreError) in
            count = try connection.run("DELETE FROM track")
            try connection.run("DELETE FROM trackDays")
            try connection.giveBackPages(keeping: 0)
        }
        (trackCount, uncheckedFrom) = (0, nil)
        eraseTraces()
        return count
    }
}

/// A date in UTC, as the number of days since 1970.
private struct TrackDay {
    private static let length: Int64 = 86_400_000_000_000

    let number: Int64

    init(number: Int64) { self.number = number }

    init(of time: Int64) {
        let (day, rest) = time.quotientAndRemainder(dividingBy: TrackDay.length)
        number = rest < 0 ? day - 1 : day
    }

    /// The first and the last time on this date, in nanoseconds since 1970.
    var times: [SQLValue] {
        let (first, isFirst) = number.multipliedReportingOverflow(by: TrackDay.length)
        let (next, isLast) = (number + 1).multipliedReportingOverflow(by: TrackDay.length)
        return [.integer(isFirst ? .min : first), .integer(isLast ? .max : next - 1)]
    }
}

extension TrackRetention {
    /// The sum of two lengths of time in nanoseconds, which cannot overflow: each of them counts as at most `wholeDay`,
    /// and a negative second one as 0.
    fileprivate static func sum(_ time: Int64, _ more: Int64) -> Int64 {
        min(time, TrackRetention.wholeDay) + min(max(0, more), TrackRetention.wholeDay)
    }
}

extension TrackPoint {
    /// The columns of the table `track`, in the order in which the statements here list them.
    static let columns = columns(ofVersion: Schema.versionOfSleeps)

    /// The columns that the table `track` has in a file of the given version.
    static func columns(ofVersion version: Int) -> String {
        "time, latitude, longitude, altitude, horizontalAccuracy, speed, course, "
            + (version >= Schema.versionOfSleeps ? "afterSleep" : "0")
    }

    /// Reads a point from the statement's current row; nil if the row has no latitude or longitude.
    init?(_ row: Statement) {
        guard let latitude = row.real(1), let longitude = row.real(2) else { return nil }
        self.init(
            time: row.integer(0), latitude: latitude, longitude: longitude, altitude: row.real(3),
            horizontalAccuracy: row.real(4), speed: row.real(5), course: row.real(6),
            isAfterSleep: row.integer(7) != 0)
    }

    fileprivate var values: [SQLValue] {
        [
            .integer(time), .real(latitude), .real(longitude), .real(altitude), .real(horizontalAccuracy),
            .real(speed), .real(course), .integer(isAfterSleep ? 1 : 0),
        ]
    }
}

extension Connection {
    /// Stores a point, unless there is already one with the same time: a receiver that repeats old dates must not
    /// replace true points.
    ///
    /// - Returns: Whether the point was stored.
    @discardableResult
    func put(_ point: TrackPoint) throws(StoreError) -> Bool {
        try run("INSERT OR IGNORE INTO track (\(TrackPoint.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", point.values) > 0
    }

    /// Reads and checks at most `points` points, from a time on.
    ///
    /// - Returns: The number of points found, and the time of the last one.
    fileprivate func checkTrack(from time: Int64, points: Int) throws(StoreError) -> (count: Int, last: Int64) {
        var (count, last) = (0, time)
        let sql = "SELECT \(TrackPoint.columns) FROM track WHERE time >= ? ORDER BY time LIMIT ?"
        try each(sql, [.integer(time), .integer(Int64(points))]) { row throws(StoreError) in
            guard let point = TrackPoint(row), count == 0 ? point.time >= last : point.time > last else {
                throw StoreError(.damaged(reason: "the track has an invalid row"), path: path)
            }
            (count, last) = (count + 1, point.time)
        }
        return (count, last)
    }

    /// Adds to the steady time of a date (`TrackPoint.steady`: time on which the receiver and the board's clock agree);
    /// if the date is not in the list of days yet, appends it.
    fileprivate func count(_ day: TrackDay, steady: Int64) throws(StoreError) {
        let whole = TrackRetention.wholeDay
        try run(
            """
            INSERT INTO trackDays (day, steady) VALUES (?, ?)
            ON CONFLICT (day) DO UPDATE SET steady = min(steady + excluded.steady, \(whole)) WHERE excluded.steady > 0
            """, [.integer(day.number), .integer(TrackRetention.sum(0, steady))])
    }

    /// Makes the list of days for a track of an older version, which has none: in the order of the dates, with a whole
    /// day of steady time for each.
    func countDays() throws(StoreError) {
        guard try integer("SELECT count(*) FROM trackDays") == 0 else { return }
        try transaction { () throws(StoreError) in
            var next: Int64? = .min
            while let from = next {
                next = nil
                var found: TrackDay?
                try each("SELECT time FROM track WHERE time >= ? ORDER BY time LIMIT 1", [.integer(from)]) {
                    found = TrackDay(of: $0.integer(0))
                }
                guard let found else { break }
                try count(found, steady: TrackRetention.wholeDay)
                if case .integer(let last)? = found.times.last, last < .max { next = last + 1 }
            }
        }
    }

    /// Deletes the points of each day after which more than the given number of days were stored.
    ///
    /// - Returns: The number of deleted points.
    fileprivate func deleteDays(olderThan days: Int) throws(StoreError) -> Int {
        var (since, old): (Int64, [TrackDay]) = (0, [])
        try each("SELECT day, steady FROM trackDays ORDER BY number DESC") { row in
            if since > Int64(days) * TrackRetention.wholeDay { old.append(TrackDay(number: row.integer(0))) }
            since += row.integer(1)
        }
        var count = 0
        for day in old {
            count += try run("DELETE FROM track WHERE time BETWEEN ? AND ?", day.times)
            try run("DELETE FROM trackDays WHERE day = ?", [.integer(day.number)])
        }
        return count
    }

    /// Deletes up to `count` points of the day that was stored first, the earliest points first.
    ///
    /// - Returns: The number of deleted points, which is less if the day has no more; nil if there is no day.
    fileprivate func deleteOldest(_ most: Int) throws(StoreError) -> Int? {
        var first: TrackDay?
        try each("SELECT day FROM trackDays ORDER BY number LIMIT 1") { first = TrackDay(number: $0.integer(0)) }
        guard let first else { return nil }
        let points = "SELECT time FROM track WHERE time BETWEEN ? AND ? ORDER BY time LIMIT ?"
        let count = try run("DELETE FROM track WHERE time IN (\(points))", first.times + [.integer(Int64(most))])
        if count < most { try run("DELETE FROM trackDays WHERE day = ?", [.integer(first.number)]) }
        return count
    }

    /// Gives all free pages of the file but `count` back to the file system, so that the file shrinks.
    fileprivate func giveBackPages(keeping count: Int) throws(StoreError) {
        let free = Int(try integer("PRAGMA freelist_count"))
        guard free > count else { return }
        try execute("PRAGMA incremental_vacuum(\(free - count))")
    }
}
