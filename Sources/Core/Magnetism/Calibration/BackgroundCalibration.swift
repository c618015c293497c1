internal import SextantUnits

/// Keeps a compass calibrated from the samples that the service takes in its normal operation.
///
/// It keeps a well-spread set of at most 120 samples, each at its own place: a point that the tip of the field's vector
/// has reached. It computes a new calibration only after the board was turned to enough new places. The new calibration
/// replaces the old one if the new one is clearly better. The new calibration also replaces the old one if the old one
/// was wrong for ten minutes and the new one explains the samples of that time, which means that iron has come and
/// stayed. A passing lorry changes nothing.
public struct BackgroundCalibration: Sendable {
    public private(set) var calibration: CompassCalibration?
    /// The world model's field where the board is; nil while the position is not known.
    public var earth: EarthField?
    /// How many fits have been attempted, including those that gave no calibration.
    public private(set) var fitCount = 0

    private let mounting: Mounting
    /// The samples that agree with the calibration; while there is none, or only a planar one, all samples.
    private var kept = SpreadSamples()
    /// All samples since the field began to disagree with the calibration.
    private var fresh = SpreadSamples()
    private var newPlaces = 0
    private var freshPlaces = 0
    private var lastFit: MonotonicInstant?
    private var disturbance: Disturbance?
    private var latest = MonotonicInstant.zero

    private struct Disturbance {
        /// The observed time of the disturbance in nanoseconds; time without samples does not count.
        var seen: Int64 = 0
        /// The number of consecutive places of the field vector's tip at which the field was again as expected.
        var calmPlaces = 0
        var calmField: SIMD3<Double>?
    }

    /// Thresholds that decide when to fit and which calibration to accept.
    enum Limit {
        /// The shortest time between two fits, in nanoseconds.
        static let interval: Int64 = 30_000_000_000
        /// The time, in nanoseconds, of wrong norms after which the field counts as permanently changed.
        static let change: Int64 = 600_000_000_000
        /// The longest gap between two samples that still counts as observed time, in nanoseconds.
        static let gap: Int64 = 1_000_000_000
        /// Nanoseconds after which a sample is too old for a fit: a week.
        static let age: Int64 = 604_800_000_000_000
        static let places = 24
        /// The number of new places of the field vector's tip needed for another fit after one that gave no
        /// calibration; a level turn can have as few as 24 places in all.
        static let morePlaces = 6
        static let calmPlaces = 12
        /// The number of samples from which a fit ought to succeed: a turn in the strongest field, 75 µT, holds 118
        /// samples that are 4 µT apart.
        static let manyPlaces = 100
        /// Degrees of level heading error below which no better calibration is sought.
        static let goodEnough = 0.5
        /// Degrees of level heading error up to which a calibration for every attitude replaces a planar one.
        static let spatialError = 2.0
        /// The largest ratio of a new calibration's heading errors to the old one's at which the new one replaces the
        /// old one.
        static let better = 0.7
    }

    public init(calibration: CompassCalibration?, mounting: Mounting = .aligned) {
        self.calibration = calibration
        self.mounting = mounting
    }

    /// Whether the field has differed from the calibration for long enough to count as changed.
    private var isChanged: Bool {
        guard let disturbance else { return false }
        return disturbance.seen >= Limit.change
    }

    /// Takes a sample, and returns the calibration to use from now on; nil where nothing changes.
    ///
    /// The sample's acceleration is in the magnetometer's frame.
    public mutating func sensed(_ sample: CompassSample) -> CompassCalibration? {
        guard !sample.isSaturated, sample.field.norm < 1e6 else { return nil }
        let gap = max(0, min(Limit.gap, sample.instant.nanoseconds(since: latest)))
        latest = sample.instant
        let taken = CalibrationSample(field: sample.field, acceleration: sample.acceleration)
        guard let calibration else {
            if kept.add(taken, at: latest) { newPlaces += 1 }
            return fitFirst()
        }
        sensed(taken, calibration, gap: gap)
        if isChanged { return fitChanged(calibration) }
        guard disturbance == nil || calibration.reach == .planar else { return nil }
        return fitBetter(calibration)
    }

    // MARK: What has been seen

    /// - Parameter gap: Nanoseconds of observed time since the last sample.
    private mutating func sensed(_ sample: CalibrationSample, _ calibration: CompassCalibration, gap: Int64) {
        disturbance?.seen += gap
        let isExpected = calibration.expects(sample.field)
        // A planar calibration cannot judge fields outside its plane, so all samples are kept.
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

    /// Ends the disturbance after the field's norm was as expected at enough places of the field vector's tip.
    ///
    /// If the board is at rest, a right norm at one place can be chance, so it does not end the disturbance.
    private mutating func calm(_ field: SIMD3<Double>) {
        guard var disturbance else { return }
        if let last = disturbance.calmField, (field - last).norm < SpreadSamples.minimumSpacing { return }
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
        let found: CompassCalibration?
        (found, kept) = fit(kept)
        guard let found else {
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
        let found: CompassCalibration?
        (found, kept) = fit(kept)
        guard let found, found.isClearlyBetter(than: old),
            found.misfit(of: kept.entries) <= 1.1 * old.misfit(of: kept.entries)
        else { return nil }
        calibration = found
        return found
    }

    private mutating func fitChanged(_ old: CompassCalibration) -> CompassCalibration? {
        guard freshPlaces >= Limit.places, isTime else { return nil }
        freshPlaces = 0
        let found: CompassCalibration?
        (found, fresh) = fit(fresh)
        guard let found, found.reach == .spatial || old.reach == .planar,
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

    /// A calibration from those samples of a set that are not too old.
    ///
    /// Where all samples together give no calibration, the newer half is tried alone: the older half may date from
    /// before the board was screwed to iron. The older half is dropped where the newer half gives a calibration, where
    /// the samples contradict each other, and where the set is large.
    ///
    /// - Returns: The calibration, and the samples to keep.
    private mutating func fit(_ samples: SpreadSamples) -> (CompassCalibration?, SpreadSamples) {
        var samples = samples
        samples.removeAll(before: latest.advanced(byNanoseconds: -Limit.age))
        lastFit = latest
        fitCount += 1
        do throws(CalibrationRefusal) {
            return (try calibration(by: samples), samples)
        } catch {
            var newer = samples
            newer.removeOlderHalf()
            let found = try? calibration(by: newer)
            let isOlderDropped =
                found != nil || error.isContradiction || samples.entries.count >= Limit.manyPlaces
            return (found, isOlderDropped ? newer : samples)
        }
    }

    private func calibration(by samples: SpreadSamples) throws(CalibrationRefusal) -> CompassCalibration {
        let setting = CalibrationFit.Setting(earth: earth, mounting: mounting)
        return try CalibrationFit(samples.entries.map { $0.sample }, setting).calibration
    }
}
