internal import Magnetism
internal import Units

/// For which occasions users are asked to turn the device about: that it was never calibrated, and that the field has
/// changed for good.
///
/// A car that passes is no occasion: a disturbance is one when headings were disturbed for 10 s, and is over when 2 s
/// were without.
struct CalibrationOccasions: Sendable, Equatable {
    /// A number that no other occasion has; nil where no calibration is wanted.
    private(set) var current: Int?
    private var count = 0
    private var isUncalibrated = false
    private var disturbedSince: MonotonicInstant?
    private var calmSince: MonotonicInstant?

    /// Nanoseconds.
    private static let patience: Int64 = 10_000_000_000
    /// Nanoseconds.
    private static let relief: Int64 = 2_000_000_000

    /// Takes what was wrong with a heading.
    mutating func follow(_ problem: HeadingProblem?, at instant: MonotonicInstant) {
        switch problem {
        case .uncalibrated:
            if !isUncalibrated || current == nil { begin() }
            isUncalibrated = true
        case .disturbed, .notCalibratedForThisTilt:
            calmSince = nil
            let since = disturbedSince ?? instant
            disturbedSince = since
            if current == nil, instant.nanoseconds(since: since) >= CalibrationOccasions.patience { begin() }
        case nil, .saturated, .blackout, .accelerating, .tiltUnknown, .axisIsVertical, .inaccurate:
            rest(problem, at: instant)
        }
    }

    /// A calibration was set, or taken away.
    mutating func calibrated(_ isCalibrated: Bool) {
        guard isCalibrated else { return }
        self = CalibrationOccasions(count: count)
    }

    init() {}

    private init(count: Int) { self.count = count }

    private mutating func begin() {
        count += 1
        current = count
    }

    /// Only a heading that is right ends an occasion.
    private mutating func rest(_ problem: HeadingProblem?, at instant: MonotonicInstant) {
        guard problem == nil else {
            calmSince = nil
            return
        }
        let since = calmSince ?? instant
        calmSince = since
        guard instant.nanoseconds(since: since) >= CalibrationOccasions.relief else { return }
        disturbedSince = nil
        isUncalibrated = false
        current = nil
    }
}
