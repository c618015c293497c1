import Parts
import PartsTestSupport
import SextantUnits
import Testing

@testable import Engine
@testable import Power

/// The part alone, and what came of the last thing that it was told.
private struct MotionBench: ~Copyable {
    var motion: Motion
    var turn = Turn()
    /// Each change of whether the board moves, in order.
    var changes: [Bool] = []

    /// - Parameter isNeeded: Whether Sextant has the accelerometer watch.
    init(isNeeded: Bool = true) {
        var configuration = EngineConfiguration(
            device: "/dev/gnss", fixedBaud: nil, lastBaud: nil, now: UTCInstant(nanoseconds: 0))
        configuration.watchesMotion = isNeeded
        motion = Motion(configuration)
        motion.begin(&turn)
    }

    mutating func look(_ seconds: Double, hasRisen: Bool = false, isActive: Bool = false) {
        line(.shows(hasRisen: hasRisen, isActive: isActive), seconds)
    }

    mutating func line(_ line: MotionLine, _ seconds: Double) {
        turn.begin(at: at(seconds))
        if let moves = motion.sensed(line, &turn) { changes.append(moves) }
        motion.settle(&turn)
    }

    mutating func answer(_ problem: String?, _ seconds: Double) {
        turn.begin(at: at(seconds))
        if let moves = motion.heard(problem: problem, at: turn.instant) { changes.append(moves) }
        motion.settle(&turn)
    }

    mutating func pass(to seconds: Double) {
        turn.begin(at: at(seconds))
        motion.settle(&turn)
    }
}

@Suite("Motion by the sensor's interrupt line")
struct MotionLineTests {
    /// A board whose accelerometer watches, at rest.
    private func watching() -> MotionBench {
        var bench = MotionBench()
        bench.answer(nil, 0)
        bench.look(0)
        bench.changes = []
        return bench
    }

    @Test func `pulses count as motion until 20 s pass without another`() {
        var bench = watching()
        bench.look(5, hasRisen: true)
        var actions = bench.turn.actions
        #expect(actions == [.lookAtLine(at: at(6))])
        for (look, next) in [(6, 7.5), (7.5, 27.5), (27.5, 47.5)] {
            bench.look(look, hasRisen: true)
            actions = bench.turn.actions
            #expect(actions == [.lookAtLine(at: at(next)), .watchMotion])
            bench.answer(nil, look)
        }
        var changes = bench.changes
        #expect(changes == [true])
        bench.look(47.5)
        (actions, changes) = (bench.turn.actions, bench.changes)
        #expect(actions == [.lookAtLine(at: nil)] && changes == [true, false])
    }

    @Test func `a steady level counts as motion as long as it lasts`() {
        var bench = watching()
        bench.look(0, hasRisen: true, isActive: true)
        for look in [1, 2.5] { bench.look(look, isActive: true) }
        let next = bench.turn.actions
        #expect(next == [.lookAtLine(at: at(22.5)), .watchMotion])
        bench.look(22.5)
        let changes = bench.changes
        #expect(changes == [true, false])
    }

    @Test func `a knock ends before the limit after which a search goes on`() {
        var bench = watching()
        for start in [10.0, 15] {
            bench.look(start, hasRisen: true, isActive: true)
            // Its echo, and a line that is held.
            bench.look(start + 1, hasRisen: true, isActive: true)
            bench.look(start + 2.5)
        }
        let changes = bench.changes
        #expect(changes == [true, false, true, false])
        #expect(Double(MotionHold.knock + MotionHold.proof) < ReceiverPowerPolicy.knock * 1e9)
    }

    @Test func `an accelerometer of another program is not ordered about, and its quiet line is no motion`() {
        var bench = MotionBench(isNeeded: false)
        bench.look(3)
        for look in [4, 5, 6.5] { bench.look(look, hasRisen: true) }
        let (actions, changes) = (bench.turn.actions, bench.changes)
        #expect(actions == [.lookAtLine(at: at(26.5))] && changes == [false, true])
    }

    @Test func `a lost line counts as motion for good`() {
        var bench = watching()
        bench.line(.lost, 5)
        bench.answer(nil, 700)
        let changes = bench.changes
        #expect(changes == [true])
    }
}

@Suite("The accelerometer's motion watch")
struct MotionWatchTests {
    @Test func `until the accelerometer watches, the board counts as moving`() {
        var bench = MotionBench()
        let first = bench.turn.actions
        #expect(first == [.watchMotion])
        bench.look(0)
        bench.answer(nil, 0.1)
        let (changes, deadline) = (bench.changes, bench.motion.deadline)
        #expect(changes == [true, false] && deadline == nil)
    }

    @Test func `an order that failed is repeated ever more rarely, and the board counts as moving meanwhile`() {
        var bench = MotionBench()
        bench.look(0)
        var (now, pauses): (Double, [Double]) = (0, [])
        for _ in 0..<7 {
            bench.answer("no device answers", now)
            guard let retry = bench.motion.deadline else { break }
            pauses.append(Double(retry.nanoseconds) / 1e9 - now)
            now += pauses.last ?? 0
            bench.pass(to: now)
            let actions = bench.turn.actions
            #expect(actions == [.watchMotion])
        }
        #expect(pauses == [2, 4, 8, 16, 32, 60, 60])
        bench.look(now)
        bench.answer(nil, now)
        bench.answer("no device answers", now)
        let (changes, retry) = (bench.changes, bench.motion.deadline)
        #expect(changes == [true, false, true] && retry == at(now + 2))
    }

    @Test func `a failure of the compass has an accelerometer that watched told again, and no other`() {
        var bench = MotionBench()
        bench.turn.begin(at: at(1))
        bench.motion.compassFailed(&bench.turn)
        var actions = bench.turn.actions
        #expect(actions.isEmpty)
        bench.answer(nil, 2)
        bench.motion.compassFailed(&bench.turn)
        actions = bench.turn.actions
        #expect(actions == [.watchMotion])
    }

    @Test func `the order is renewed after 10 minutes, when something else happens`() {
        var bench = MotionBench()
        bench.answer(nil, 0)
        for (second, count) in [(599.9, 0), (600, 1), (601, 0), (1200, 1), (86_400, 1)] {
            bench.pass(to: second)
            let (orders, deadline) = (bench.turn.actions.count, bench.motion.deadline)
            #expect(orders == count && deadline == nil)
        }
    }

    @Test func `what a harness says needs no accelerometer`() {
        var bench = MotionBench()
        bench.motion.heard(moves: false)
        bench.answer("no device answers", 1)
        let (changes, deadline) = (bench.changes, bench.motion.deadline)
        #expect(changes == [] && deadline == nil)
    }
}
