import BenchControl
import Emulation
import Foundation
import Receivers
import SextantUnits
import Simulation
import Testing

/// A board that rests for hours and then leaves by car, with the daemon's own service and a real client.
@Suite("Departure in virtual time", .serialized)
struct VirtualDepartureTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private typealias Point = Emulation.TrajectoryPoint

    /// Metres that the client asks for.
    private static let accuracy = 50.0

    /// A truth: a rest, a drive through a town and over a motorway, and a rest.
    private struct Journey {
        let points: [Point]
        /// Seconds from the start to the drive's beginning and end.
        let begin: Int
        let end: Int

        /// Stretches of the drive: metres a second, seconds at that speed, seconds of standing behind it, and degrees.
        private static let stretches: [(top: Double, cruise: Int, stop: Int, course: Double)] = [
            (14, 60, 20, 90), (14, 90, 30, 0), (10, 40, 60, 90), (30, 300, 0, 45), (14, 120, 15, 90), (8, 60, 0, 0),
        ]
        /// Metres per second squared, both ways.
        private static let acceleration = 2.0

        init(rest: Int, restAfter: Int) {
            var way: [(speed: Double, course: Double)] = []
            for stretch in Self.stretches {
                let rise = (1...Int(stretch.top / Self.acceleration)).map { Double($0) * Self.acceleration }
                let speeds =
                    rise + Array(repeating: stretch.top, count: stretch.cruise) + rise.reversed()
                    + Array(repeating: 0, count: stretch.stop)
                way += speeds.map { ($0, stretch.course * .pi / 180) }
            }
            begin = rest
            end = rest + way.count
            let scale = 111_195.0
            var (latitude, longitude) = (47.3769, 8.5417)
            func point(at second: Int) -> Point {
                Point(
                    time: VirtualBench.startTime + Double(second), latitude: latitude, longitude: longitude,
                    altitude: 408)
            }
            var points = [point(at: 0), point(at: rest)]
            for (second, step) in way.enumerated() {
                latitude += step.speed * cos(step.course) / scale
                longitude += step.speed * sin(step.course) / (scale * cos(latitude * .pi / 180))
                points.append(point(at: rest + second + 1))
            }
            points.append(point(at: end + restAfter))
            self.points = points
        }
    }

    /// How far the location that the client holds is from the truth, at each second of it; infinite before the first.
    ///
    /// A location counts from one second after its own time on: by then the client has it.
    private func heldErrors(of watcher: Program, _ truth: TruthGrid) throws -> [Double] {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let told = try watcher.outputLines.compactMap(JSON.init(line:)).filter { $0.text("event") == "location" }.map {
            let time = try style.parse(try #require($0.text("time"))).timeIntervalSince1970
            let (latitude, longitude) = (try #require($0.number("latitude")), try #require($0.number("longitude")))
            return (from: time + 1 - truth.startTime, place: truth.plane(latitude: latitude, longitude: longitude))
        }
        var next = 0
        var held: (east: Double, north: Double)?
        return (0..<truth.count).map { second in
            while next < told.count, told[next].from <= Double(second) {
                held = told[next].place
                next += 1
            }
            return held.map { hypot($0.east - truth.east[second], $0.north - truth.north[second]) } ?? .infinity
        }
    }

    /// Lets the whole truth pass, with the edges of the accelerometer's interrupt.
    private func run(
        _ daemon: VirtualDaemon<Emulation.EmulatedReceiver>, _ truth: TruthGrid, _ sensor: EmulatedMotionSensor?
    ) throws {
        let end = VirtualBench.start.advanced(byNanoseconds: Int64((truth.endTime - truth.startTime) * 1e9))
        while let sensor, let edge = sensor.nextChange(after: daemon.harness.now), edge < end {
            try daemon.harness.run(until: edge)
            try daemon.harness.setInput(.motionInterrupt, sensor.level(at: edge))
        }
        try daemon.harness.run(until: end)
    }

    private func longestRun(of errors: ArraySlice<Double>) -> Int {
        var (run, longest) = (0, 0)
        for error in errors {
            run = error > Self.accuracy ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }

    /// A receiver, and the seconds that it is granted: until the location is within 50 m again, and at a stretch later.
    struct Bounds: Sendable {
        var model: ReceiverModel
        var regained = 20
        var stretch = 5
    }

    /// Searches of an L76K take longer than 20 s after every sleep of hours, and some after stops of a minute.
    private static let bounds = [
        Bounds(model: .neoM8N), Bounds(model: .maxM10S), Bounds(model: .l76K, regained: 30, stretch: 35),
    ]

    /// A client that is paused meanwhile needs no fix until it moves; one that is not is kept right all the time.
    @Test(arguments: bounds, [[], ["--no-pause"]])
    func `a drive after three hours at rest is located within 50 m in 20 s, and stays so to its end`(
        bounds: Bounds, options words: [String]
    ) async throws {
        let model = bounds.model
        let journey = Journey(rest: 3 * 3600, restAfter: 1800)
        let truth = try TruthGrid(
            times: journey.points.map(\.time), latitudes: journey.points.map(\.latitude),
            longitudes: journey.points.map(\.longitude))
        var options = EmulatedMotionSensor.Options()
        options.start = VirtualBench.start
        // One departure in twenty is felt late; this is one of the others.
        options.missProbability = 0
        let sensor = EmulatedMotionSensor(trajectory: Trajectory(points: journey.points), seed: 1, options: options)
        let daemon = try await VirtualDaemon.start(
            in: scratch, VirtualBench.receiver(model, points: journey.points),
            board: try BoardText(model: model.rawValue, sensesMotion: true).write(in: scratch))
        let watcher = try daemon.sextant(["watch", "--json", "--accuracy", "50"] + words)
        try run(daemon, truth, sensor)
        try await watcher.caughtUp()

        let errors = try heldErrors(of: watcher, truth)
        let departure = try #require(
            (journey.begin..<journey.end).first {
                hypot(
                    truth.east[$0] - truth.east[journey.begin], truth.north[$0] - truth.north[journey.begin])
                    > Self.accuracy
            })
        #expect(longestRun(of: errors[600..<journey.begin]) == 0, "the place of rest is held")
        let regained = try #require((departure..<journey.end).first { errors[$0] <= Self.accuracy })
        #expect(regained - departure <= bounds.regained, "\(regained - departure) s")
        let drive = errors[regained..<journey.end]
        let share = Double(drive.count { $0 <= Self.accuracy }) / Double(drive.count)
        #expect(share >= 0.95, "\(share)")
        #expect(longestRun(of: drive) <= bounds.stretch, "\(longestRun(of: drive)) s")
        #expect(try #require(errors.last) < 15, "the place of the new rest is right")
        #expect(longestRun(of: errors[(journey.end + 60)...]) == 0, "and stays so")
    }

    @Test func `without a motion sensor the configured longest time off bounds the delay of a departure`()
        async throws
    {
        let journey = Journey(rest: 3600, restAfter: 600)
        let truth = try TruthGrid(
            times: journey.points.map(\.time), latitudes: journey.points.map(\.latitude),
            longitudes: journey.points.map(\.longitude))
        let daemon = try await VirtualDaemon.start(
            in: scratch, VirtualBench.receiver(.neoM8N, points: journey.points),
            board: try BoardText().write(in: scratch), "power: { probe: 60 },")
        let watcher = try daemon.sextant(["watch", "--json", "--accuracy", "50", "--no-pause"])
        try run(daemon, truth, nil)
        try await watcher.caughtUp()
        let rises = daemon.levels(of: .powerEnable).filter { $0.level && $0.seconds < Double(journey.begin) }
        let falls = daemon.levels(of: .powerEnable).filter { !$0.level && $0.seconds > 60 }
        let gaps = falls.compactMap { fall in
            rises.first { $0.seconds > fall.seconds }.map { $0.seconds - fall.seconds }
        }
        #expect(gaps.count > 20 && gaps.allSatisfy { $0 < 60.1 }, "\(gaps)")
        let errors = try heldErrors(of: watcher, truth)
        let late = longestRun(of: errors[journey.begin..<journey.end])
        #expect(late <= 90, "\(late) s")
        #expect(try #require(errors.last) < 15)
    }
}
