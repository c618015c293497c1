internal import Emulation
internal import Magnetism
internal import SextantUnits
internal import Simulation

/// The CPU time that calibrating the compass takes.
struct FitMeasurement {
    /// Mean seconds of CPU time for one fit of a calibration to 120 samples with gravity, as many as the background
    /// calibration keeps.
    var fit = 0.0
    /// Mean seconds of CPU time that one sample costs the background calibration, fits included, in an hour at 10
    /// samples per second.
    var sample = 0.0
    /// The number of calibrations that the background calibration computed from one hour of samples, at 10 samples per
    /// second.
    var fitCount = 0

    private static let fits = 50
    private static let samples = 36_000

    init() {
        var random = SplitMix64(seed: 9)
        let board = CompassBoard(noise: 0.5, random: &random)
        let few = board.samples(120, .everyWay, hasGravity: true, random: &random)
        let start = ProcessorClock.seconds
        for _ in 0..<FitMeasurement.fits { _ = try? CalibrationFit(few) }
        fit = (ProcessorClock.seconds - start) / Double(FitMeasurement.fits)

        let many = board.samples(FitMeasurement.samples, .everyWay, hasGravity: true, random: &random)
        var background = BackgroundCalibration(calibration: nil)
        let begun = ProcessorClock.seconds
        for (index, one) in many.enumerated() {
            _ = background.sensed(
                CompassSample(
                    instant: MonotonicInstant(nanoseconds: Int64(index) * 100_000_000), field: one.field,
                    acceleration: one.acceleration))
        }
        sample = (ProcessorClock.seconds - begun) / Double(FitMeasurement.samples)
        fitCount = background.fitCount
    }
}
