import Configuration
import Engine
import Reactor
import Sockets
import Testing
import Tracker

@Suite("The tracker's clients")
struct TrackerClientsTests {
    private final class Departures {
        var inputsBefore: [Int] = []
    }

    @Test func `a client's departure is told once all that follows from it is done`() throws {
        let rig = try Rig()
        let departures = Departures()
        rig.tracker.clientLeft = { [unowned rig] in
            let gone = try? rig.inputs.filter { if case .clientGone = $0 { true } else { false } }.count
            departures.inputsBefore.append(gone ?? -1)
        }
        let stays = try LocalClient(path: rig.settings.socket)
        for _ in 1...2 {
            let goes = try LocalClient(path: rig.settings.socket)
            try rig.reactor.serveReady()
            _ = consume goes
            try rig.reactor.serveReady()
        }
        #expect(departures.inputsBefore == [1, 2])
        _ = consume stays
    }
}
