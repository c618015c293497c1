internal import SextantUnits

/// Chooses which fixes go when the queue is full: it keeps the oldest three quarters evenly spaced.
///
/// It walks from the oldest fix on and gives up those that are closer than `gap` to the last one it kept, none within
/// 60 s of an event. Once that does not free enough it doubles the gap and begins again.
struct Thinning: Sendable {
    /// Records that are looked at in one step.
    static let limit = 2048
    private static let guarded: Int64 = 60_000_000_000

    /// The number from which on the next step reads.
    private(set) var cursor: Int64 = 0
    /// Nanoseconds; nil before the first step.
    private var gap: Int64?
    private var lastKept: Int64?
    private var lastEvent: Int64?
    /// The fixes before the cursor, which were kept.
    private var passed = 0
    /// Whether nothing more can be given up until something else changes.
    private(set) var isStuck = false

    /// The records that one step gives up.
    struct Step {
        var numbers: [Int64] = []
        var from: UTCInstant?
        var to: UTCInstant?
    }

    /// Looks at the next records of both kinds, in the order of their numbers.
    ///
    /// - Parameter fixes: The fixes in the queue.
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
        // A gap of a year gives up everything that may be given up.
        if let gap, gap > 31_536_000_000_000_000 { isStuck = true }
    }

    private func isCrowded(_ row: UplinkRecord, _ index: Int, _ events: [Int64]) -> Bool {
        guard let instant = Thinning.instant(row), let gap else { return index % 2 == 1 }
        guard let lastKept, instant >= lastKept, instant - lastKept < gap else { return false }
        return !events.contains { abs($0 - instant) <= Thinning.guarded }
            && lastEvent.map { abs($0 - instant) > Thinning.guarded } ?? true
    }

    /// The rows before the last minute, in which an event may follow that is not read yet.
    private func decidable(_ rows: [UplinkRecord]) -> Int {
        guard rows.count >= Thinning.limit, let last = rows.last.flatMap(Thinning.instant) else { return rows.count }
        let count = rows.count { Thinning.instant($0).map { last - $0 > Thinning.guarded } ?? true }
        return count == 0 ? rows.count : count
    }

    /// A little less than twice the mean spacing: every second fix goes.
    private func firstGap(_ rows: [UplinkRecord]) -> Int64? {
        let instants = rows.filter { $0.kind == .fix }.compactMap(Thinning.instant)
        guard let first = instants.first, let last = instants.last, instants.count > 1, last > first else { return nil }
        return Int64(Double(last - first) / Double(instants.count - 1) * 1.9)
    }

    private static func instant(_ row: UplinkRecord) -> Int64? { row.time?.nanoseconds ?? row.uptime?.nanoseconds }
}
