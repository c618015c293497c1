import BenchControl
import Emulation
import Foundation
import Receivers
import SextantUnits
import Testing

/// A receiver that sleeps most of the day tells of the same places as one that never does.
@Suite("Regions and visits of a duty-cycled day", .serialized)
struct VirtualDutyCycleTests {
    private typealias Point = Emulation.TrajectoryPoint

    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Metres east of home, and the radius of the region there.
    private static let places: [(name: String, east: Double, radius: Double)] = [
        ("home", 0, 120), ("work", 8000, 150), ("shop", 8600, 100),
    ]
    private static let home = (latitude: 47.0, longitude: 8.0)
    private static let metresPerDegree = 76_057.0

    /// Where the board is: rests in minutes and ways in metres a second, one after the other.
    private static let day: [Point] = {
        let plan: [(to: String, speed: Double, stay: Double)] = [
            ("home", 1, 120), ("work", 14, 180), ("shop", 1.4, 20), ("work", 1.4, 120), ("home", 14, 180),
        ]
        var points: [Point] = []
        var (time, east) = (VirtualBench.startTime, 0.0)
        func add() {
            points.append(
                Point(time: time, latitude: home.latitude, longitude: home.longitude + east / metresPerDegree))
        }
        add()
        for leg in plan {
            guard let place = places.first(where: { $0.name == leg.to }) else { continue }
            time += abs(place.east - east) / leg.speed
            east = place.east
            if time > points[points.count - 1].time { add() }
            time += leg.stay * 60
            add()
        }
        return points
    }()

    private struct Happening {
        var words: String
        var time: Double
    }

    /// What a client that monitors the places and visits is told, and the receiver's energy in joules.
    private func events(keepingOn: Bool) async throws -> (events: [Happening], joules: Double) {
        var options = EmulatedMotionSensor.Options()
        options.start = VirtualBench.start
        let sensor = EmulatedMotionSensor(trajectory: Trajectory(points: Self.day), seed: 1, options: options)
        let daemon = try await VirtualDaemon.start(
            in: scratch, VirtualBench.receiver(.neoM8N, points: Self.day),
            board: try BoardText(sensesMotion: true).write(in: scratch))
        let before = daemon.harness.idle
        let client = try Wire(socket: daemon.socket)
        var requests = Self.places.map { place in
            let longitude = Self.home.longitude + place.east / Self.metresPerDegree
            return #"{"request":"monitorRegion","identifier":"\#(place.name)","latitude":\#(Self.home.latitude),"#
                + #""longitude":\#(longitude),"radius":\#(place.radius)}"#
        }
        requests.append(#"{"request":"monitorVisits","enabled":true}"#)
        try client.send(requests.joined(separator: "\n") + "\n")
        try daemon.harness.serve(wakeUps: 2, since: before)
        let watcher = keepingOn ? try daemon.sextant(["watch", "--json"]) : nil
        let end = try #require(Self.day.last).time - VirtualBench.startTime
        let last = VirtualBench.start.advanced(byNanoseconds: Int64(end * 1e9))
        while let edge = sensor.nextChange(after: daemon.harness.now), edge < last {
            try daemon.harness.run(until: edge)
            try daemon.harness.setInput(.motionInterrupt, sensor.level(at: edge))
        }
        try daemon.harness.run(until: last)
        let asked = daemon.harness.idle
        try client.send("{\"request\":\"ping\"}\n")
        try daemon.harness.serve(wakeUps: 1, since: asked)
        var happenings: [Happening] = []
        while true {
            let line = try await client.object()
            if line.text("event") == "pong" { break }
            if let happening = try happening(line) { happenings.append(happening) }
        }
        #expect(watcher?.isRunning ?? true)
        return (happenings, daemon.harness.device.energy / 1000)
    }

    private func happening(_ line: JSON) throws -> Happening? {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        func seconds(_ key: String) throws -> Double? {
            try line.text(key).map { try style.parse($0).timeIntervalSince1970 - VirtualBench.startTime }
        }
        switch line.text("event") {
        case "regionEvent":
            let words = "\(line.text("transition") ?? "") \(line.text("identifier") ?? "")"
            return Happening(words: words, time: try #require(try seconds("time")))
        case "visit":
            let longitude = try #require(line.number("longitude"))
            let east = (longitude - Self.home.longitude) * Self.metresPerDegree
            let place = Self.places.first { abs($0.east - east) < 150 }?.name ?? "\(east) m east"
            guard let departure = try seconds("departure") else {
                return Happening(words: "arrival at \(place)", time: try #require(try seconds("arrival")))
            }
            return Happening(words: "departure from \(place)", time: departure)
        default: return nil
        }
    }

    @Test func `a duty-cycled day gives the same events as one with the receiver always on`() async throws {
        let (all, alwaysOn) = try await events(keepingOn: true)
        let (some, cycled) = try await events(keepingOn: false)
        let expected = [
            "exit home", "departure from home", "enter work", "arrival at work", "exit work", "departure from work",
            "enter shop", "arrival at shop", "exit shop", "departure from shop", "enter work", "arrival at work",
            "exit work", "departure from work", "enter home", "arrival at home",
        ]
        #expect(all.map(\.words).sorted() == expected.sorted(), "\(all)")
        #expect(some.map(\.words).sorted() == expected.sorted(), "\(some)")
        for kind in Set(expected) {
            let times = zip(all.filter { $0.words == kind }.map(\.time), some.filter { $0.words == kind }.map(\.time))
            for (exact, seen) in times { #expect(abs(exact - seen) <= 600, "\(kind): \(exact) s and \(seen) s") }
        }
        #expect(cycled < alwaysOn / 5, "\(cycled) J of \(alwaysOn) J")
        print("a day of regions and visits: \(cycled) J of \(alwaysOn) J")
    }
}
