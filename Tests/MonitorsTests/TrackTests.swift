import GNSS
import Monitors
import SextantUnits
import Testing

@Suite("Track")
struct TrackTests {
    /// A fix on a way north at so many metres a second, a second after the other.
    private func way(_ second: Int, speed: Double, sidestep: Double = 0) -> Fix {
        var fix = fix(speed * Double(second), time: 1_795_176_000_000_000_000 + Int64(second) * 1_000_000_000)
        fix.longitude = 8 + sidestep / 76_000
        fix.speed = speed
        fix.courseOverGround = 0
        return fix
    }

    /// What is kept of fixes a second apart.
    private func kept(_ fixes: [Fix]) -> [TrackedPlace] {
        var keeper = TrackKeeper()
        for (second, fix) in fixes.enumerated() { keeper.found(fix, at: at(Double(second))) }
        return keeper.take()
    }

    @Test func `a straight road gives one point a minute, and a rest one per quarter of an hour`() {
        #expect(kept((0..<1800).map { way($0, speed: 25) }).count == 30)
        #expect(kept((0..<1800).map { way($0, speed: 0) }).count == 2)
    }

    @Test func `the first point after a sleep of the host is kept, and alone says so`() {
        var keeper = TrackKeeper()
        keeper.found(way(0, speed: 0), at: at(0))
        keeper.slept()
        for second in 30..<1000 { keeper.found(way(second, speed: 0), at: at(Double(second))) }
        #expect(keeper.take().map(\.isAfterSleep) == [false, true, false])
    }

    /// North for 100 s, then east.
    private var bend: [Fix] {
        (0..<200).map { second in
            var fix = way(min(second, 100), speed: 10, sidestep: Double(max(0, second - 100)) * 10)
            fix.time = UTCInstant(nanoseconds: 1_795_176_000_000_000_000 + Int64(second) * 1_000_000_000)
            fix.courseOverGround = second < 100 ? 0 : 90
            return fix
        }
    }

    @Test func `a bend is kept within twice the tolerance`() throws {
        let places = kept(bend)
        #expect(places.count <= 8)
        let end = try #require(places.last?.time)
        for fix in bend where fix.time.map({ $0 <= end }) ?? false {
            let (latitude, longitude) = (fix.latitude ?? 0, fix.longitude ?? 0)
            let distances = zip(places, places.dropFirst()).map { distance(latitude, longitude, from: $0, to: $1) }
            #expect(distances.min() ?? .infinity <= 2 * TrackKeeper.tolerance)
        }
    }

    /// Metres from a place to the line between two points.
    private func distance(
        _ latitude: Double, _ longitude: Double, from first: TrackedPlace, to second: TrackedPlace
    ) -> Double {
        let frame = LocalFrame(latitude: first.latitude, longitude: first.longitude)
        let (place, end) = (
            frame.point(latitude: latitude, longitude: longitude),
            frame.point(latitude: second.latitude, longitude: second.longitude)
        )
        let length = end.east * end.east + end.north * end.north
        let share = length == 0 ? 0 : min(1, max(0, (place.east * end.east + place.north * end.north) / length))
        return place.distance(to: LocalPoint(east: end.east * share, north: end.north * share))
    }

    @Test func `a fix without a validated date is not kept`() {
        var fix = way(0, speed: 0)
        fix.isTimeValidated = false
        #expect(kept([fix]).isEmpty)
    }

    @Test func `a clock that is set back starts a new track`() {
        #expect(kept([way(1000, speed: 0), way(0, speed: 0)]).count == 2)
    }

    @Test func `a point tells for how long the receiver's time kept pace with the board's clock`() {
        var keeper = TrackKeeper()
        let day: Int64 = 86_400_000_000_000
        // At rest for 20 minutes, then five fixes of other dates among those of a minute, then 20 minutes more.
        for second in 0..<2460 {
            var fix = way(second, speed: 0)
            if (1200..<1260).contains(second), second % 12 == 0 {
                fix.time = fix.time?.advanced(byNanoseconds: day * Int64(second % 5 * 30 + 30))
            }
            keeper.found(fix, at: at(Double(second)))
        }
        let places = keeper.take()
        let start = places.first?.time.nanoseconds ?? 0
        let (truths, others) = (
            places.filter { $0.time.nanoseconds < start + day }, places.filter { $0.time.nanoseconds > start + day }
        )
        #expect(others.count == 5)
        // The first true point after each other date carries no more than the time since the last one.
        let sum = truths.map(\.steady).reduce(0, +) + others.map(\.steady).reduce(0, +)
        #expect(sum <= 2460 * 1_000_000_000)
        #expect(others.dropFirst().allSatisfy { $0.steady <= 12_000_000_000 })
    }

    @Test func `collected points are due for storage when there are many or they are old`() {
        var keeper = TrackKeeper()
        #expect(!keeper.isDue(at: at(1e6)))
        keeper.found(way(0, speed: 0), at: at(0))
        #expect(!keeper.isDue(at: at(299.9)) && keeper.isDue(at: at(300)))
        _ = keeper.take()
        #expect(!keeper.isDue(at: at(1e6)))
        for second in 1...TrackKeeper.capacity {
            keeper.found(way(second * 100, speed: 0, sidestep: Double(second) * 100), at: at(300))
        }
        #expect(keeper.isDue(at: at(300)))
    }
}
