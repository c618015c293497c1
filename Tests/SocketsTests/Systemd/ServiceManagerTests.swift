import Glibc
import SextantReactor
import SextantSockets
import SextantUnits
import Testing

@Suite("ServiceManager")
struct ServiceManagerTests {
    private func manager(_ environment: [String: String]) throws -> ServiceManager {
        try ServiceManager(environment: { environment[$0] }, process: 77)
    }

    @Test(arguments: [false, true])
    func `readiness and status are reported in one line each`(isAbstract: Bool) throws {
        let inbox = isAbstract ? Inbox("@sextant-notify-\(getpid())-\(UInt32.random(in: .min ... .max))") : Inbox()
        try manager(["NOTIFY_SOCKET": inbox.address]).tellReady("serving\nthe socket")
        #expect(inbox.next() == "READY=1\nSTATUS=serving the socket")
        #expect(inbox.next() == nil)
    }

    @Test func `a descriptor is put into systemd's store under its role's name`() throws {
        let inbox = Inbox()
        let pipe = try SocketPair()
        try manager(["NOTIFY_SOCKET": inbox.address]).store(pipe.end, as: .bluetooth)
        let (text, number) = inbox.nextWithDescriptor()
        #expect(text == "FDSTORE=1\nFDNAME=bluetooth")
        let passed = Descriptor(adopting: try #require(number))
        #expect(passed.write([7].span) == .bytes(1))
        var buffer: [UInt8] = [0]
        #expect(pipe.otherEnd.read(into: &buffer) == .bytes(1))
        #expect(buffer == [7])
    }

    @Test func `without a service manager there is no store`() throws {
        let pipe = try SocketPair()
        #expect(throws: SystemError("NOTIFY_SOCKET", errno: ENOENT)) {
            try manager([:]).store(pipe.end, as: .bluetooth)
        }
    }

    @Test func `the Bluetooth socket is taken out of the store, so that the next start gets a new one alone`() throws {
        let inbox = Inbox()
        let manager = try manager([
            "NOTIFY_SOCKET": inbox.address, "LISTEN_PID": "77", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "bluetooth",
        ])
        #expect(manager.takeBluetooth()?.role == .bluetooth)
        #expect(inbox.next() == "FDSTOREREMOVE=1\nFDNAME=bluetooth")
        #expect(!manager.isSocketActivated)
        let other = try self.manager(["NOTIFY_SOCKET": inbox.address])
        #expect(other.takeBluetooth() == nil)
        #expect(inbox.next() == nil)
    }

    @Test func `stopping is reported and ends the watchdog`() throws {
        let inbox = Inbox()
        try manager(["NOTIFY_SOCKET": inbox.address]).tellStopping()
        #expect(inbox.next() == "STOPPING=1")
        try manager(["NOTIFY_SOCKET": inbox.address, "WATCHDOG_USEC": "30000000"]).tellStopping()
        #expect(inbox.next() == "STOPPING=1\nWATCHDOG_USEC=0")
    }

    @Test(arguments: [nil, "", "vsock:2:1234", "relative", "/tmp/nobody-listens-here"])
    func `without a service manager nothing fails`(address: String?) throws {
        let manager = try manager(address.map { ["NOTIFY_SOCKET": $0] } ?? [:])
        manager.tellReady("serving")
        manager.tellStopping()
        #expect(manager.datagramCount == 2)
    }

    @Test func `the watchdog is notified before a wait, and switched off when nothing is planned`() throws {
        let inbox = Inbox()
        let manager = try manager([
            "NOTIFY_SOCKET": inbox.address, "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "77",
        ])
        let reactor = try drivenReactor()
        manager.watch(reactor)
        let start = reactor.now
        reactor.setWake(at: start.advanced(byNanoseconds: 1_000_000))
        #expect(try !reactor.serve(waitingMilliseconds: 0))
        // Ten seconds after the planned instant.
        #expect(inbox.next() == "WATCHDOG_USEC=10001000")
        #expect(inbox.next() == nil)
        try reactor.advance(to: start.advanced(byNanoseconds: 1_000_000))
        #expect(inbox.next() == "WATCHDOG_USEC=0")
    }

    private func drivenReactor() throws -> Reactor {
        let clock = DrivenClock(
            now: MonotonicInstant(nanoseconds: 7_000_000_000), utc: UTCInstant(nanoseconds: 0), isSynchronized: false)
        return try Reactor(time: .driven(clock))
    }

    @Test func `the watchdog is on while something is served, and off again while nothing is planned`() throws {
        let inbox = Inbox()
        let manager = try manager(["NOTIFY_SOCKET": inbox.address, "WATCHDOG_USEC": "30000000"])
        let reactor = try drivenReactor()
        manager.watch(reactor)
        var heard = 0
        let mailbox = try reactor.makeMailbox(capacity: 1) { (_: Int) in heard += 1 }
        mailbox.post(1)
        #expect(try reactor.serve(waitingMilliseconds: 0) && heard == 1)
        #expect(inbox.next() == "WATCHDOG_USEC=0")
        #expect(inbox.next() == "WATCHDOG_USEC=10000000")
        #expect(inbox.next() == nil)
        #expect(manager.datagramCount == 2)
    }

    @Test(arguments: [
        [:], ["WATCHDOG_USEC": "0"], ["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "78"],
    ])
    func `a unit without a watchdog gets no watchdog messages`(environment: [String: String]) throws {
        let inbox = Inbox()
        let manager = try manager(environment.merging(["NOTIFY_SOCKET": inbox.address]) { $1 })
        let reactor = try drivenReactor()
        manager.watch(reactor)
        reactor.setWake(at: reactor.now)
        try reactor.serveReady()
        #expect(inbox.next() == nil)
    }
}
