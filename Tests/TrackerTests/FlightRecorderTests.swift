import Access
import ClientProtocol
import Configuration
import Engine
import Foundation
import Parts
import SextantReactor
import SextantUnits
import Testing

@testable import Tracker

@Suite("Flight recorder")
struct FlightRecorderTests {
    private let folder: Folder
    private var path: String { "\(folder.path)/flight" }

    init() throws { folder = try Folder() }

    private func bytes(_ number: Int) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: number == 1 ? path : "\(path).\(number)")))
    }

    /// The numbers of the recordings, in order.
    private var numbers: [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.compactMap { $0 == "flight" ? 1 : Int($0.dropFirst("flight.".count)) }.sorted()
    }

    /// Records a run in which a client asks for the status so many times.
    private func record(_ count: Int, segment: Int) throws {
        let recorder = try FlightRecorder(path: path, segment: segment)
        let configuration = EngineConfiguration(
            device: "/dev/gnss", fixedBaud: nil, lastBaud: nil, now: UTCInstant(nanoseconds: 1_795_000_000_000_000_000))
        let engine = Engine(configuration)
        var outputs = Turn()
        var inputs: [Input] = [
            .started(configuration), .admission(.everyone), .clientConnected(ClientID(rawValue: 1), .local),
        ]
        inputs += (0..<count).map {
            .clientLine(ClientID(rawValue: 1), .local, Array("{\"request\":\"status\",\"id\":\"\($0)\"}".utf8))
        }
        for (second, input) in inputs.enumerated() {
            let instant = MonotonicInstant(nanoseconds: Int64(second) * 1_000_000_000)
            engine.handle(input, at: instant, into: &outputs)
            try recorder.record(input, in: outputs)
        }
    }

    @Test func `the hundredth start is recorded as the first was`() throws {
        for _ in 1...100 { try record(1, segment: 1 << 20) }
        #expect(numbers == Array(2...100))
        try record(1, segment: 1 << 20)
        #expect(numbers == Array(3...101))
    }

    @Test func `a long run keeps its newest files within the bound, and each begins with the configuration`() throws {
        try Data("a diary".utf8).write(to: URL(fileURLWithPath: "\(path).3"))
        try record(2000, segment: 4096)
        #expect(numbers.first == 3 && numbers.count <= 9)
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(path).3")) == Data("a diary".utf8))
        var total = 0
        for number in numbers.dropFirst() {
            let bytes = try bytes(number)
            total += bytes.count
            #expect(bytes.count <= 4096)
            var reader = try FlightReader(bytes)
            guard case .started? = try reader.next()?.input else {
                Issue.record("file \(number) does not begin with the configuration")
                continue
            }
        }
        #expect(total <= 8 * 4096 && total > 5 * 4096)
    }

    @Test func `the files of a run are replayed together as one recording`() throws {
        try record(40, segment: 1024)
        let files = numbers
        #expect(files.count > 2)
        var replay = try Replay(try files.flatMap { try bytes($0) })
        while try replay.step({ _, _ in }) {}
        #expect(replay.inputs == 43 && replay.differences == 0)
    }

    @Test func `a recording that the configuration asks for does not keep the daemon from starting`() throws {
        let clock = DrivenClock(
            now: MonotonicInstant(nanoseconds: 0), utc: UTCInstant(nanoseconds: 1_795_000_000_000_000_000),
            isSynchronized: false)
        let log = LogBook()
        var settings = TrackerSettings(device: "/dev/gnss", baud: 9600)
        settings.recording = "\(folder.path)/none/flight"
        settings.socket = "\(folder.path)/socket"
        settings.gpsdPort = nil
        let reactor = try Reactor(time: .driven(clock))
        let tracker = try Tracker(
            settings, hardware: FakeHardware(clock: clock), reactor: reactor, logger: log.logger)
        try tracker.start()
        #expect(log.lines.contains { $0.hasPrefix("error:") && $0.contains("nothing is recorded") })
        tracker.stop()
        settings.requiresRecording = true
        #expect(throws: TrackerError.self) {
            _ = try Tracker(settings, hardware: FakeHardware(clock: clock), reactor: reactor, logger: log.logger)
        }
    }
}
