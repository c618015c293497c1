internal import Units

/// A set of samples that stays well spread over whatever the field's tip has passed, and of one size.
///
/// A sample nearer to another than the spacing takes its place, so that each place holds its newest. When the set is full,
/// the spacing grows until a third of it is free again.
struct SpreadSamples {
    struct Entry {
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
        let entry = Entry(sample: sample, instant: instant)
        if let near = nearest(to: sample.field), near.distance < spacing {
            entries[near.index] = entry
            return false
        }
        while entries.count >= SpreadSamples.capacity { thin() }
        entries.append(entry)
        return true
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        spacing = SpreadSamples.leastSpacing
    }

    /// Drops what is older than an instant.
    mutating func removeAll(before instant: MonotonicInstant) { entries.removeAll { $0.instant < instant } }

    private func nearest(to field: SIMD3<Double>) -> (index: Int, distance: Double)? {
        var best: (index: Int, square: Double)?
        for index in entries.indices {
            let rest = entries[index].sample.field - field
            let square = rest.dot(rest)
            if let best, best.square <= square { continue }
            best = (index, square)
        }
        return best.map { ($0.index, $0.square.squareRoot()) }
    }

    /// Makes the spacing an eighth wider, and drops of each pair that is too near the older one.
    private mutating func thin() {
        spacing *= 1.125
        var index = 0
        while index < entries.count {
            if isCrowded(index) { entries.remove(at: index) } else { index += 1 }
        }
    }

    private func isCrowded(_ index: Int) -> Bool {
        let entry = entries[index]
        for other in entries.indices where other != index {
            let rest = entries[other].sample.field - entry.sample.field
            guard rest.dot(rest) < spacing * spacing else { continue }
            if (entry.instant, index) < (entries[other].instant, other) { return true }
        }
        return false
    }
}
