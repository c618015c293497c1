import Foundation
import SextantReactor
import SextantSockets
import SextantUnits
import Synchronization
import TestSupport
import Testing

@testable import DaemonClient

@Suite("Link to the daemon")
struct DaemonLinkTests {
    /// An owner that asks for a connection several times in a row, and keeps what it is told.
    private final class Owner: DaemonLinkOwner {
        private let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        private let link: DaemonLink
        private let calls: Mutex<Int>

        /// - Parameter calls: How often it asks at once after a failed attempt.
        init(_ link: DaemonLink, calls: Int = 0) {
            self.link = link
            self.calls = Mutex(calls)
        }

        func received(_ line: [UInt8]) {}
        func missesDaemon(_ sentence: String) { continuation.yield(sentence) }
        func takeOutput() -> [UInt8]? { [] }

        func lostConnection() {
            let asks = calls.withLock { calls in
                calls -= 1
                return calls >= 0
            }
            if asks { link.poke() }
        }

        func first() async -> String? { await stream.first { _ in true } }
    }

    private func at(_ seconds: Double) -> MonotonicInstant { .zero.advanced(bySeconds: seconds) }

    @Test func `a daemon that is away for a moment is not missed, and one that stays away is missed once`() {
        var absence = Absence(patience: 500_000_000)
        let told = [10, 10.4, 11, 13, 3600].map { absence.isToBeTold(at: at($0)) }
        #expect(told == [false, false, true, false, false])
    }

    @Test func `an owner whose daemon does not run is told so, with what to do`() async {
        let link = DaemonLink(path: "/nonexistent/s", patience: 0)
        let owner = Owner(link)
        link.start(for: owner)
        let sentence = await owner.first()
        link.stop()
        #expect(sentence == "/nonexistent/s: no sextantd answers; start it, or name its socket in SEXTANT_SOCKET")
    }

    @Test func `calls that find no daemon do not put off the next attempt`() {
        var pause = BackOff()
        for _ in 0..<6 { pause.passed(isPoked: true) }
        #expect(pause.milliseconds == 1000)
        let pauses = (0..<8).map { _ in
            pause.passed(isPoked: false)
            return pause.milliseconds
        }
        #expect(pauses == [2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
        pause.reset()
        #expect(pause.milliseconds == 1000)
    }

    @Test func `an owner that calls whenever an attempt has failed is told that its daemon is missing`() async {
        let link = DaemonLink(path: "/nonexistent/s", patience: 900_000_000)
        let owner = Owner(link, calls: 6)
        link.start(for: owner)
        #expect(await owner.first() != nil)
        link.stop()
    }

    /// An owner with more to send than a socket holds, and something that it wants to send later.
    private final class Talker: DaemonLinkOwner {
        private let waiting: Mutex<[[UInt8]?]>
        private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

        init(first: [UInt8]) { waiting = Mutex([first]) }

        func say(_ bytes: [UInt8]) { waiting.withLock { $0.append(bytes) } }
        func received(_ line: [UInt8]) {}
        func lostConnection() {}
        func caughtUp() { continuation.yield() }
        func takeOutput() -> [UInt8]? {
            continuation.yield()
            return waiting.withLock { $0.isEmpty ? [] : $0.removeFirst() }
        }

        /// Waits until the link has asked for bytes, or has read.
        func isCalled() async { _ = await stream.first { _ in true } }
    }

    @Test func `what is said while the daemon reads slowly is sent without a further call`() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/sextant-\(UUID().uuidString.prefix(8))"
        let reactor = try Reactor()
        var heard: [String: Int] = [:]
        var connections: [Connection] = []
        let settings = ConnectionSettings(separators: .newline, lineLimit: 64, outputCapacity: 64)
        let listener = try UnixListener(path: path, mode: 0o600, settings: settings, reactor: reactor) { connection in
            connections.append(connection)
            try? connection.start { _, line in
                heard[String(decoding: line.indices.map { line[$0] }, as: UTF8.self), default: 0] += 1
            } ended: { _ in
            }
        }
        let link = DaemonLink(path: path)
        let talker = Talker(first: Array(String(repeating: "first\n", count: 200_000).utf8))
        link.start(for: talker)
        // The link has the bytes, and the daemon does not read; then the link is called, and finds that it can't send.
        await talker.isCalled()
        talker.say(Array("second\n".utf8))
        link.poke()
        await talker.isCalled()
        try reactor.serve(until: "both have come") { heard["second"] != nil }
        #expect(heard == ["first": 200_000, "second": 1])
        link.stop()
        _ = (listener, talker)
    }
}
