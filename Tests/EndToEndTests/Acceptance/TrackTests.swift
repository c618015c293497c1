import BenchControl
import Foundation
import Glibc
import Testing

/// The track that the daemon keeps for its operators.
@Suite("Track of the board")
struct AcceptanceBoardTrackTests {
    private typealias Bench = CoreLocationBench<SilentDevice>

    private func history(_ bench: Bench, _ members: String = "") async throws -> (points: [JSON], end: JSON) {
        let answer = try await bench.operator()
        let end = try await answer.ask("\"request\":\"history\"\(members)")
        return (try await answer.take().filter { $0.text("event") == "trackPoint" }, end)
    }

    /// A way north at 10 m/s, a fix a second, that somebody is told of.
    private func travel(_ bench: Bench, seconds: Range<Int>) async throws {
        for second in seconds {
            try await bench.fix(
                InjectedFix(north: Double(second) * 10).with { ($0.speed, $0.courseAccuracy) = (10, 1) })
        }
    }

    @Test func `the track of a running client is kept, thinned out, and survives the daemon`() async throws {
        let bench = try await Bench.start()
        try await travel(bench, seconds: 0..<10)
        #expect(try await history(bench).end.number("total") == 0)
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        try await travel(bench, seconds: 10..<200)
        let before = try await history(bench)
        #expect((3...6).contains(before.points.count))
        #expect(before.end.number("count") == Double(before.points.count) && before.end.bool("more") == nil)
        try await travel(bench, seconds: 200..<270)
        try await bench.restart(after: SIGTERM)
        let after = try await history(bench)
        #expect(after.points.count > before.points.count)
        let times = after.points.compactMap { $0.text("time") }
        #expect(times == times.sorted() && times.count == after.points.count)
    }

    @Test func `the track can be read a page at a time, and for a range of times`() async throws {
        let bench = try await Bench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        try await travel(bench, seconds: 0..<200)
        let all = try await history(bench).points
        let first = try await history(bench, ",\"limit\":1")
        #expect(first.points.map { $0.text("time") } == [all[0].text("time")])
        #expect(first.end.bool("more") == true && first.end.number("total") == Double(all.count))
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let second = try style.parse(try #require(all[1].text("time"))).timeIntervalSince1970
        let part = try await history(bench, ",\"from\":\(second)")
        #expect(part.points.count == all.count - 1)
        #expect(try await history(bench, ",\"to\":\(second - 0.001)").points.count == 1)
    }

    @Test func `an erased track stays erased, and no track is kept while location services are off`() async throws {
        let bench = try await Bench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        try await travel(bench, seconds: 0..<100)
        let board = try await bench.operator()
        let erased = try await board.ask("\"request\":\"eraseHistory\"")
        #expect(erased.text("event") == "erased" && erased.number("count") ?? 0 >= 2)
        try await board.setServices(false)
        try await travel(bench, seconds: 100..<200)
        #expect(try await history(bench).end.number("total") == 0)
    }
}
