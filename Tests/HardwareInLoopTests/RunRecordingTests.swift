import SextantUnits
import Testing

@testable import HardwareInLoop

@Suite("RunRecording")
struct RunRecordingTests {
    private func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }

    @Test func `a time in which a line was not driven is reported with its beginning and end`() {
        var record = RunRecording(start: at(10))
        for (second, level, isDriven) in [
            (10, false, false), (12, false, true), (13, true, true), (15, true, false), (15.5, false, false),
            (17, false, true), (19, false, false),
        ] as [(Double, Bool, Bool)] {
            record.note("powerEnable", EmulatedBoard.LineState(level: level, isDriven: isDriven), at: at(second))
        }
        record.note("wake", EmulatedBoard.LineState(level: true, isDriven: false), at: at(20))
        let spans = record.undriven("powerEnable", until: at(21))
        #expect(spans.map(\.from) == [0, 5, 9] && spans.map(\.to) == [2, 7, 11])
        #expect(spans.map(\.wasOn) == [false, true, false])
    }

    @Test func `positions and headings are parsed from the output of clients`() {
        var record = RunRecording(start: at(0))
        record.program("watch", said: #"{"event":"epoch","fixType":"noFix"}"#, at: at(1))
        record.program("watch", said: #"{"event":"location","latitude":47.1,"longitude":8.1}"#, at: at(2))
        record.program("daemon", said: "sextantd: {not JSON}", at: at(3))
        #expect(record.fixes == [at(2)])
        #expect(record.location?.latitude == 47.1 && record.location?.longitude == 8.1)
        record.program("h", said: #"{"event":"heading","magneticHeading":12.5,"headingAccuracy":-1}"#, at: at(4))
        #expect(record.heading == nil)
        record.program("h", said: #"{"event":"heading","magneticHeading":12.5,"headingAccuracy":3}"#, at: at(5))
        #expect(record.heading?.degrees == 12.5)
    }

    @Test func `a program ends only once, and one ended by a reset counts as lost`() {
        var record = RunRecording(start: at(0))
        record.programStarted("daemon", at: at(1))
        record.program("daemon", endedAs: .lost, at: at(2))
        record.program("daemon", endedAs: .status(0), at: at(3))
        #expect(record.ended["daemon"] == .lost && record.running.isEmpty)
    }
}
