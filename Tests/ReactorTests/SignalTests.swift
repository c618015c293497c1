import Glibc
import SextantReactor
import TestSupport
import Testing

@Suite("Signals")
struct SignalTests {
    @Test(arguments: [(SIGTERM, Signal.terminate), (SIGINT, .interrupt), (SIGHUP, .hangUp)])
    func `signals arrive as events`(number: Int32, signal: Signal) throws {
        let reactor = try Reactor()
        var heard: [Signal] = []
        try reactor.onSignal {
            heard.append($0)
            reactor.stop()
        }
        // To this thread alone: the test runner's other threads do not block it.
        raise(number)
        try reactor.run(until: "the signal")
        #expect(heard == [signal])
    }
}
