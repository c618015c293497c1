internal import SextantUnits

/// Keeps a compass calibrated from the samples that the service takes in its normal operation.
///
/// It keeps at most 120 samples, spread over the fields that were measured in the various attitudes of the board. It
/// computes a new calibration only after the board was turned so that enough new fields were measured. The new
/// calibration replaces the old one if its heading errors are clearly smaller. It also replaces the old one if the
/// measured field contradicted the old one for ten minutes and the new one explains the samples of that time: then iron
/// has come near the chip and stayed. Iron that only passes, such as a lorry, changes nothing.
public struct BackgroundCalibration: Sendable {
    public private(set) var calibration: CompassCalibration?
    /// The world model's field where the board is; nil while the position is not known.
    public var earth: EarthField?
    /// How many fits have been attempted, including those that gave no calibration.
    public private(set) var fitCount = 0

    private let mounting: Mounting
    /// The samples that agree with the calibration; all samples if there is no calibration or only a planar one.
    private var kept = SpreadSamples()
    /// All samples since the beginning of the disturbance, in which the field disagrees with the calibration.
    private var fresh = SpreadSamples()
    private var newPlaces = 0
    private var freshPlaces = 0
    private var lastFit: MonotonicInstant?
    private var disturbance: Disturbance?
    private var latest = MonotonicInstant.zero

    private struct Disturbance {
        /// The duration of the disturbance in nanoseconds; gaps between samples count at most 1 s each.
        var seen: Int64 = 0
        /// The number of samples, since the norm last differed from the expected one, whose field is at least 4 µT away
        /// from that of the sample counted before.
        var calmPlaces = 0
        var calmField: SIMD3<Double>?
    }

    /// Thresholds that decide when to fit and which calibration to accept.
    enum Limit {
        /// The shortest time from one fit to the next, in nanoseconds.
        static let interval: Int64 = 30_000_000_000
        /// The duration of a disturbance, in nanoseconds, after which the field counts as permanently changed.
        static let change: Int64 = 600_000_000_000
        /// The largest part of the time between two samples that counts towards the duration of a disturbance;
        /// nanoseconds.
        static let gap: Int64 = 1_000_000_000
        /// The age in nanoseconds from which a sample is too old for a fit: a week.
        static let age: Int64 = 604_800_000_000_000
        static let places = 24
        /// The number of samples with a new field that are needed for another fit after a fit that gave no calibration.
        ///
        /// It is small, because a level turn can give as few as 24 different fields in all.
        static let morePlaces = 6
        static let calmPlaces = 12
        /// If a fit fails with at least this many samples, their older half is dropped, because a fit ought to succeed:
        /// one full turn in the strongest horizontal field, 75 µT, gives 118 samples whose fields are 4 µT apart.
        static let manyPlaces = 100
        /// The root mean square heading error of a level board, in degrees, up to which no better calibration is
        /// sought.
        static let goodEnough = 0.5
        /// The largest root mean square heading error of a level board, in degrees, at which a calibration for every
        /// attitude replaces a planar one.
        static let spatialError = 2.0
        /// The new calibration's heading errors as a share of the old one's: if both the level and the tilted error are
        /// at most this share, the new calibration replaces the old one.
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

    /// Takes a sample, and returns the new calibration; nil if the calibration stays as it was.
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

    /// - Parameter gap: The nanoseconds since the previous sample, limited to 1 s.
    private mutating func sensed(_ sample: CalibrationSample, _ calibration: CompassCalibration, gap: Int64) {
        disturbance?.seen += gap
        let isExpected = calibration.expects(sample.field)
        // A planar calibration cannot judge fields outside its plane, so with it all samples are kept.
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

    /// Ends the disturbance after the field's norm was as expected in twelve samples in a row whose fields differ.
    ///
    /// While the board is at rest, the norm can be right by chance, so samples with about the same field count once.
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

    /// A calibration from those samples of a set that are at most a week old.
    ///
    /// If all these samples together give no calibration, the newer half is tried alone: the older half may date from
    /// before the board was screwed to iron. The older half is then dropped from the set if the newer half gives a
    /// calibration, if the samples contradict each other, or if the set is large.
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
