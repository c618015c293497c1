internal import Units

/// A set of samples that stays well spread over whatever the field's tip has passed, and of one size.
///
/// A sample nearer to a place than the spacing is that place's newest, and takes the older one's. When the set is full,
/// the spacing grows until some are too near to newer ones, and go.
struct SpreadSamples {
    struct Entry {
        /// Where the first sample of this place was: the place does not wander with those that follow.
        let anchor: SIMD3<Double>
        var sample: CalibrationSample
        var instant: MonotonicInstant
    }

    private(set) var entries: [Entry] = []
    /// Microtesla.
    private var spacing: Double

    static let capacity = 120
    /// Microtesla: a circle of 21 µT, a level turn's in middle latitudes, holds thirty.
    static let leastSpacing = 4.0

    init() {
        spacing = SpreadSamples.leastSpacing
        entries.reserveCapacity(SpreadSamples.capacity)
    }

    /// Takes a sample; true where it is at a new place.
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
        spacing = SpreadSamples.leastSpacing
    }

    /// Drops what is older than an instant.
    mutating func removeAll(before instant: MonotonicInstant) { entries.removeAll { $0.instant < instant } }

    /// Drops the half that was seen longest ago.
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

    /// Makes the spacing an eighth wider, and keeps from the newest on what is not too near to another that is kept.
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

    /// By insertion: the library's own sort takes memory.
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
