import Access
import ClientProtocol
import Engine
import NMEA0183
import Parts
import PartsTestSupport
import Receivers
import SextantUnits
import Testing

/// A run whose inputs are recorded, and what its client was told.
private struct RecordedRun: ~Copyable {
    private let engine: Engine
    private var turn = Turn()
    private(set) var recording = FlightFormat.head
    private(set) var lines: [String] = []

    /// - Parameter watchesMotion: Whether the Engine has the accelerometer watch.
    init(watchesMotion: Bool) {
        let date = CivilDate(iso8601: "2026-11-20") ?? CivilDate(daysSince1970: 0)
        var configuration = EngineConfiguration(
            device: "/dev/gnss", fixedBaud: nil, lastBaud: nil, now: UTCInstant(date: date, timeOfDay: 0))
        configuration.watchesMotion = watchesMotion
        engine = Engine(configuration)
        give(.started(configuration), 0)
        give(.admission(.everyone), 0)
        give(.deviceOpened(.uart, time: nil), 0)
        give(.clientConnected(one, .local), 0)
    }

    mutating func give(_ input: Input, _ seconds: Double) {
        let instant = MonotonicInstant(nanoseconds: Int64(seconds * 1e9))
        engine.handle(input, at: instant, into: &turn)
        FlightFormat.append(input, at: instant, digest: OutputDigest(of: turn).value, to: &recording)
        lines += turn.lines(to: 1)
    }

    /// A fitness watch pauses after three minutes of rest, and goes on after 3 s of motion.
    ///
    /// - Parameter motion: What says of motion, each with its second.
    mutating func ride(_ motion: [(Double, Input)]) {
        let request = #"{"request":"watch","session":1,"accuracy":50,"activityType":"fitness"}"#
        var inputs = motion + [(3.1, .clientLine(one, .local, Array(request.utf8))), (184.1, .timePassed)]
        inputs += [0, 1, 2, 3, 4].map { (Double($0), .bytes(Harness.epoch($0))) } + [(203.3, .timePassed)]
        for (second, input) in inputs.sorted(by: { $0.0 < $1.0 }) { give(input, second) }
    }
}

@Suite("Recordings and motion")
struct MotionRecordingTests {
    /// What the client is told when a recording is replayed, and how many inputs had other outputs.
    private func replay(_ recording: [UInt8]) throws -> (lines: [String], differences: Int) {
        var replay = try Replay(recording)
        var lines: [String] = []
        while try replay.step({ lines += $1.lines(to: 1) }) {}
        return (lines, replay.differences)
    }

    @Test func `a run with a moving accelerometer replays to the same lines, and so does an older one`() throws {
        func looks(hasRisen: Bool) -> Input { .lineChanged(.shows(hasRisen: hasRisen, isActive: false)) }
        var run = RecordedRun(watchesMotion: true)
        run.ride(
            [(0, looks(hasRisen: false)), (0.1, .motionAnswered(problem: nil))]
                + [200.2, 201.2, 202.7].map { ($0, looks(hasRisen: true)) } + [(222.7, looks(hasRisen: false))])
        var older = RecordedRun(watchesMotion: false)
        older.ride([(0, .motion(true)), (0.1, .motion(false)), (200.2, .motion(true)), (222.7, .motion(false))])

        let (lines, olderLines) = (run.lines, older.lines)
        #expect(lines == olderLines)
        #expect(lines.contains { $0.contains("paused") } && lines.contains { $0.contains(#""reason":"motion""#) })
        for recording in [run.recording, older.recording] {
            let replayed = try replay(recording)
            #expect(replayed.lines == lines && replayed.differences == 0)
        }
    }
}
