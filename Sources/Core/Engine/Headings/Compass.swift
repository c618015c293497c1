internal import ClientProtocol
internal import Magnetism
internal import Units

/// The compass as the Engine knows it: its chips, its calibration, and what it last measured.
///
/// A class, though nobody but its one Engine holds it: the compiler checks an Engine's ownership by every field within
/// its fields, for every place that it is used in, and those of a compass are a hundred more.
final class Compass {
    /// The board's name, as calibrations carry it.
    let board: String
    var state = CompassStatus.State.searching
    private(set) var chips: CompassChips?
    var schedule = CompassSchedule()
    /// The Earth's field about here.
    var worldFields = WorldFields()
    /// The calibration that was set, found or kept; it need not be of these chips, nor of this board.
    private(set) var record: CalibrationRecord?
    /// What the background found better, until it is taken.
    private var better: CompassCalibration?
    private var estimator = HeadingEstimator()
    private var background: BackgroundCalibration?
    private var last: CompassHeading?
    private var occasions = CalibrationOccasions()
    private var detail: String?
    private var toldRefusal: CalibrationRecordError?
    private var samples: UInt64 = 0
    private var failures: UInt64 = 0

    init(board: String) { self.board = board }

    /// The calibration that is used; nil while there is none of this board's chips.
    var calibration: CompassCalibration? {
        guard let record, chips != nil, refusal == nil else { return nil }
        return record.calibration
    }

    /// Why the calibration that is there is not used; nil where it is, or no chip is known yet that it could be of.
    private var refusal: CalibrationRecordError? {
        guard let record else { return nil }
        guard record.board == board else { return .otherBoard(found: record.board, expected: board) }
        guard let chips, record.chip != chips.magnetometer else { return nil }
        return .otherChip(found: record.chip, expected: chips.magnetometer)
    }

    /// Why a calibration is wanted, by a number that is another for every occasion; nil where none is.
    var calibrationOccasion: Int? { occasions.current }

    /// - Returns: Whether the calibration, set before its chip was known, is now known to be of this one.
    func found(_ chips: CompassChips, at instant: MonotonicInstant) -> Bool {
        detail = nil
        var isNews = false
        if chips != self.chips {
            self.chips = chips
            // A calibration that was set before its chip was known is that of the chip that is there.
            isNews = record?.chip.isEmpty == true && record?.board == board
            if isNews { record?.chip = chips.magnetometer }
            estimator = HeadingEstimator(
                magnetometer: chips.magnetometerMounting, accelerometer: chips.accelerometerMounting)
            background = BackgroundCalibration(calibration: calibration, mounting: chips.magnetometerMounting)
        }
        state = .ready
        schedule.found(at: instant)
        return isNews
    }

    /// - Parameter detail: What is wrong, in a sentence.
    /// - Returns: Whether it is a trouble: the first failure after a sample is none.
    func failed(_ detail: String, at instant: MonotonicInstant) -> Bool {
        failures += 1
        self.detail = detail
        return schedule.failed(at: instant)
    }

    /// Takes a calibration that was set or kept, or none.
    func calibrate(_ record: CalibrationRecord?) {
        self.record = record
        last = nil
        occasions.calibrated(calibration != nil)
        guard let chips else { return }
        background = BackgroundCalibration(calibration: calibration, mounting: chips.magnetometerMounting)
    }

    /// What the background found better than before, once.
    func takeBetter() -> CompassCalibration? {
        defer { better = nil }
        return better
    }

    /// Takes a calibration that the background found.
    func adopt(_ record: CalibrationRecord) {
        self.record = record
        last = nil
        occasions.calibrated(true)
    }

    /// Takes a sample.
    ///
    /// - Parameter field: The Earth's where the board is; nil where that is not known.
    func take(
        _ sample: CompassSample, expecting field: GeomagneticField?, at instant: MonotonicInstant
    ) -> CompassReading {
        schedule.sampled(at: instant)
        samples += 1
        detail = nil
        let chips = chips
        background?.earth = field.flatMap { EarthField($0) }
        if let found = background?.take(chips?.inMagnetometerFrame(sample) ?? sample) { better = found }
        let heading = estimator.update(sample, calibration: calibration, model: field)
        occasions.follow(heading.problem, at: sample.instant)
        last = heading
        return CompassReading(
            heading: heading, field: chips?.magnetometerMounting.deviceFrame(sample.field) ?? sample.field)
    }

    // MARK: What people are told

    func status(at instant: MonotonicInstant) -> CompassStatus {
        var status = CompassStatus(state: state)
        status.magnetometer = chips?.magnetometer
        status.accelerometer = chips?.accelerometer
        status.place = chips?.place
        status.detail = detail ?? last?.problem?.description ?? worldFields.problem
        status.samples = samples
        status.failures = failures
        status.secondsSinceSample = last.map { Double(instant.nanoseconds(since: $0.instant)) * 1e-9 }
        status.rate = schedule.period.map { 1e9 / Double($0) }
        status.calibration = calibration
        status.calibrationProblem = calibrationProblem
        status.headingAccuracy = last.flatMap { $0.problem == nil ? $0.headingAccuracy : nil }
        return status
    }

    private var calibrationProblem: String? { refusal.map { "\($0)" } }

    /// Why the calibration that is there is not used, once for each reason.
    func takeRefusal() -> String? {
        defer { toldRefusal = refusal }
        return refusal == toldRefusal ? nil : calibrationProblem
    }

    /// What was found, in a sentence.
    var description: String {
        guard let chips else { return "no compass" }
        let tilt = chips.accelerometer.map { "with the \($0) for its tilt" } ?? "taken to lie level"
        let calibration =
            switch calibration?.reach {
            case .spatial: "calibrated"
            case .planar: "calibrated for its own attitude"
            case nil: "not calibrated"
            }
        return "a \(chips.magnetometer) at \(chips.place), \(tilt), \(calibration)"
    }
}

/// One sample's heading, for all who want it.
struct CompassReading: Sendable {
    let heading: CompassHeading
    /// As the chip measured it, along the device's axes.
    ///
    /// Unit: microtesla.
    let field: SIMD3<Double>

    /// Unit: degrees, 68 %; nil where the heading is invalid.
    func accuracy(_ orientation: HeadingOrientation) -> Double? {
        let turned = heading.turned(to: orientation)
        return turned.problem == nil ? turned.headingAccuracy : nil
    }

    /// From magnetic north; nil where there is none at all.
    ///
    /// Unit: degrees, 0 to below 360.
    func magneticHeading(_ orientation: HeadingOrientation) -> Double? {
        let turned = heading.turned(to: orientation)
        return turned.hasDirection ? turned.magneticHeading : nil
    }
}

extension CompassChips {
    /// The sample with its force turned into the magnetometer's frame.
    func inMagnetometerFrame(_ sample: CompassSample) -> CompassSample {
        var turned = sample
        turned.acceleration = sample.acceleration.map {
            magnetometerMounting.chipFrame(accelerometerMounting.deviceFrame($0))
        }
        return turned
    }
}

extension CompassHeading {
    /// Whether its direction means something, if it is not sure.
    fileprivate var hasDirection: Bool {
        switch problem {
        case nil, .disturbed, .inaccurate, .notCalibratedForThisTilt: true
        case .saturated, .uncalibrated, .blackout, .accelerating, .tiltUnknown, .axisIsVertical: false
        }
    }
}
