import BenchControl
import Emulation
import Foundation
import Glibc
import Testing

/// A day of crossings, visits and significant changes, while the daemon and its clients are killed again and again.
///
/// `SEXTANT_KILLS=200` makes it that many kills, and prints what was counted.
@Suite("Acceptance: sudden ends")
struct SuddenEndTests {
    private static let kills = ProcessInfo.processInfo.environment["SEXTANT_KILLS"].flatMap { Int($0) }

    @Test func `whoever is killed when, no event is lost, none is told twice, and registrations stand`() async throws {
        let day = try await KilledDay(kills: Self.kills ?? 24, seed: 7)
        try await day.live()
        #expect(day.witness.problems == [])
        #expect(day.lost == [])
        #expect(day.toldTwice == [])
        let user = try await day.bench.operator()
        for (name, extra) in [("tracker", 1), (NumberedWitness.name, 2)] {
            let client = try #require(try await user.client(name))
            #expect(client.number("registrations") == Double(day.regions + extra), "\(name)")
            #expect(client.number("pendingEvents") ?? 0 == 0, "\(name)")
        }
        if Self.kills != nil { print(day.summary) }
    }
}

/// The script: every step is an event, and a kill at some instant while it is told.
private final class KilledDay {
    let bench: CoreLocationBench<SilentDevice>
    let witness = NumberedWitness()
    let regions: Int
    private let kills: Int
    private var random: SplitMix64
    private var tracker: Client
    /// Events that were in the daemon's hands, or may have been.
    private var certain: Set<String> = []
    private var significantChanges = 0
    /// What the tracker's processes were told: by which of them, and in which step.
    private var told: [String: [(process: Int, step: Int)]] = [:]
    private var process = 0
    private var (daemonKills, clientKills, unanswered) = (0, 0, 0)

    init(kills: Int, seed: UInt64) async throws {
        (self.kills, regions, random) = (kills, (kills + 3) / 4, SplitMix64(seed: seed))
        bench = try await CoreLocationBench.start(clients: [BenchClient(), NumberedWitness.client])
        tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 visits start")
        for index in 0..<regions { try await bench.tell(tracker, "manager 1 region start r\(index) 10 10 99") }
        try await witness.connect(to: bench, regions: regions)
        try await bench.fix()
        try await witness.take(acknowledges: true)
    }

    func live() async throws {
        for step in 0..<kills {
            try? await bench.run(seconds: 600)
            let isDaemon = random.next() % 2 == 0
            let killer = Killer(
                isDaemon ? bench.program.identifier : tracker.identifier,
                after: UInt32(random.next() % (isDaemon ? 12_000 : 6000)))
            let isDone = inject(step)
            // Who is killed in the midst of it ends this early.
            try? await witness.take(acknowledges: random.next() % 3 > 0)
            if isDaemon { try? await bench.settle() }
            killer.join()
            if isDaemon { try await restartDaemon(step, isDone) } else { try await restartTracker(step) }
            if random.next() % 4 == 0 { try await witness.connect(to: bench, regions: 1) }
            try await bench.settle()
            note(step)
        }
        try await witness.take(acknowledges: true)
    }

    /// Whether the daemon said that it was done with it.
    private func inject(_ step: Int) -> Bool {
        do {
            switch step % 4 {
            case 0, 1: try cross(step)
            case 2:
                let time = Int64(bench.time) * 1_000_000_000
                try bench.harness.visit(
                    BenchVisit(arrival: time, departure: nil, latitude: Double(step) / 100, longitude: 8, accuracy: 20))
                certain.insert("visit \(step)")
            default:
                let fix = InjectedFix(north: 2000 * Double(step))
                try bench.harness.send(fix.frames(at: bench.time))
                significantChanges += 1
            }
            return true
        } catch {
            unanswered += 1
            return false
        }
    }

    private func cross(_ step: Int) throws {
        let (name, isInside) = ("r\(step / 4)", step % 4 == 0)
        for client in ["tracker", NumberedWitness.name] {
            try bench.harness.cross(BenchCrossing(client: client, region: name, isInside: isInside))
        }
        certain.insert("\(isInside ? "enter" : "exit") \(name)")
    }

    private func restartDaemon(_ step: Int, _ isDone: Bool) async throws {
        daemonKills += 1
        try await bench.restart(after: SIGKILL)
        try await witness.connect(to: bench, regions: 1)
        // A monitor that starts anew finds again what the daemon had not kept.
        if !isDone, step % 4 < 2 { try cross(step) }
    }

    private func restartTracker(_ step: Int) async throws {
        clientKills += 1
        try await tracker.kill()
        note(step)
        process += 1
        tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 visits start")
    }

    private func note(_ step: Int) {
        tracker.readRest()
        for event in tracker.take() {
            let region = event.object("region")?.text("identifier") ?? ""
            let key: String? =
                switch event.text("callback") {
                case "didEnterRegion": "enter \(region)"
                case "didExitRegion": "exit \(region)"
                case "didVisit": "visit \(Int(((event.number("latitude") ?? 0) * 100).rounded()))"
                default: nil
                }
            if let key { told[key, default: []].append((process, step)) }
        }
    }

    // MARK: What came of it

    /// Events that the daemon had and somebody was not told.
    var lost: [String] {
        let witnessed = Set(witness.told.values)
        let changes = witnessed.count { $0.hasPrefix("location") }
        let missing = certain.filter { told[$0] == nil || !witnessed.contains($0) }.sorted()
        // The first is what was known when it asked.
        return missing + (changes < significantChanges ? ["\(significantChanges - changes) significant changes"] : [])
    }

    /// Events that have two numbers, or came to the tracker again although nobody was killed while it was told.
    var toldTwice: [String] {
        let numbered = Dictionary(grouping: witness.told.keys) { witness.told[$0] ?? "" }.filter { $1.count > 1 }.keys
        let again = told.filter { _, times in
            Set(times.map(\.process)).count < times.count
                || zip(times, times.dropFirst()).contains { $0.step != $1.step }
        }
        return numbered.sorted() + again.keys.sorted()
    }

    var summary: String {
        let repeats = told.values.reduce(0) { $0 + $1.count - 1 }
        return """
            \(daemonKills) daemons and \(clientKills) clients killed; \(unanswered) events cut off; \
            \(certain.count) crossings and visits, \(significantChanges) significant changes; \(witness.told.count) \
            numbers; \(repeats) told again to the process after one that was killed before it could acknowledge
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
