import Beacons
import Boards
import Configuration
import Emulation
import Engine
import Foundation
import SextantReactor
import SextantSockets
import SextantUnits
import Testing
import Tracker

/// The kernel's part is played by the emulated radio: what the daemon writes it takes, and its answers are told.
@Suite("The tracker's radio")
struct TrackerRadioTests {
    /// A tracker with a radio behind its management socket, and one client.
    private final class Board {
        let rig: Rig
        let port = FakeRadio()
        var radio = EmulatedRadio(at: MonotonicInstant(nanoseconds: 1_000_000_000))
        private var taken = 0

        init(in folder: Folder? = nil, board: Boards.Board? = nil) throws {
            let port = port
            rig = try Rig(in: folder, board: board) { $0.radio = port }
            try settle()
        }

        /// Carries commands and events to and fro until nothing is left to be said.
        func settle() throws {
            while true {
                while taken < port.commands.count {
                    radio.take(port.commands[taken])
                    taken += 1
                }
                var events: [[UInt8]] = []
                radio.advance(to: rig.clock.now) { events.append($0) }
                guard !events.isEmpty else { return }
                for event in events { port.onEvent(.event(event)) }
            }
        }

        func pass(seconds: Double) throws {
            for _ in 0..<Int(seconds * 10) {
                try rig.pass(milliseconds: 100)
                try settle()
            }
        }

        func ask(_ client: borrowing LocalClient, _ request: String) throws {
            try client.send(Array((request + "\n").utf8))
            try rig.reactor.serveReady()
            try settle()
        }
    }

    private let range = #"{"request":"rangeBeacons","uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"}"#
    private let stop = #"{"request":"stopRangingBeacons","uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"}"#
    private let begin = #"{"request":"watch","accuracy":1000}"#

    @Test func `without a management socket the tracker serves all the same`() throws {
        let rig = try Rig()
        #expect(try !rig.inputs.contains { if case .radioOpened = $0 { true } else { false } })
        #expect(!rig.log.lines.contains { $0.contains("beacons") })
    }

    @Test func `a daemon that starts again with a region of beacons has its socket, and does not miss it`() throws {
        let first = try Board()
        let client = try LocalClient(path: first.rig.settings.socket)
        try first.rig.reactor.serveReady()
        let door = #"{"request":"monitorRegion","identifier":"door","uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"}"#
        try first.ask(client, door)
        try first.pass(seconds: 1)
        first.rig.tracker.stop()
        let again = try Board(in: first.rig.folder)
        try again.pass(seconds: 1)
        #expect(again.radio.monitors.count == 1)
        #expect(!again.rig.log.lines.contains { $0.contains("beacons: ") })
        _ = consume client
    }

    @Test func `BEAC-39: without a need for beacons the controllers are looked at and nothing is listened to`() throws {
        let board = try Board()
        try board.pass(seconds: 5)
        #expect(board.radio.commands == [0x03, 0x04, 0x51])
        #expect(board.radio.monitors.isEmpty)
        #expect(!board.radio.isOn)
    }

    @Test func `BEAC-39: a ranging begins the scan at once, and the last one's end ends it`() throws {
        let board = try Board()
        let client = try LocalClient(path: board.rig.settings.socket)
        try board.rig.reactor.serveReady()
        try board.ask(client, begin)
        try board.ask(client, range)
        try board.pass(seconds: 1)
        #expect(board.radio.monitors.count == 1)
        try board.ask(client, stop)
        try board.pass(seconds: 5)
        #expect(board.radio.monitors.isEmpty)
        _ = consume client
    }

    @Test func `BEAC-44: a daemon that ends leaves no monitor`() throws {
        let board = try Board()
        let client = try LocalClient(path: board.rig.settings.socket)
        try board.rig.reactor.serveReady()
        try board.ask(client, begin)
        try board.ask(client, range)
        try board.pass(seconds: 1)
        #expect(board.radio.monitors.count == 1)
        board.rig.tracker.stop()
        try board.settle()
        #expect(board.radio.monitors.isEmpty)
        _ = consume client
    }

    @Test func `what comes from the socket is recorded as it came`() throws {
        let board = try Board()
        let events = try board.rig.inputs.compactMap { if case .radioEvent(let bytes) = $0 { bytes } else { nil } }
        #expect(events.count == 3)
        #expect(events.first == [1, 0, 0xFF, 0xFF, 7, 0, 3, 0, 0, 1, 0, 0, 0])
    }

    @Test func `a socket that fails is named once, and no command is written to it`() throws {
        let board = try Board()
        board.port.onEvent(.failed(HardwareFailure("the Bluetooth management socket: Connection reset by peer")))
        let before = board.port.commands.count
        let client = try LocalClient(path: board.rig.settings.socket)
        try board.rig.reactor.serveReady()
        try board.ask(client, begin)
        try board.ask(client, range)
        try board.pass(seconds: 10)
        #expect(board.port.commands.count == before)
        let words = "the Bluetooth management socket: Connection reset by peer; restart sextantd"
        #expect(board.rig.log.lines.count { $0.contains(words) } == 1)
        _ = consume client
    }

    @Test func `a command that cannot be written ends the radio and nothing else`() throws {
        let board = try Board()
        board.port.failure = HardwareFailure("the Bluetooth management socket: No buffer space available")
        let client = try LocalClient(path: board.rig.settings.socket)
        try board.rig.reactor.serveReady()
        try board.ask(client, begin)
        try board.ask(client, range)
        #expect(board.rig.log.lines.count { $0.contains("No buffer space available") } == 1)
        try board.pass(seconds: 1)
        #expect(try board.rig.inputs.count { if case .radioFailed = $0 { true } else { false } } == 1)
        _ = consume client
    }

    @Test func `the board's file says whether the radio may be switched on`() throws {
        var given = Boards.Board.with([])
        given.bluetooth = BeaconRadio.Settings(maySwitchOn: false, formats: [.iBeacon])
        let board = try Board(board: given)
        let client = try LocalClient(path: board.rig.settings.socket)
        try board.rig.reactor.serveReady()
        try board.ask(client, begin)
        try board.ask(client, range)
        try board.pass(seconds: 2)
        #expect(!board.radio.isOn && board.radio.monitors.isEmpty)
        #expect(board.rig.log.lines.contains { $0.contains("Bluetooth is switched off") })
        _ = consume client
    }
}
