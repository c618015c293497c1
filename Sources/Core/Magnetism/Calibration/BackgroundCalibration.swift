internal import Units

/// Keeps a compass calibrated from the samples that the service sees anyway.
///
/// It holds a well-spread set of at most 120 samples, and works out a calibration anew only when the board has been
/// turned to enough new places. One takes the place of another when it is clearly better, or when the old one has been
/// wrong for ten minutes and the new one explains what was seen in them: iron that came and stayed. A lorry beside the
/// board changes nothing.
public struct BackgroundCalibration: Sendable {
    public private(set) var calibration: CompassCalibration?
    /// The world model's field where the board is; nil while the position is not known.
    public var earth: EarthField?
    /// How often a calibration has been worked out, or been tried to.
    public private(set) var fitCount = 0

    private let mounting: Mounting
    /// What agrees with the calibration, or everything without one.
    private var kept = SpreadSamples()
    /// Everything since the calibration began to be wrong.
    private var fresh = SpreadSamples()
    private var newPlaces = 0
    private var freshPlaces = 0
    private var lastFit: MonotonicInstant?
    private var disturbance: Disturbance?
    private var latest = MonotonicInstant.zero

    private struct Disturbance {
        /// Nanoseconds in which samples were seen: a board that sleeps has seen nothing.
        var seen: Int64 = 0
        /// At how many places in a row the field has been as expected again.
        var calmPlaces = 0
        var calmField: SIMD3<Double>?
    }

    /// When it is time for what.
    enum Limit {
        /// Nanoseconds between two fits.
        static let interval: Int64 = 30_000_000_000
        /// Nanoseconds of wrong norms that are no passing lorry.
        static let change: Int64 = 600_000_000_000
        /// Nanoseconds from one sample to the next that count as seen, at most.
        static let gap: Int64 = 1_000_000_000
        /// Nanoseconds after which a sample is of a board as it was: a week.
        static let age: Int64 = 604_800_000_000_000
        static let places = 24
        /// For another try after one that gave nothing: a level circle may hold no more than 24 in all.
        static let morePlaces = 6
        static let calmPlaces = 12
        /// Of so many one ought to have come out: the strongest field's circle holds 118.
        static let manyPlaces = 100
        /// Degrees, level: better is not worth the work.
        static let goodEnough = 0.5
        /// Degrees, level: a calibration for every attitude that is as good is better than one of the plane.
        static let spatialError = 2.0
        /// Of the old error, what a new one must have at most.
        static let better = 0.7
    }

    public init(calibration: CompassCalibration?, mounting: Mounting = .aligned) {
        self.calibration = calibration
        self.mounting = mounting
    }

    /// Whether the field has been other than expected for long.
    private var isChanged: Bool {
        guard let disturbance else { return false }
        return disturbance.seen >= Limit.change
    }

    /// Takes a sample whose acceleration is in the magnetometer's frame; gives the calibration to use from now on where
    /// there is a new one.
    public mutating func take(_ sample: CompassSample) -> CompassCalibration? {
        guard !sample.isSaturated, sample.field.norm < 1e6 else { return nil }
        let gap = max(0, min(Limit.gap, sample.instant.nanoseconds(since: latest)))
        latest = sample.instant
        let taken = CalibrationSample(field: sample.field, acceleration: sample.acceleration)
        guard let calibration else {
            if kept.add(taken, at: latest) { newPlaces += 1 }
            return fitFirst()
        }
        follow(taken, calibration, gap: gap)
        if isChanged { return fitChanged(calibration) }
        guard disturbance == nil || calibration.reach == .planar else { return nil }
        return fitBetter(calibration)
    }

    // MARK: What has been seen

    /// - Parameter gap: Nanoseconds since the last sample in which this one was seen.
    private mutating func follow(_ sample: CalibrationSample, _ calibration: CompassCalibration, gap: Int64) {
        disturbance?.seen += gap
        let isExpected = calibration.expects(sample.field)
        // A calibration of the plane cannot judge what is out of it.
        if isExpected || calibration.reach == .planar, kept.add(sample, at: latest) { newPlaces += 1 }
        if isExpected {
            calm(sample.field)
        } else if disturbance == nil {
            disturbance = Disturbance()
            fresh.removeAll()
            freshPlaces = 0
        } else {
            disturbance?.calmPlaces = 0
        }
        guard disturbance != nil else { return }
        if fresh.add(sample, at: latest) { freshPlaces += 1 }
    }

    /// A board that rests where the norm happens to be right tells nothing: it must be right at many places.
    private mutating func calm(_ field: SIMD3<Double>) {
        guard var disturbance else { return }
        if let last = disturbance.calmField, (field - last).norm < SpreadSamples.leastSpacing { return }
        disturbance.calmField = field
        disturbance.calmPlaces += 1
        self.disturbance = disturbance.calmPlaces >= Limit.calmPlaces ? nil : disturbance
    }

    // MARK: When to fit

    private var isTime: Bool {
        lastFit.map { latest.nanoseconds(since: $0) >= Limit.interval } ?? true
    }

    private mutating func fitFirst() -> CompassCalibration? {
        guard newPlaces >= Limit.places, isTime else { return nil }
        newPlaces = 0
        guard let found = fit(\.kept) else {
            newPlaces = Limit.places - Limit.morePlaces
            return nil
        }
        calibration = found
        return found
    }

    private mutating func fitBetter(_ old: CompassCalibration) -> CompassCalibration? {
        guard old.reach == .planar || old.levelHeadingError > Limit.goodEnough,
            newPlaces >= max(Limit.places, kept.entries.count / 2), isTime
        else { return nil }
        newPlaces = 0
        guard let found = fit(\.kept), found.isClearlyBetter(than: old),
            found.misfit(of: kept.entries) <= 1.1 * old.misfit(of: kept.entries)
        else { return nil }
        calibration = found
        return found
    }

    private mutating func fitChanged(_ old: CompassCalibration) -> CompassCalibration? {
        guard freshPlaces >= Limit.places, isTime else { return nil }
        freshPlaces = 0
        guard let found = fit(\.fresh), found.reach == .spatial || old.reach == .planar,
            old.misfit(of: fresh.entries) > 3 * found.misfit(of: fresh.entries)
        else {
            freshPlaces = Limit.places - Limit.morePlaces
            return nil
        }
        swap(&kept, &fresh)
        fresh.removeAll()
        disturbance = nil
        newPlaces = 0
        calibration = found
        return found
    }

    /// A fit of samples that are not too old.
    ///
    /// Where all together give nothing, the newer half is tried alone: the older one may be of a board as it was before it
    /// was screwed to iron. It goes where the newer one gives something, and where the samples contradict each other.
    private mutating func fit(_ set: WritableKeyPath<BackgroundCalibration, SpreadSamples>) -> CompassCalibration? {
        self[keyPath: set].removeAll(before: latest.advanced(byNanoseconds: -Limit.age))
        lastFit = latest
        fitCount += 1
        do throws(CalibrationRefusal) {
            return try calibration(by: self[keyPath: set])
        } catch {
            var newer = self[keyPath: set]
            newer.removeOlderHalf()
            let found = try? calibration(by: newer)
            if found != nil || error.isContradiction || self[keyPath: set].entries.count >= Limit.manyPlaces {
                self[keyPath: set] = newer
            }
            return found
        }
    }

    private func calibration(by samples: SpreadSamples) throws(CalibrationRefusal) -> CompassCalibration {
        let setting = CalibrationFit.Setting(earth: earth, mounting: mounting)
        return try CalibrationFit(samples.entries.map(\.sample), setting).calibration
    }
}
