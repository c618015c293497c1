import SextantReactor
import SextantUnits
import TestSupport
import Testing

@Suite("A reactor on a driven clock")
struct DrivenReactorTests {
    private let clock: DrivenClock
    private let reactor: Reactor

    init() throws {
        clock = DrivenClock(utc: UTCInstant(nanoseconds: 1_700_000_000_000_000_000), isSynchronized: true)
        reactor = try Reactor(time: .driven(clock))
    }

    private func second(_ count: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: count * 1_000_000_000) }

    @Test func `a wake-up fires when the clock passes its instant, and its handler sees that instant`() throws {
        var fired: [MonotonicInstant] = []
        reactor.onWake { instant in
            fired.append(instant)
            #expect(reactor.now == instant)
        }
        reactor.setWake(at: second(10))
        try reactor.advance(to: second(9))
        #expect(fired.isEmpty && reactor.wake == second(10))
        try reactor.advance(to: second(20))
        #expect(fired == [second(10)])
        #expect(reactor.now == second(20) && reactor.wake == nil && reactor.wakeUps == 1)
    }

    @Test func `wake-ups requested by handlers fire too, in order`() throws {
        var fired: [MonotonicInstant] = []
        reactor.onWake { instant in
            fired.append(instant)
            reactor.setWake(at: instant.advanced(byNanoseconds: 1_000_000_000))
        }
        reactor.setWake(at: second(1))
        try reactor.advance(to: second(4))
        #expect(fired == [second(1), second(2), second(3), second(4)])
        #expect(reactor.wake == second(5))
    }

    @Test func `a wake-up in the past fires at once, at the present instant`() throws {
        try reactor.advance(to: second(5))
        var fired: [MonotonicInstant] = []
        reactor.onWake { fired.append($0) }
        reactor.setWake(at: second(2))
        try reactor.serveReady()
        #expect(fired == [second(5)])
    }

    @Test func `time does not run backwards`() throws {
        try reactor.advance(to: second(5))
        try reactor.advance(to: second(3))
        #expect(reactor.now == second(5))
    }

    @Test func `an hour with nothing to do causes no wake-up`() throws {
        let pipe = Pipe()
        _ = try pipe.register(with: reactor) { _ in Issue.record("nothing was written") }
        try reactor.advance(to: second(3600))
        #expect(reactor.wakeUps == 0)
    }

    @Test func `ready descriptors are served without waiting, and so is what they make ready`() throws {
        let (first, second) = (Pipe(), Pipe())
        var heard: [String?] = []
        _ = try first.register(with: reactor) { _ in
            heard.append(first.read())
            second.write("b")
        }
        _ = try second.register(with: reactor) { _ in heard.append(second.read()) }
        first.write("a")
        try reactor.serveReady()
        #expect(heard == ["a", "b"])
    }

    @Test func `the wall clock advances too, and stepping it changes nothing else`() throws {
        try reactor.advance(to: second(7))
        #expect(reactor.utc.nanoseconds == 1_700_000_007_000_000_000)
        clock.utc = UTCInstant(nanoseconds: 0)
        clock.isSynchronized = false
        try reactor.advance(to: second(8))
        #expect(reactor.utc.nanoseconds == 1_000_000_000 && !reactor.utcIsSynchronized)
        #expect(reactor.now == second(8))
    }

    @Test func `another reactor can wait for this one's descriptors`() throws {
        let outer = try Reactor()
        let pipe = Pipe()
        var heard: [String?] = []
        _ = try pipe.register(with: reactor) { _ in heard.append(pipe.read()) }
        _ = try outer.watch(reactor) {
            #expect(throws: Never.self) { try reactor.serveReady() }
            outer.stop()
        }
        pipe.write("a")
        try outer.run(until: "the other reactor's event")
        #expect(heard == ["a"])
        #expect(reactor.wakeUps == 1)
    }
}
