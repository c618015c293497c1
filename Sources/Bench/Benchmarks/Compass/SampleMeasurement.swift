internal import Access
internal import AllocationCounter
internal import ClientProtocol
internal import Engine
internal import Magnetism
internal import Parts
internal import SextantUnits

/// The CPU time and allocations of the daemon for one compass sample, from the sensor's answer to the heading event for
/// one client that watches every sample.
struct SampleMeasurement {
    /// Mean microseconds of CPU time for one sample, including the timer that requests the sample.
    var microseconds = 0.0
    var allocations = 0
    /// The number of heading events that the client received.
    var told = 0

    static let samples = 20_000
    /// The number of samples before measuring begins; meanwhile the first background calibrations are fitted and
    /// buffers grow.
    private static let warmUp = 5000

    init() {
        var configuration = EngineConfiguration(
            device: "/dev/serial0", fixedBaud: 9600, lastBaud: nil, now: UTCInstant(nanoseconds: 0))
        configuration.hasCompass = true
        let engine = Engine(configuration)
        var turn = Turn()
        var now = MonotonicInstant(nanoseconds: 1_000_000_000)
        let client = ClientID(rawValue: 1)
        let chips = CompassChips(magnetometer: "lis3mdl", accelerometer: "lis3dh", busAddress: "/dev/i2c-1")
        let calibration = CompassCalibration(
            reach: .spatial, offset: .zero, matrix: .identity, norm: 48, residual: 0.3, levelHeadingError: 0.5,
            tiltedHeadingError: 0.5)
        let kept = CalibrationRecord(
            calibration, chip: chips.magnetometer, board: configuration.board, date: configuration.now)
        for input: Input in [
            .started(configuration), .admission(.everyone),
            .storeFound(DurableRow(table: .settings, client: "", name: "compassCalibration", value: kept.encode())),
            .compassFound(chips), .clientConnected(client, .local, PeerIdentity(userID: 0)),
            .clientLine(client, .local, Array(#"{"request":"watchHeading","filter":0}"#.utf8)),
        ] { engine.handle(input, at: now, into: &turn) }

        var (allocated, begun) = (0, 0.0)
        for index in 0..<SampleMeasurement.warmUp + SampleMeasurement.samples {
            if index == SampleMeasurement.warmUp {
                (allocated, begun, told) = (Int(allocation_count()), ProcessorClock.seconds, 0)
            }
            while !turn.actions.contains(.sampleCompass) {
                now = turn.wake ?? now.advanced(byNanoseconds: 40_000_000)
                engine.handle(.timePassed, at: now, into: &turn)
            }
            engine.handle(.compassSampled(SampleMeasurement.sample(index, at: now)), at: now, into: &turn)
            for case .send in turn.actions { told += 1 }
        }
        allocations = Int(allocation_count()) - allocated
        microseconds = (ProcessorClock.seconds - begun) * 1e6 / Double(SampleMeasurement.samples)
    }

    /// The compass sample number `index` of a level board that turns by one degree from each sample to the next.
    private static func sample(_ index: Int, at instant: MonotonicInstant) -> CompassSample {
        let angle = Double(index % 360) / Trigonometry.degreesPerRadian
        let (sine, cosine) = Trigonometry.sineAndCosine(angle)
        return CompassSample(
            instant: instant, field: SIMD3(-21 * sine, 21 * cosine, -43.2), acceleration: SIMD3(0, 0, 9.81))
    }
}
