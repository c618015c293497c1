import CSextantLinux
import Foundation
import Glibc
import SextantReactor
import TestSupport
import Testing

@testable import SextantSockets

/// Real processes at the other end of a real TCP connection.
@Suite("The process at the other end of a TCP connection")
struct TCPPeerTests {
    private static let python = URL(fileURLWithPath: "/usr/bin/python3").resolvingSymlinksInPath().path
    private static var hasPython: Bool { unsafe access(python, X_OK) == 0 }

    /// The peer of the first connection of a program, as the kernel names it once the program has said a line or gone,
    /// and what a search for its process finds.
    ///
    /// - Parameter search: Searches to its end while the program, which it is given, runs.
    private func peer(
        _ address: String = "127.0.0.1", then next: String,
        search: (PortOwner, ChildProgram) throws -> PortSearch.Finding = { owner, _ in
            var search = PortSearch(for: owner)
            return search.toItsEnd()
        }
    ) throws -> (peer: TCPPeer?, finding: PortSearch.Finding?) {
        let reactor = try Reactor()
        var connections: [Connection] = []
        var heard = false
        let settings = ConnectionSettings(separators: .newline, lineLimit: 64, outputCapacity: 4096)
        let listener = try TCPListener(port: 0, settings: settings, reactor: reactor) { connection in
            connections.append(connection)
            try? connection.start { _, _ in
                heard = true
            } ended: { _ in
                heard = true
            }
        }
        let family = address.contains(":") ? "AF_INET6" : "AF_INET"
        let script =
            "import os,signal,socket,time;signal.signal(signal.SIGUSR1,lambda *_:os.fork() and os._exit(0));"
            + "s=socket.socket(socket.\(family));s.connect(('\(address)',\(listener.port)));s.send(b'here\\n');\(next)"
        let client = try ChildProgram(Self.python, ["-c", script])
        defer { client.signal(SIGKILL) }
        var found: (peer: TCPPeer?, finding: PortSearch.Finding?) = (nil, nil)
        try reactor.serve(until: "the program's line") {
            guard heard else { return false }
            found.peer = connections.first?.tcpPeer
            if case .owner(let owner)? = found.peer { found.finding = try search(owner, client) }
            return true
        }
        return found
    }

    @Test(.enabled(if: hasPython, "needs python3"), arguments: ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
    func `a program is known by its user, and where the daemon may look by its executable`(address: String) throws {
        let (found, finding) = try peer(address, then: "time.sleep(1e6)")
        guard case .owner(let owner)? = found, case .found(let processes)? = finding else {
            Issue.record("no owner is named, or no process is found")
            return
        }
        #expect(owner.userID == geteuid())
        #expect(processes.map(\.userID) == [geteuid()])
        #expect(processes.map(\.executable) == [Self.python])
        #expect(processes.first?.groupIDs.contains(getegid()) == true)
    }

    @Test(.enabled(if: hasPython, "needs python3"))
    func `a search in the smallest slices finds the same program, and is not done after one`() throws {
        var slices = 0
        let finding = try peer(then: "time.sleep(1e6)") { owner, _ in
            var search = PortSearch(for: owner)
            while true {
                slices += 1
                let finding = search.advance(steps: 1)
                if finding != .unfinished { return finding }
            }
        }.finding
        guard case .found(let processes)? = finding else {
            Issue.record("\(String(describing: finding))")
            return
        }
        #expect(processes.map(\.executable) == [Self.python])
        #expect(slices > 3)
    }

    @Test(.enabled(if: hasPython, "needs python3"))
    func `a program that hands its connection to a new process during the search does not escape it`() throws {
        // The new process ends with the connection.
        let finding = try peer(then: "s.recv(1)") { owner, program in
            var search = PortSearch(for: owner)
            _ = search.advance(steps: 1)
            program.signal(SIGUSR1)
            try waitUntil("the program's end") { program.status != nil }
            return search.toItsEnd()
        }.finding
        guard case .found(let processes)? = finding else {
            Issue.record("\(String(describing: finding))")
            return
        }
        #expect(processes.map(\.executable) == [Self.python])
    }

    @Test(.enabled(if: hasPython, "needs python3"))
    func `of a user with more processes than are looked at none is told: another may have been denied`() throws {
        let finding = try peer(then: "time.sleep(1e6)") { owner, _ in
            var search = PortSearch(for: owner, most: 1)
            return search.toItsEnd()
        }.finding
        #expect(finding == .hidden)
    }

    @Test func `of a user of whom no process may be seen none is told either`() {
        var search = PortSearch(for: PortOwner(userID: 0xFFFF_FFF0, inode: 1))
        #expect(search.toItsEnd() == .hidden)
    }

    @Test(.enabled(if: hasPython, "needs python3"))
    func `a program that has half closed its connection is still named`() throws {
        let found = try peer(then: "s.shutdown(socket.SHUT_WR);time.sleep(1e6)").peer
        guard case .owner? = found else {
            Issue.record("\(String(describing: found))")
            return
        }
    }

    @Test func `a socket that its program has closed is nobody's, and never root's`() throws {
        let reactor = try Reactor()
        let settings = ConnectionSettings(separators: .newline, lineLimit: 64, outputCapacity: 4096)
        var found: TCPPeer?
        let listener = try TCPListener(port: 0, settings: settings, reactor: reactor) { found = $0.tcpPeer }
        let client = connection(to: listener.port)
        close(client)
        try reactor.serve(until: "the connection") { found != nil }
        #expect(found == .gone)
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `who listens is known before the connection is taken, and not while nobody does`(address: String) throws {
        var listener: TCPListener? = try TCPListener(
            port: 0, settings: ConnectionSettings(separators: .newline, lineLimit: 64, outputCapacity: 4096),
            reactor: Reactor()
        ) { _ in }
        let port = try #require(listener?.port)
        // Safety: the C string lives for the call.
        let client = Descriptor(adopting: unsafe clinux_tcp_connect(address, port, 20))
        #expect(TCPPeer.listeners(at: client) == [geteuid()])
        listener = nil
        #expect(TCPPeer.listeners(at: client) == [])
    }

    @Test func `a listener that pauses leaves connections in the queue, and takes one when it goes on`() throws {
        let reactor = try Reactor()
        let settings = ConnectionSettings(separators: .newline, lineLimit: 64, outputCapacity: 4096)
        var accepted = 0
        let listener = try TCPListener(port: 0, settings: settings, reactor: reactor) { _ in accepted += 1 }
        listener.pause()
        let clients = (0..<3).map { _ in connection(to: listener.port) }
        defer { for client in clients { close(client) } }
        #expect(try !reactor.serve(waitingMilliseconds: 0))
        #expect(accepted == 0)
        listener.resume()
        #expect(accepted == 1)
        try reactor.serve(until: "the others") { accepted == 3 }
    }

    @Test func `a listener that pauses while it goes on takes no second connection`() throws {
        let reactor = try Reactor()
        let settings = ConnectionSettings(separators: .newline, lineLimit: 64, outputCapacity: 4096)
        var listener: TCPListener?
        var accepted = 0
        listener = try TCPListener(port: 0, settings: settings, reactor: reactor) { _ in
            accepted += 1
            listener?.pause()
        }
        let port = try #require(listener?.port)
        let clients = (0..<3).map { _ in connection(to: port) }
        defer { for client in clients { close(client) } }
        try reactor.serve(until: "the first") { accepted == 1 }
        listener?.resume()
        #expect(accepted == 2)
        #expect(try !reactor.serve(waitingMilliseconds: 0))
        #expect(accepted == 2)
        listener = nil
    }

    /// A connection to a port on loopback.
    private func connection(to port: UInt16) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // Safety: the kernel reads the address during the call.
        _ = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return descriptor
    }
}

extension PortSearch {
    fileprivate mutating func toItsEnd() -> Finding {
        while true {
            let finding = advance()
            if finding != .unfinished { return finding }
        }
    }
}
