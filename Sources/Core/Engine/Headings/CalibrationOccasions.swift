internal import Magnetism
internal import Units

/// For which occasions users are asked to turn the device about: that it was never calibrated, and that the field has
/// changed for good.
///
/// A car that passes is no occasion: a disturbance is one when headings were seen disturbed for 10 s, and is over when 2 s
/// were seen without. What the compass slept through was not seen.
struct CalibrationOccasions: Sendable, Equatable {
    /// A number that no other occasion has; nil where no calibration is wanted.
    private(set) var current: Int?
    private var count = 0
    private var isUncalibrated = false
    /// Nanoseconds in which headings were seen disturbed, and since then without; nil before the first of them.
    private var disturbed: Int64?
    private var calm: Int64?
    private var latest: MonotonicInstant?

    /// Nanoseconds.
    private static let patience: Int64 = 10_000_000_000
    /// Nanoseconds.
    private static let relief: Int64 = 2_000_000_000
    /// Nanoseconds from one heading to the next that count as seen, at most.
    private static let longestGap: Int64 = 1_000_000_000

    /// Takes what was wrong with a heading.
    mutating func follow(_ problem: HeadingProblem?, at instant: MonotonicInstant) {
        let gap = latest.map { max(0, min(CalibrationOccasions.longestGap, instant.nanoseconds(since: $0))) } ?? 0
        latest = instant
        switch problem {
        case .uncalibrated:
            if !isUncalibrated || current == nil { begin() }
            isUncalibrated = true
        case .disturbed, .notCalibratedForThisTilt:
            calm = nil
            let seen = disturbed.map { $0 + gap } ?? 0
            disturbed = seen
            if current == nil, seen >= CalibrationOccasions.patience { begin() }
        case nil, .saturated, .blackout, .accelerating, .tiltUnknown, .axisIsVertical, .inaccurate:
            rest(problem, gap: gap)
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
    private mutating func rest(_ problem: HeadingProblem?, gap: Int64) {
        guard problem == nil else {
            calm = nil
            return
        }
        let seen = calm.map { $0 + gap } ?? 0
        calm = seen
        guard seen >= CalibrationOccasions.relief else { return }
        disturbed = nil
        isUncalibrated = false
        current = nil
    }
}
