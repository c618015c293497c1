internal import Emulation
internal import SextantUnits

/// The simple method with which the benchmark compares the region index: it computes the distance to every circle at
/// every fix.
enum BruteForce {
    static func secondsPerFix(regions count: Int) -> Double {
        var random = SplitMix64(seed: 11)
        let centres = (0..<count).map { _ in (random.next(in: 44...53), random.next(in: 2...15)) }
        var inside = [Bool](repeating: false, count: count)
        let fixes = max(3, 300_000 / count)
        let start = ProcessorClock.seconds
        for fix in 0..<fixes {
            let frame = LocalFrame(latitude: 47 + Double(fix) * 1e-5, longitude: 8)
            for (index, centre) in centres.enumerated() {
                let point = frame.point(latitude: centre.0, longitude: centre.1)
                inside[index] = point.east * point.east + point.north * point.north <= 10_000
            }
        }
        let seconds = (ProcessorClock.seconds - start) / Double(fixes)
        // The array is kept alive, so that the compiler does not remove the computation.
        return withExtendedLifetime(inside) { seconds }
    }
}
