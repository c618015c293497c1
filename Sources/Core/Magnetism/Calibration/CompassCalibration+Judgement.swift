extension CompassCalibration {
    /// Whether the norm of a raw field, once calibrated, is close enough to this calibration's norm.
    func expects(_ raw: SIMD3<Double>) -> Bool {
        // Under a planar calibration every tilt changes the norm, so a larger difference is allowed.
        let share = reach == .planar ? 0.2 : 0.04
        return abs((apply(to: raw)).norm - norm) <= 4 * residual + share * norm
    }

    /// The root mean square difference between the samples' calibrated norms and this calibration's norm; microtesla.
    func misfit(of entries: [SpreadSamples.Entry]) -> Double {
        let sum = entries.reduce(0) { sum, entry in
            let error = (apply(to: entry.sample.field)).norm - norm
            return sum + error * error
        }
        return (sum / Double(max(1, entries.count))).squareRoot()
    }

    func isClearlyBetter(than old: CompassCalibration) -> Bool {
        typealias Limit = BackgroundCalibration.Limit
        if reach == .planar, old.reach == .spatial { return false }
        if reach == .spatial, old.reach == .planar { return levelHeadingError <= Limit.spatialError }
        return levelHeadingError <= Limit.better * old.levelHeadingError
            && tiltedHeadingError <= Limit.better * old.tiltedHeadingError
    }
}
