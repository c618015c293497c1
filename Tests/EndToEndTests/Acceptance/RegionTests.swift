import BenchControl
import Emulation
import SextantUnits
import Testing

/// Spec 4, REG: circular regions.
@Suite("Acceptance: regions")
struct AcceptanceRegionTests {
    private typealias Bench = CoreLocationBench<SilentDevice>
    private static let home = "manager 1 region start home 47.3769 8.5417 200"

    /// A client that monitors home, and was called back for that alone.
    private func monitoring(_ command: String = home) async throws -> (Bench, Client) {
        let bench = try await Bench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", command)
        #expect(tracker.takeNames() == ["didChangeAuthorization", "didStartMonitoring"])
        return (bench, tracker)
    }

    /// Fixes at a place, a second apart, with an error that wanders: 68 % within so many metres, forgotten in 2 minutes.
    private func stayInNoise(_ bench: Bench, at place: Ground, accuracy: Double, seconds: Int) async throws {
        var random = SplitMix64(seed: 11)
        var error = Ground()
        let deviation = accuracy / 1.51
        let (kept, fresh) = (0.9917, 0.1288 * deviation)
        for _ in 0..<seconds {
            error.north = kept * error.north + fresh * random.nextGaussian()
            error.east = kept * error.east + fresh * random.nextGaussian()
            try bench.send(
                InjectedFix(north: place.north + error.north, east: place.east + error.east, accuracy: accuracy))
            // A client that only monitors is told nothing of these.
            try bench.harness.run(seconds: 1)
        }
        try await bench.settle()
    }

    @Test func `REG-05, REG-06: registering inside causes no entry, and leaving for good causes one exit`() async throws
    {
        let (bench, tracker) = try await monitoring()
        try await bench.tell(tracker, "manager 2 new")
        _ = tracker.take()
        try await bench.stay(seconds: 3600, every: 10)
        #expect(tracker.take().isEmpty)
        try await bench.leaveHome()
        try await bench.stay(seconds: 3600, every: 10)
        let exits = tracker.take().filter { $0.text("callback") == "didExitRegion" }
        #expect(exits.compactMap { $0.number("manager") }.sorted() == [1, 2])
    }

    @Test(arguments: [10.0, 25])
    func `REG-07: no crossing is reported while the border is within the fix's accuracy`(inside: Double) async throws {
        let (bench, tracker) = try await monitoring()
        try await stayInNoise(bench, at: Ground(north: 200 - inside), accuracy: 15, seconds: 4 * 3600)
        #expect(tracker.take().isEmpty)
    }

    private static let jumps = [
        Ground(north: 100, east: 400), Ground(north: 100, east: -400), Ground(north: 500), Ground(north: -400),
    ]

    @Test(arguments: jumps)
    func `REG-08, REG-10: a jump across the border and back is not an event, even with a stated accuracy of 2 m`(
        jump: Ground
    ) async throws {
        let (bench, tracker) = try await monitoring()
        try await bench.fix(InjectedFix(north: 100))
        try await bench.stay(seconds: 60)
        for _ in 0..<10 {
            let place = bench.ground
            try await bench.fix(InjectedFix(north: jump.north, east: jump.east, accuracy: 2))
            try await bench.fix(InjectedFix(north: place.north, east: place.east))
            try await bench.stay(seconds: 30)
        }
        #expect(tracker.take().isEmpty)
    }

    @Test func `REG-09: two hours 30 m inside with 20 m of noise cause no event`() async throws {
        let (bench, tracker) = try await monitoring("manager 1 region start home 47.3769 8.5417 100")
        try await stayInNoise(bench, at: Ground(north: 70), accuracy: 20, seconds: 2 * 3600)
        #expect(tracker.take().isEmpty)
    }

    @Test func `REG-11: a requested state is reported once, and is unknown before the first fix`() async throws {
        let (bench, tracker) = try await monitoring()
        func state() async throws -> [Double?] {
            try await bench.tell(tracker, "manager 1 region state home")
            return tracker.take().map { $0.text("callback") == "didDetermineState" ? $0.number("state") : nil }
        }
        #expect(try await state() == [0])
        try await bench.beAway()
        // CLRegionState: unknown 0, inside 1, outside 2.
        #expect(try await state() == [2])
        try await bench.comeHome()
        _ = tracker.take()
        #expect(try await state() == [1])
    }

    @Test func `REG-12: a crossing is reported as one state and one entry or exit`() async throws {
        let (bench, tracker) = try await monitoring()
        try await bench.beAway()
        for _ in 0..<3 {
            try await bench.comeHome()
            #expect(tracker.takeNames().sorted() == ["didDetermineState", "didEnterRegion"])
            try await bench.leaveHome()
            #expect(tracker.takeNames().sorted() == ["didDetermineState", "didExitRegion"])
        }
    }

    @Test(arguments: ["entry", "exit"])
    func `REG-13: a client that wants only one kind of crossing gets only that kind`(side: String) async throws {
        let (bench, tracker) = try await monitoring(Self.home + " \(side)")
        try await bench.beAway()
        try await bench.comeHome()
        try await bench.leaveHome()
        let names = tracker.takeNames().filter { $0 != "didDetermineState" }
        #expect(names == [side == "entry" ? "didEnterRegion" : "didExitRegion"])
    }

    @Test(arguments: [false, true])
    func `REG-17, REG-18: a restart inside causes no entry, and leaving during it causes one exit`(
        leaves: Bool
    ) async throws {
        let (bench, tracker) = try await monitoring()
        try await bench.beAway()
        try await bench.comeHome()
        _ = tracker.take()
        try await bench.restart(after: 9)
        if leaves { try await bench.beAway(seconds: 60) } else { try await bench.stay(seconds: 600) }
        let names = tracker.takeNames().filter { $0 != "didDetermineState" }
        #expect(names == (leaves ? ["didExitRegion"] : []))
        try await bench.tell(tracker, "manager 1 show")
        #expect(tracker.take().last?.objects("monitoredRegions")?.count == 1)
    }

    @Test func `REG-24: a region of 20 m is entered and left`() async throws {
        let (bench, tracker) = try await monitoring("manager 1 region start home 47.3769 8.5417 20")
        try await bench.fix(InjectedFix(north: -300))
        try await bench.stay(seconds: 30)
        try await bench.travel(north: 0, speed: 1.4)
        try await bench.stay(seconds: 60)
        #expect(tracker.takeNames().contains("didEnterRegion"))
        try await bench.travel(north: -300, speed: 1.4)
        #expect(tracker.takeNames().contains("didExitRegion"))
    }

    @Test(arguments: [(1.4, 15.0), (12, 5)])
    func `REG-26: a crossing is reported soon after it happens`(speed: Double, bound: Double) async throws {
        let (bench, tracker) = try await monitoring()
        try await bench.fix(InjectedFix(north: -500))
        try await bench.stay(seconds: 60)
        var delays: [Double] = []
        for target in [500.0, -500, 500, -500] {
            var (crossed, told): (Double?, Double?)
            for fix in Way.fixes(from: bench.ground, to: Ground(north: target), speed: speed) {
                let isInside = abs(bench.ground.north) < 200
                try await bench.fix(fix)
                if isInside != (abs(fix.ground.north) < 200) { (crossed, told) = (bench.seconds - 1, nil) }
                if crossed != nil, told == nil, !tracker.take().isEmpty {
                    told = bench.seconds - 1
                    delays.append(bench.seconds - 1 - (crossed ?? 0))
                }
            }
        }
        #expect(delays.count == 8)
        #expect(delays.sorted()[delays.count / 2] <= bound, "\(delays)")
    }
}
