import BenchControl
import Emulation
import Foundation
import Glibc
import SextantUnits
import Testing

/// A week of driving between home and work, while the daemon and its clients are killed again and again.
///
/// `SEXTANT_KILLS=500` makes it that many drives with a kill in each, and prints what was counted.
@Suite("Acceptance: sudden ends")
struct AcceptanceSuddenEndTests {
    private static let kills = ProcessInfo.processInfo.environment["SEXTANT_KILLS"].flatMap { Int($0) }

    @Test func `killing the daemon or clients at any time loses no event, repeats none and keeps all registrations`()
        async throws
    {
        let week = try await KilledWeek(kills: Self.kills ?? 24, seed: 7)
        try await week.live()
        #expect(week.witness.problems == [])
        #expect(week.differences == [])
        let user = try await week.bench.operator()
        for (name, extra) in [("tracker", 1), (NumberedWitness.name, 2)] {
            let client = try #require(try await user.client(name))
            #expect(client.number("registrations") == Double(2 + extra), "\(name)")
            #expect(client.number("pendingEvents") ?? 0 == 0, "\(name)")
        }
        if Self.kills != nil { print(week.summary) }
    }

    @Test func `all changes made by one arrival are stored together or not at all`() async throws {
        let bench = try await CoreLocationBench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 visits start")
        try await bench.tell(tracker, "manager 1 region start home 47.3769 8.5417 200")
        try await bench.beAway()
        // It acknowledges nothing: every transaction is a fix's.
        tracker.suspend()
        var written: [Int] = []
        for fix in Way.fixes(from: bench.ground, to: Ground(), speed: 15)
            + Array(repeating: InjectedFix(), count: 400)
        {
            let before = try commits(bench)
            try bench.send(fix)
            try bench.harness.run(seconds: 1)
            let count = try commits(bench) - before
            if count > 0 { written.append(count) }
        }
        #expect(written.last == 1, "the arrival is the last of the events")
        tracker.resume()
        try await bench.settle()
        #expect(Set(tracker.takeNames()).isSuperset(of: ["didEnterRegion", "didVisit"]))
    }

    /// How many transactions the store's write-ahead log holds: frames that say how large the database is after them.
    ///
    /// The log's header has 32 bytes and a frame's 24, after which a page follows (SQLite's file format, section 4.1). A
    /// transaction's last frame is written again until a sector is full.
    private func commits(_ bench: CoreLocationBench<SilentDevice>) throws -> Int {
        let log = [UInt8](try Data(contentsOf: URL(filePath: bench.scratch.path("state/state.sqlite-wal"))))
        guard log.count > 32 else { return 0 }
        let size = 24 + log[8..<12].reduce(0) { $0 << 8 | Int($1) }
        let frames = stride(from: 32, through: log.count - size, by: size)
        return frames.count { frame in
            let isCommit = log[frame + 4..<frame + 8].contains { $0 != 0 }
            let isAgain =
                frame > 32 && log[frame - size..<frame - size + 8] == log[frame..<frame + 8]
                && log[frame - size + 24..<frame] == log[frame + 24..<frame + size]
            return isCommit && !isAgain
        }
    }
}

/// The script: every step is a drive and a stay, and a kill at some instant of it.
private final class KilledWeek {
    let bench: CoreLocationBench<SilentDevice>
    let witness = NumberedWitness()
    private let kills: Int
    private var random: SplitMix64
    private var tracker: Client
    /// How often each event happened, and how often the tracker's processes were told of it.
    private var happened: [String: Int] = [:]
    private var told: [String: Int] = [:]
    private var (daemonKills, clientKills, cutOff) = (0, 0, 0)

    init(kills: Int, seed: UInt64) async throws {
        (self.kills, random) = (kills, SplitMix64(seed: seed))
        bench = try await CoreLocationBench.start(clients: [BenchClient(), NumberedWitness.client])
        tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 visits start")
        for place in NumberedWitness.places {
            let circle = "\(place.latitude) \(InjectedFix().longitude) 200"
            try await bench.tell(tracker, "manager 1 region start \(place.name) \(circle)")
        }
        try await witness.connect(to: bench)
        try await bench.stay(seconds: 400, every: 10)
        try await witness.take(acknowledges: true)
    }

    func live() async throws {
        for drive in 0..<kills {
            let (start, end) = (NumberedWitness.places[drive % 2], NumberedWitness.places[(drive + 1) % 2])
            for event in ["exit \(start.name)", "enter \(end.name)", "left \(start.name)", "at \(end.name)"] {
                happened[event, default: 0] += 1
            }
            let way = Way.fixes(from: bench.ground, to: Ground(north: end.north), speed: 25).map { ($0, 1.0) }
            let stay = Array(repeating: (InjectedFix(north: end.north), 10.0), count: 45)
            try await live((way + stay)[...])
            if random.next() % 4 == 0 { try await witness.connect(to: bench) }
            try await witness.take(acknowledges: true)
            try await bench.settle()
            note()
        }
    }

    private func live(_ fixes: ArraySlice<(InjectedFix, Double)>) async throws {
        let isDaemon = random.next() % 2 == 0
        // From some fix on there is a kill, which comes amid what the daemon does about that fix or one of the next.
        let first = fixes.startIndex + Int(random.nextUnit() * Double(fixes.count))
        var rest = send(fixes[..<first]) + fixes[first...]
        let killer = Killer(
            isDaemon ? bench.program.identifier : tracker.identifier, after: UInt32(random.nextUnit() * 2000))
        rest = send(rest)
        // Who is killed in the midst of it ends this early.
        try? await witness.take(acknowledges: random.next() % 3 > 0)
        killer.join()
        if isDaemon { try await restartDaemon() } else { try await restartTracker() }
        _ = send(rest)
    }

    /// - Returns: What the daemon did not answer for.
    private func send(_ fixes: ArraySlice<(InjectedFix, Double)>) -> ArraySlice<(InjectedFix, Double)> {
        for (index, (fix, seconds)) in zip(fixes.indices, fixes) {
            do {
                try bench.send(fix)
                try bench.harness.run(seconds: seconds)
            } catch {
                cutOff += 1
                return fixes[index...]
            }
        }
        return []
    }

    private func restartDaemon() async throws {
        daemonKills += 1
        try await bench.restart(after: SIGKILL)
        try await witness.connect(to: bench)
    }

    private func restartTracker() async throws {
        clientKills += 1
        try await tracker.kill()
        note()
        tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 visits start")
    }

    private func note() {
        tracker.readRest()
        for event in tracker.take() {
            let region = event.object("region")?.text("identifier") ?? ""
            let key: String? =
                switch event.text("callback") {
                case "didEnterRegion": "enter \(region)"
                case "didExitRegion": "exit \(region)"
                case "didVisit":
                    (event.text("departureDate") == "distantFuture" ? "at " : "left ")
                        + NumberedWitness.place(of: event)
                default: nil
                }
            if let key { told[key, default: 0] += 1 }
        }
    }

    // MARK: What came of it

    /// Events that somebody was not told of as often as they happened.
    ///
    /// The tracker may be told again where a process of its was killed before it could acknowledge.
    var differences: [String] {
        let witnessed = Dictionary(grouping: witness.told.values) { $0 }.mapValues(\.count)
        let names = Set(happened.keys).union(told.keys).union(witnessed.keys.filter { !$0.hasPrefix("location") })
        return names.sorted().flatMap { name in
            let (times, own, other) = (happened[name] ?? 0, told[name] ?? 0, witnessed[name] ?? 0)
            var lines: [String] = []
            if other != times { lines.append("\(name): \(times) times, the witness was told \(other)") }
            if own < times || own > times + clientKills { lines.append("\(name): \(times), the tracker \(own)") }
            return lines
        }
    }

    var summary: String {
        let (events, repeats) = (happened.values.reduce(0, +), told.values.reduce(0, +))
        return """
            \(daemonKills) daemons and \(clientKills) clients killed; \(cutOff) fixes cut off; \(events) crossings and \
            ends of visits; \(witness.told.count) numbers; \(repeats - events) told again to the process after one that \
            was killed before it could acknowledge
            """
    }
}

/// Kills a process some microseconds from now.
private final class Killer: Sendable {
    private let isOver = DispatchSemaphore(value: 0)

    init(_ process: Int32, after microseconds: UInt32) {
        let isOver = isOver
        Thread.detachNewThread {
            usleep(microseconds)
            kill(process, SIGKILL)
            isOver.signal()
        }
    }

    func join() { isOver.wait() }
}
