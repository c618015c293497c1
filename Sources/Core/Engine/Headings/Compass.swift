internal import ClientProtocol
internal import Magnetism
internal import SextantUnits

/// The compass as the Engine knows it: its chips, its calibration, and its last heading.
///
/// It is a class only to save compile time; nothing but `Headings` holds it. Wherever a noncopyable struct is used, the
/// compiler checks all its fields, with the fields nested in them. A compass has a hundred of those, and checking them
/// took most of the module's compile time.
final class Compass {
    var state = CompassStatus.State.searching
    private(set) var chips: CompassChips?
    var schedule = CompassSchedule()
    /// The World Magnetic Model's field at the board's position.
    var worldFields = WorldFields()
    private var kept: KeptCalibration
    /// The calibration, better than the present one, that the background calibration found and `takeBetter` will
    /// return.
    private var better: CompassCalibration?
    private var estimator = HeadingEstimator()
    private var background: BackgroundCalibration?
    private var last: CompassHeading?
    private var occasions = CalibrationOccasions()
    private var detail: String?
    private var samples: UInt64 = 0
    private var failures: UInt64 = 0

    init(board: String) { kept = KeptCalibration(board: board) }

    var record: CalibrationRecord? { kept.record }

    /// The calibration in use; nil where none was made for this board and its chips.
    var calibration: CompassCalibration? { kept.calibration(for: chips) }

    /// The number of the present occasion for a calibration, different for each occasion; nil where none is wanted.
    var calibrationOccasion: Int? { occasions.current }

    /// Takes the chips that were found.
    ///
    /// - Returns: Whether a calibration that was set before any chips were known has been assigned to these chips, and
    ///   must be stored again.
    func found(_ chips: CompassChips, at instant: MonotonicInstant) -> Bool {
        detail = nil
        var isNews = false
        if chips != self.chips {
            self.chips = chips
            isNews = kept.found(chips)
            estimator = HeadingEstimator(
                magnetometer: chips.magnetometerMounting, accelerometer: chips.accelerometerMounting)
            background = BackgroundCalibration(calibration: calibration, mounting: chips.magnetometerMounting)
        }
        state = .ready
        schedule.found(at: instant)
        return isNews
    }

    /// Notes that the compass was not found or did not measure.
    ///
    /// - Parameter detail: A sentence for people that says what is wrong.
    /// - Returns: Whether the failure must be reported; the first failure after a good sample need not be.
    func failed(_ detail: String, at instant: MonotonicInstant) -> Bool {
        failures += 1
        self.detail = detail
        return schedule.failed(at: instant)
    }

    /// Takes a calibration that was set or restored; nil removes the present one.
    func calibrate(_ record: CalibrationRecord?) {
        kept.record = record
        last = nil
        occasions.calibrated(calibration != nil)
        guard let chips else { return }
        background = BackgroundCalibration(calibration: calibration, mounting: chips.magnetometerMounting)
    }

    /// Returns the better calibration that the background calibration found, and forgets it; nil where there is none.
    func takeBetter() -> CompassCalibration? {
        defer { better = nil }
        return better
    }

    /// Uses a calibration that the background calibration found.
    func adopt(_ record: CalibrationRecord) {
        kept.record = record
        last = nil
        occasions.calibrated(true)
    }

    /// Computes the heading of a sample, and passes the sample to the background calibration.
    ///
    /// - Parameter field: The World Magnetic Model's field at the board's position; nil where it is not known.
    func sampled(
        _ sample: CompassSample, expecting field: GeomagneticField?, at instant: MonotonicInstant
    ) -> CompassReading {
        schedule.sampled(at: instant)
        samples += 1
        detail = nil
        let chips = chips
        background?.earth = field.flatMap { EarthField($0) }
        if let found = background?.sensed(chips?.inMagnetometerFrame(sample) ?? sample) { better = found }
        let heading = estimator.update(sample, calibration: calibration, model: field)
        occasions.heard(heading.problem, at: sample.instant)
        last = heading
        return CompassReading(
            heading: heading, field: chips?.magnetometerMounting.deviceFrame(sample.field) ?? sample.field)
    }

    // MARK: Status and messages

    func status(at instant: MonotonicInstant) -> CompassStatus {
        var status = CompassStatus(state: state)
        status.magnetometer = chips?.magnetometer
        status.accelerometer = chips?.accelerometer
        status.place = chips?.busAddress
        status.detail = detail ?? last?.problem?.description ?? worldFields.problem
        status.samples = samples
        status.failures = failures
        status.secondsSinceSample = last.map { instant.seconds(since: $0.instant) }
        status.rate = schedule.period.map { 1e9 / Double($0) }
        status.calibration = calibration
        status.calibrationProblem = kept.refusal(for: chips).map { "\($0)" }
        status.headingAccuracy = last.flatMap { $0.problem == nil ? $0.headingAccuracy : nil }
        return status
    }

    /// Returns why the present calibration is not used; nil where it is used, and where the same reason was returned
    /// last time.
    func takeRefusal() -> String? { kept.takeRefusal(for: chips).map { "\($0)" } }

    /// A sentence for people about the chips, their bus address and their calibration.
    var description: String {
        guard let chips else { return "no compass" }
        let tilt = chips.accelerometer.map { "with the \($0) for its tilt" } ?? "taken to lie level"
        let calibration =
            switch calibration?.reach {
            case .spatial: "calibrated"
            case .planar: "calibrated for its own attitude"
            case nil: "not calibrated"
            }
        return "a \(chips.magnetometer) at \(chips.busAddress), \(tilt), \(calibration)"
    }
}

/// The heading and the magnetic field of one compass sample, from which each session's heading is computed.
struct CompassReading: Sendable {
    let heading: CompassHeading
    /// The magnetic field as the chip measured it, along the device's axes, without calibration.
    ///
    /// Unit: microtesla.
    let field: SIMD3<Double>

    /// The heading's accuracy in degrees: 68 % of the errors are smaller; nil where the heading is invalid.
    func accuracy(_ orientation: HeadingOrientation) -> Double? {
        let turned = heading.turned(to: orientation)
        return turned.problem == nil ? turned.headingAccuracy : nil
    }

    /// The heading from magnetic north; nil where the sample gives no direction at all.
    ///
    /// Unit: degrees, 0 to below 360.
    func magneticHeading(_ orientation: HeadingOrientation) -> Double? {
        let turned = heading.turned(to: orientation)
        return turned.hasDirection ? turned.magneticHeading : nil
    }
}

extension CompassChips {
    /// The sample with its acceleration turned into the magnetometer's frame.
    func inMagnetometerFrame(_ sample: CompassSample) -> CompassSample {
        var turned = sample
        turned.acceleration = sample.acceleration.map {
            magnetometerMounting.chipFrame(accelerometerMounting.deviceFrame($0))
        }
        return turned
    }
}

extension CompassHeading {
    /// Whether the direction is meaningful, even if inaccurate.
    fileprivate var hasDirection: Bool {
        switch problem {
        case nil, .disturbed, .inaccurate, .notCalibratedForThisTilt: true
        case .saturated, .uncalibrated, .blackout, .accelerating, .tiltUnknown, .axisIsVertical: false
        }
    }
}
