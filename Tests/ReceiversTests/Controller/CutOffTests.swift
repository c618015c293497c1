import Receivers
import Testing
import UBX

/// A receiver that is cut off from its supply or its line, and is back at a rate that need not be the line's.
@Suite("Receiver controller: cut off")
struct CutOffTests {
    /// When it is cut off: as it is told to change its rate, as the line follows, and once it has answered there.
    private static let cuts = [0.005, 0.16, 0.2]

    /// A receiver that was found at 9600 bits per second and is cut off so many seconds after it was told to change that.
    private func cutOff(_ version: MonVER, after cut: Double) throws -> Bench {
        var bench = Bench(.plain(baud: 115_200), StandIn(version: version))
        bench.open(baud: 9600)
        bench.wake()
        while bench.receiver.baud == 9600, bench.now < 60 { bench.run(for: 0.001) }
        bench.run(for: cut)
        try #require(bench.controller.state == .configuring)
        bench.receiver.isDead = true
        return bench
    }

    /// Seconds until it is ready again, and understood.
    private func secondsToReady(_ bench: inout Bench) -> Double {
        let start = bench.now
        func isReady() -> Bool { bench.controller.state == .ready && bench.controller.baud == bench.receiver.baud }
        while !isReady(), bench.now < start + 700 { bench.run(for: 0.1) }
        return bench.now - start
    }

    @Test(arguments: [MonVER.m8N, StandIn().version], cuts)
    func `a receiver that returns after a cut during a change of rate is ready in ten seconds`(
        version: MonVER, cut: Double
    ) throws {
        for away in [0.5, 2, 5, 8, 12, 20, 30, 60, 120] {
            for rate in [9600, 38_400, 115_200] {
                var bench = try cutOff(version, after: cut)
                bench.run(for: away)
                bench.receiver.isDead = false
                bench.receiver.baud = rate
                bench.receiver.reportsSentences = true
                let seconds = secondsToReady(&bench)
                #expect(seconds < 10, "away for \(away) s, back at \(rate)")
            }
        }
    }

    @Test func `commands to an absent receiver do not count as refused`() throws {
        var bench = try cutOff(.m8N, after: 0.2)
        bench.run(for: 60)
        #expect(bench.reports == [.identified, .unresponsive])
    }

    @Test func `a silent receiver that only identifies itself is used as it is`() {
        var receiver = StandIn(version: .m8N)
        receiver.ignores = [.cfgRATE, .cfgMSG, .cfgPRT, .cfgRXM, .cfgNAVX5, .cfgCFG]
        receiver.reports = false
        var bench = Bench(.plain(.neoM8N), receiver)
        bench.open(baud: 9600)
        bench.wake()
        #expect(secondsToReady(&bench) < 60)
    }

    @Test func `a glitch on the line does not prevent finding a starting receiver`() {
        var bench = Bench(.plain(.neoM8N, baud: 115_200), StandIn(version: .m8N))
        bench.receiver.isDead = true
        bench.open(baud: 9600)
        bench.wake()
        bench.run(for: 0.7)
        bench.send([0x00], after: 0)
        bench.run(for: 1.5)
        bench.receiver.isDead = false
        #expect(secondsToReady(&bench) < 10)
    }

    @Test func `a receiver plugged in a minute after a glitch is found at once, at any rate`() {
        for rate in [9600, 38_400, 115_200] {
            var bench = Bench(.plain(.maxM10S), StandIn())
            bench.receiver.isDead = true
            bench.open(baud: 9600)
            bench.wake()
            bench.run(for: 3600)
            bench.send([0x00], after: 0)
            bench.run(for: 60)
            bench.receiver.isDead = false
            bench.receiver.baud = rate
            bench.receiver.reportsSentences = true
            let seconds = secondsToReady(&bench)
            #expect(seconds < 15, "back at \(rate)")
        }
    }

    @Test func `noise on a lost receiver's line at most doubles the questions`() {
        func writes(hasNoise: Bool) -> Int {
            var bench = Bench(.plain(.maxM10S), StandIn())
            bench.receiver.isDead = true
            bench.open(baud: 9600)
            bench.wake()
            for _ in 0..<360 {
                bench.run(for: 10)
                if hasNoise { bench.send([0x00], after: 0) }
            }
            return bench.writes.count
        }
        #expect(writes(hasNoise: true) < 2 * writes(hasNoise: false))
    }
}
