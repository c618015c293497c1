import Testing
import Units

@testable import DaemonClient

@Suite("Link to the daemon")
struct DaemonLinkTests {
    /// An owner that wants nothing, and keeps what it is told.
    private final class Owner: DaemonLinkOwner {
        private let (stream, continuation) = AsyncStream.makeStream(of: String.self)

        func received(_ line: [UInt8]) {}
        func lostConnection() {}
        func missesDaemon(_ sentence: String) { continuation.yield(sentence) }
        func takeOutput() -> [UInt8]? { [] }

        func first() async -> String? { await stream.first { _ in true } }
    }

    private func at(_ seconds: Double) -> MonotonicInstant { .zero.advanced(bySeconds: seconds) }

    @Test func `a daemon that is away for a moment is not missed, and one that stays away is missed once`() {
        var absence = Absence(patience: 500_000_000)
        let told = [10, 10.4, 11, 13, 3600].map { absence.isToBeTold(at: at($0)) }
        #expect(told == [false, false, true, false, false])
    }

    @Test func `an owner whose daemon does not run is told so, with what to do`() async {
        let owner = Owner()
        let link = DaemonLink(path: "/nonexistent/s", patience: 0)
        link.start(for: owner)
        let sentence = await owner.first()
        link.stop()
        #expect(sentence == "/nonexistent/s: no sextantd answers; start it, or name its socket in SEXTANT_SOCKET")
    }
}
