internal import SextantUnits

/// Chooses the fixes to drop when the queue is full: it thins the oldest three quarters of them evenly.
///
/// It goes through the fixes from the oldest on, and drops each fix that is closer than `gap` to the last one it kept,
/// but no fix within 60 s of an event. If a pass does not free enough room, it doubles the gap and begins again.
struct Thinning: Sendable {
    /// The largest number of records that one call of `step` examines.
    static let limit = 2048
    private static let guarded: Int64 = 60_000_000_000

    /// The record number at which the next call of `step` begins to read.
    private(set) var cursor: Int64 = 0
    /// The smallest time between two fixes that are kept, in nanoseconds; nil before the first step.
    private var gap: Int64?
    private var lastKept: Int64?
    private var lastEvent: Int64?
    /// The number of kept fixes whose record number is below `cursor`.
    private var passed = 0
    /// Whether no more fixes can be dropped until the queue changes.
    private(set) var isStuck = false

    /// The fixes that one call of `step` drops, by their record numbers, and the times of the first and the last of
    /// them.
    struct Step {
        var numbers: [Int64] = []
        var from: UTCInstant?
        var to: UTCInstant?
    }

    /// Examines the next records, fixes and events, in the order of their numbers, and chooses fixes to drop.
    ///
    /// - Parameter fixes: The number of fixes in the queue.
    mutating func step(_ rows: [UplinkRecord], fixes: Int) -> Step {
        var step = Step()
        let decided = decidable(rows)
        let room = fixes * 3 / 4 - passed
        var seen = 0
        if gap == nil { gap = firstGap(rows) }
        let events = rows.filter { $0.kind == .event }.compactMap(Thinning.instant)
        for (index, row) in rows.prefix(decided).enumerated() where seen < room || row.kind == .event {
            cursor = row.n + 1
            guard row.kind == .fix else {
                lastEvent = Thinning.instant(row) ?? lastEvent
                continue
            }
            seen += 1
            guard isCrowded(row, index, events) else {
                lastKept = Thinning.instant(row) ?? lastKept
                passed += 1
                continue
            }
            step.numbers.append(row.n)
            step.from = step.from ?? row.time
            step.to = row.time ?? step.to
        }
        if seen >= room || rows.count < Thinning.limit { beginAgain() }
        return step
    }

    mutating func didFree() { isStuck = false }

    private mutating func beginAgain() {
        (cursor, passed, lastKept, lastEvent) = (0, 0, nil, nil)
        gap = gap.map { $0 > Int64.max / 4 ? $0 : $0 * 2 }
        // Once the gap between kept fixes exceeds a year, every fix that can be dropped has been dropped.
        if let gap, gap > 31_536_000_000_000_000 { isStuck = true }
    }

    private func isCrowded(_ row: UplinkRecord, _ index: Int, _ events: [Int64]) -> Bool {
        guard let instant = Thinning.instant(row), let gap else { return index % 2 == 1 }
        guard let lastKept, instant >= lastKept, instant - lastKept < gap else { return false }
        return !events.contains { abs($0 - instant) <= Thinning.guarded }
            && lastEvent.map { abs($0 - instant) > Thinning.guarded } ?? true
    }

    /// How many of the records that were read can be judged now: those more than 60 s older than the last one read,
    /// because an event near the others may not have been read yet.
    private func decidable(_ rows: [UplinkRecord]) -> Int {
        guard rows.count >= Thinning.limit, let last = rows.last.flatMap(Thinning.instant) else { return rows.count }
        let count = rows.count { Thinning.instant($0).map { last - $0 > Thinning.guarded } ?? true }
        return count == 0 ? rows.count : count
    }

    /// The gap (the smallest time between two kept fixes) for the first pass: a little less than twice the mean time
    /// between fixes, which drops every second fix.
    private func firstGap(_ rows: [UplinkRecord]) -> Int64? {
        let instants = rows.filter { $0.kind == .fix }.compactMap(Thinning.instant)
        guard let first = instants.first, let last = instants.last, instants.count > 1, last > first else { return nil }
        return Int64(Double(last - first) / Double(instants.count - 1) * 1.9)
    }

    private static func instant(_ row: UplinkRecord) -> Int64? { row.time?.nanoseconds ?? row.uptime?.nanoseconds }
}
