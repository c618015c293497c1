/// Finds faults of samples with which no fit would make sense.
enum SampleCheck {
    private typealias Limit = CalibrationFit.Limit

    /// Checks the samples, and returns their standard deviations along their principal axes.
    static func check(_ samples: [CalibrationSample]) throws(CalibrationRefusal) -> FieldScatter {
        for (index, sample) in samples.enumerated() {
            let acceleration = sample.acceleration ?? .zero
            guard isFinite(sample.field), isFinite(acceleration) else { throw .notANumber(index: index) }
        }
        guard samples.count >= Limit.fewest else { throw .tooFew(count: samples.count, needed: Limit.fewest) }
        let scatter = FieldScatter(samples.map { $0.field })
        guard scatter.deviations.z >= Limit.minimumSpread else { throw .allAlike(spread: scatter.deviations.z) }
        let clipped = clippedCount(samples)
        guard clipped <= Int(Limit.saturatedShare * Double(samples.count)) + 2 else {
            throw .saturated(count: clipped, of: samples.count)
        }
        guard scatter.deviations.y >= Limit.lineRatio * scatter.deviations.z else { throw .line }
        return scatter
    }

    /// Whether every component is a number below 1 T; no chip measures more.
    private static func isFinite(_ vector: SIMD3<Double>) -> Bool {
        abs(vector.x) < 1e6 && abs(vector.y) < 1e6 && abs(vector.z) < 1e6
    }

    /// The number of samples that have the smallest or largest value on an axis, if that value repeats as in a
    /// saturated converter.
    private static func clippedCount(_ samples: [CalibrationSample]) -> Int {
        var isClipped = [Bool](repeating: false, count: samples.count)
        for axis in 0..<3 {
            let values = samples.map { $0.field[axis] }
            guard let least = values.min(), let greatest = values.max(), greatest - least > Limit.movedRange else {
                continue
            }
            for end in [least, greatest] where values.count(where: { $0 == end }) > 3 {
                for index in values.indices where values[index] == end { isClipped[index] = true }
            }
        }
        return isClipped.count { $0 }
    }
}
