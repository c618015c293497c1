import Glibc
import SextantReactor
import SextantUnits
import TestSupport
import Testing

@Suite("Reactor")
struct ReactorTests {
    let reactor: Reactor

    init() throws { reactor = try Reactor() }

    @Test func `hands a readable descriptor to its handler`() throws {
        let pipe = Pipe()
        var heard: [String?] = []
        _ = try pipe.register(with: reactor) { readiness in
            #expect(readiness == .readable)
            heard.append(pipe.read())
            reactor.stop()
        }
        pipe.write("a")
        try reactor.run(until: "the handler")
        #expect(heard == ["a"])
    }

    @Test func `does not wake while nothing happens`() throws {
        let pipe = Pipe()
        _ = try pipe.register(with: reactor) { _ in Issue.record("nothing was written") }
        reactor.onWake { _ in reactor.stop() }
        reactor.setWake(at: .zero)
        try reactor.run()
        // The timer's.
        #expect(reactor.wakeUps == 1)
        #expect(try reactor.serveReady(atMost: 5) == 0)
    }

    @Test func `calls the handler again while bytes are left`() throws {
        let pipe = Pipe()
        var calls = 0
        _ = try pipe.register(with: reactor) { _ in
            calls += 1
            if calls == 3 { reactor.stop() }
        }
        pipe.write("a")
        try reactor.run(until: "the third call")
        #expect(calls == 3)
    }

    @Test func `a one-shot registration pauses after one event until armed again`() throws {
        let pipe = Pipe()
        var calls = 0
        let registration = try pipe.register(with: reactor, for: [.read, .once]) { _ in calls += 1 }
        pipe.write("a")
        #expect(try reactor.serveReady(atMost: 5) == 1)
        #expect(calls == 1)
        try reactor.arm(registration, for: [.read, .once])
        #expect(try reactor.serveReady(atMost: 5) == 1)
        #expect(calls == 2)
    }

    @Test func `a paused descriptor reports nothing until armed`() throws {
        let pipe = Pipe()
        var calls = 0
        let registration = try pipe.register(with: reactor) { _ in
            calls += 1
            reactor.stop()
        }
        reactor.rest(registration)
        pipe.write("a")
        #expect(try reactor.serveReady(atMost: 5) == 0)
        #expect(calls == 0)
        try reactor.arm(registration, for: .read)
        try reactor.run(until: "the handler")
        #expect(calls == 1)
    }

    @Test func `a paused descriptor does not report its hang-up either`() throws {
        let pipe = Pipe()
        let registration = try pipe.register(with: reactor) { _ in Issue.record("it rests") }
        reactor.rest(registration)
        pipe.writer = nil
        #expect(try reactor.serveReady(atMost: 5) == 0)
    }

    @Test func `a hang-up is reported once and does not cause spinning`() throws {
        let pipe = Pipe()
        var heard: [Readiness] = []
        _ = try pipe.register(with: reactor) { heard.append($0) }
        pipe.writer = nil
        #expect(try reactor.serveReady(atMost: 5) == 1)
        #expect(heard == [.hungUp])
    }

    @Test func `a writer is told when its reader closes`() throws {
        let pipe = Pipe()
        var heard: [Readiness] = []
        _ = try pipe.writer?.register(with: reactor, for: .write) { readiness in
            heard.append(readiness)
            if readiness.contains(.failed) { reactor.stop() } else { pipe.reader = nil }
        }
        try reactor.run(until: "the reader's end")
        #expect(heard.first == .writable)
        #expect(heard.last?.contains(.failed) == true)
    }

    @Test func `a removed descriptor gets no event pending in the same wake-up`() throws {
        let (first, second) = (Pipe(), Pipe())
        var registrations: [Registration] = []
        var calls = 0
        for pipe in [first, second] {
            registrations.append(
                try pipe.register(with: reactor) { _ in
                    calls += 1
                    registrations.forEach(reactor.remove)
                })
            pipe.write("a")
        }
        #expect(try reactor.serveReady(atMost: 5) == 1)
        #expect(calls == 1)
    }

    @Test func `after the events of a wake-up, however many they were, its end is told once`() throws {
        let pipes = [Pipe(), Pipe()]
        var told: [String] = []
        for (pipe, name) in zip(pipes, ["first", "second"]) {
            _ = try pipe.register(with: reactor, for: [.read, .once]) { _ in told.append(name) }
            pipe.write("a")
        }
        reactor.afterEvents = { told.append("end") }
        #expect(try reactor.serveReady(atMost: 5) == 1)
        #expect(told.sorted() == ["end", "first", "second"])
        #expect(told.last == "end")
    }

    @Test func `while others are served for long, an urgent descriptor does not wait for all of them`() throws {
        let (others, receiver) = ([Pipe(), Pipe()], Pipe())
        var told: [String] = []
        for (pipe, name) in zip(others, ["first", "second"]) {
            _ = try pipe.register(with: reactor, for: [.read, .once]) { [reactor] _ in
                told.append(name)
                if name == "first" { receiver.write("a") }
                // Served for as long as an urgent descriptor may wait.
                let end = reactor.now.advanced(byNanoseconds: 5_000_000)
                while reactor.now < end {}
            }
            pipe.write("a")
        }
        let registration = try receiver.register(with: reactor, for: [.read, .urgent]) { _ in
            told.append("receiver \(receiver.read() ?? "")")
        }
        #expect(try reactor.serveReady(atMost: 1) == 1)
        #expect(told == ["first", "receiver a", "second"])
        reactor.remove(registration)
    }

    @Test func `a reused descriptor number gets no event of its former file`() throws {
        let (old, new) = (Pipe(), Pipe())
        let copy = try #require(old.reader?.withRawValue { dup($0) })
        let descriptor = Descriptor(adopting: copy)
        let oldRegistration = try descriptor.register(with: reactor, for: .read) { _ in Issue.record("it closed") }
        // Closes the old file and gives its number to the new one in one step, so that no other test gets it.
        _ = new.reader?.withRawValue { dup2($0, copy) }
        var calls = 0
        _ = try descriptor.register(with: reactor, for: .read) { _ in
            calls += 1
            reactor.stop()
        }
        reactor.remove(oldRegistration)
        new.write("a")
        try reactor.run(until: "the handler")
        #expect(calls == 1)
    }

    @Test func `refuses a file that cannot be polled`() throws {
        let file = try Descriptor(opening: "/proc/self/exe", flags: O_RDONLY)
        #expect(throws: SystemError("epoll_ctl", errno: EPERM)) {
            _ = try file.register(with: reactor, for: .read) { _ in }
        }
    }

    @Test func `stop before run makes run return at once`() throws {
        reactor.stop()
        try reactor.run()
        #expect(reactor.wakeUps == 0)
    }
}

@Suite("The timer")
struct TimerTests {
    let reactor: Reactor

    init() throws { reactor = try Reactor() }

    @Test func `a wake-up fires at its instant and not before`() throws {
        let due = Clock.now().advanced(byNanoseconds: 20_000_000)
        var fired: MonotonicInstant?
        reactor.onWake { now in
            fired = now
            reactor.stop()
        }
        reactor.setWake(at: due)
        try reactor.run()
        #expect(try #require(fired) >= due)
        #expect(reactor.wakeUps == 1)
    }

    @Test(arguments: [-1, 0, 1] as [Int64])
    func `a wake-up in the past fires at once`(nanoseconds: Int64) throws {
        reactor.onWake { _ in reactor.stop() }
        reactor.setWake(at: MonotonicInstant(nanoseconds: nanoseconds))
        try reactor.run()
        #expect(reactor.wakeUps == 1)
    }

    @Test func `a later wake-up time replaces the earlier one`() throws {
        let start = Clock.now()
        let later = start.advanced(byNanoseconds: 40_000_000)
        reactor.onWake { now in
            #expect(now >= later)
            reactor.stop()
        }
        reactor.setWake(at: start.advanced(byNanoseconds: 5_000_000))
        reactor.setWake(at: later)
        try reactor.run()
        #expect(reactor.wakeUps == 1)
    }

    @Test func `a wake-up can be set again from its own handler`() throws {
        var count = 0
        reactor.onWake { now in
            count += 1
            if count == 3 { reactor.stop() } else { reactor.setWake(at: now.advanced(byNanoseconds: 1_000_000)) }
        }
        reactor.setWake(at: .zero)
        try reactor.run()
        #expect(count == 3)
        #expect(reactor.wakeUps == 3)
    }

    @Test func `a wake-up replaced during the same wake-up is not delivered`() throws {
        let pipe = Pipe()
        let later = Clock.now().advanced(byNanoseconds: 30_000_000)
        reactor.onWake { now in
            #expect(now >= later)
            reactor.stop()
        }
        // Both are ready before the loop begins, and the kernel reports them in the order they became so.
        _ = try pipe.register(with: reactor) { _ in
            _ = pipe.read()
            reactor.setWake(at: later)
        }
        pipe.write("a")
        reactor.setWake(at: .zero)
        try reactor.run()
        #expect(reactor.wakeUps == 2)
    }

    @Test func `the reactor's clock is the kernel's boot-time clock`() {
        func kernelsTime() -> Int64 {
            var time = timespec()
            _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
        let before = kernelsTime()
        let now = Clock.now().nanoseconds
        #expect(before <= now && now <= kernelsTime())
        #expect(Clock.utc().date.year >= 1970)
    }
}
