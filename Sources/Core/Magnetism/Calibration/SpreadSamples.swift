internal import SextantUnits

/// A set of at most 120 samples whose fields keep a distance from each other, so that they represent all fields that
/// were measured.
///
/// A sample whose field is nearer to a known one than `spacing` replaces the older sample there. If the set is full,
/// `spacing` grows until some samples are too near to newer ones; those are dropped.
struct SpreadSamples {
    struct Entry {
        /// The field of the entry's first sample; it does not change when a later sample replaces the first one.
        let anchor: SIMD3<Double>
        var sample: CalibrationSample
        var instant: MonotonicInstant
    }

    private(set) var entries: [Entry] = []
    /// The smallest distance between the fields `anchor` of two entries; microtesla.
    private var spacing: Double

    static let capacity = 120
    /// The smallest value of `spacing`, in microtesla: a level turn in middle latitudes, whose fields lie on a circle
    /// of 21 µT radius, then gives about thirty entries.
    static let minimumSpacing = 4.0

    init() {
        spacing = SpreadSamples.minimumSpacing
        entries.reserveCapacity(SpreadSamples.capacity)
    }

    /// Takes a sample, and returns whether its field is far enough from those of all entries to become an entry of its
    /// own.
    mutating func add(_ sample: CalibrationSample, at instant: MonotonicInstant) -> Bool {
        if let near = nearest(to: sample.field), near.distance < spacing {
            entries[near.index].sample = sample
            entries[near.index].instant = instant
            return false
        }
        while entries.count >= SpreadSamples.capacity { thin() }
        entries.append(Entry(anchor: sample.field, sample: sample, instant: instant))
        return true
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        spacing = SpreadSamples.minimumSpacing
    }

    mutating func removeAll(before instant: MonotonicInstant) { entries.removeAll { $0.instant < instant } }

    mutating func removeOlderHalf() {
        sortNewestFirst()
        entries.removeLast(entries.count / 2)
    }

    private func nearest(to field: SIMD3<Double>) -> (index: Int, distance: Double)? {
        var best: (index: Int, square: Double)?
        for index in entries.indices {
            let rest = entries[index].anchor - field
            let square = rest.dot(rest)
            if let best, best.square <= square { continue }
            best = (index, square)
        }
        return best.map { ($0.index, $0.square.squareRoot()) }
    }

    /// Enlarges `spacing` by an eighth, and removes each entry whose `anchor` is nearer than `spacing` to that of a
    /// newer entry.
    private mutating func thin() {
        spacing *= 1.125
        sortNewestFirst()
        var kept = 0
        for index in entries.indices where !isCrowded(index, among: kept) {
            entries.swapAt(kept, index)
            kept += 1
        }
        entries.removeLast(entries.count - kept)
    }

    private func isCrowded(_ index: Int, among kept: Int) -> Bool {
        for other in 0..<kept {
            let rest = entries[other].anchor - entries[index].anchor
            if rest.dot(rest) < spacing * spacing { return true }
        }
        return false
    }

    /// Sorts by insertion, because the library's own sort allocates memory.
    private mutating func sortNewestFirst() {
        for index in entries.indices {
            var place = index
            while place > 0, entries[place - 1].instant < entries[place].instant {
                entries.swapAt(place - 1, place)
                place -= 1
            }
        }
    }
}
