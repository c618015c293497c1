internal import Magnetism
internal import SextantUnits

/// The occasions on which the user is asked to turn the device about, to calibrate the compass.
///
/// An uncalibrated compass is an occasion at once. A disturbed magnetic field, or a tilt that the calibration does not
/// cover, is an occasion only after 10 s of such headings, so that the user is not asked because of a passing car. Each
/// occasion ends after 2 s of headings without any problem. A pause between two headings, in which the compass slept,
/// counts as 1 s at most.
struct CalibrationOccasions: Sendable, Equatable {
    /// The number of the present occasion to ask for a calibration, different for each; nil where none is wanted.
    private(set) var current: Int?
    private var count = 0
    private var isUncalibrated = false
    /// The nanoseconds of disturbed headings (`disturbed`), and of the headings without any problem that followed them
    /// (`calm`); nil where there are no such headings.
    private var disturbed: Int64?
    private var calm: Int64?
    private var latest: MonotonicInstant?

    /// Nanoseconds of disturbed headings after which an occasion begins.
    private static let disturbanceNanoseconds: Int64 = 10_000_000_000
    /// Nanoseconds of headings without any problem after which an occasion ends.
    private static let relief: Int64 = 2_000_000_000
    /// Of the time between two headings, at most this many nanoseconds count as disturbed or undisturbed.
    private static let longestGap: Int64 = 1_000_000_000

    /// Takes a heading's problem; nil for a heading without one.
    mutating func heard(_ problem: HeadingProblem?, at instant: MonotonicInstant) {
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
            if current == nil, seen >= CalibrationOccasions.disturbanceNanoseconds { begin() }
        case nil, .saturated, .blackout, .accelerating, .tiltUnknown, .axisIsVertical, .inaccurate:
            rest(problem, gap: gap)
        }
    }

    /// Notes that a calibration was set (true) or removed; a new calibration ends the occasion.
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

    /// Counts the time of headings without any problem, 2 s of which end an occasion; a heading with a problem restarts
    /// the count.
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
