import Foundation
import Glibc
import SextantReactor
import TestSupport
import Testing

@testable import SextantSockets

/// Real processes at the other end of a real socket.
@Suite("Peer")
struct PeerTests {
    /// Connects, and does as it is told next.
    private static func script(_ path: String, then next: String) -> [String] {
        ["-c", "import socket,time,os;s=socket.socket(socket.AF_UNIX);s.connect('\(path)');\(next)"]
    }

    private static let python = URL(fileURLWithPath: "/usr/bin/python3").resolvingSymlinksInPath().path
    private static var hasPython: Bool { unsafe access(python, X_OK) == 0 }

    /// Copies by a program of its own: a file that this process writes to may be inherited by a child that another test
    /// starts at that moment, and then nobody can execute it.
    private func copyPython(to path: String) throws {
        let status = try ChildProgram("cp", [Self.python, path]).waitForEnd()
        try #require(status == 0)
    }

    private func credentials(_ server: Server) throws -> PeerCredentials? {
        #expect(try server.serve { !server.connections.isEmpty })
        guard case .local(let credentials)? = server.connections.first?.peer else { return nil }
        return credentials
    }

    @Test func `a peer has the groups of its process`() throws {
        let server = try Server()
        let client = try LocalClient(path: server.folder.socket)
        let credentials = try #require(try credentials(server))
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = unsafe getgroups(Int32(groups.count), &groups)
        #expect(Set(credentials.supplementaryGroupIDs) == Set(groups[..<Int(count)]))
        #expect(credentials.groupID == getegid())
        _ = consume client
    }

    @Test func `a process of the daemon's own user has an executable`() throws {
        let server = try Server()
        let client = try LocalClient(path: server.folder.socket)
        let credentials = try #require(try credentials(server))
        #expect(credentials.executable == (try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")))
        _ = consume client
    }

    @Test(.enabled(if: hasPython, "needs python3"))
    func `a process whose program file was replaced has no executable`() throws {
        let server = try Server()
        let program = "\(server.folder.path)/program"
        try copyPython(to: program)
        defer { _ = unsafe unlink(program) }
        let next = "time.sleep(1e6)"
        let removal = "import os;os.unlink('\(program)');"
        var arguments = Self.script(server.folder.socket, then: next)
        arguments[1] = removal + arguments[1]
        let client = try ChildProgram(program, arguments)
        let credentials = try #require(try credentials(server))
        #expect(credentials.processID == client.processID)
        #expect(credentials.executable == nil)
    }

    @Test(.enabled(if: hasPython, "needs python3"))
    func `a program whose name ends like a deleted one is identified by its name`() throws {
        let server = try Server()
        let program = "\(server.folder.path)/program (deleted)"
        try copyPython(to: program)
        defer { _ = unsafe unlink(program) }
        let client = try ChildProgram(program, Self.script(server.folder.socket, then: "time.sleep(1e6)"))
        let credentials = try #require(try credentials(server))
        #expect(credentials.executable == program)
        _ = client
    }

    @Test(.enabled(if: hasPython, "needs python3"))
    func `a process that has ended has neither unit nor executable`() throws {
        let server = try Server()
        let client = try ChildProgram(Self.python, Self.script(server.folder.socket, then: "os._exit(0)"))
        try client.waitForEnd()
        let credentials = try #require(try credentials(server))
        #expect(credentials.processID == client.processID)
        #expect(credentials.userID == geteuid())
        #expect(credentials.unit == nil)
        #expect(credentials.executable == nil)
    }

    @Test(
        .enabled(if: hasPython && ControlGroup.hierarchy != nil, "needs python3, and root, to make a control group"),
        arguments: [
            ("system.slice", ""),
            ("user.slice/user-7.slice/user@7.service/app.slice", "user@7.service/"),
        ])
    func `a peer has its process's unit, and a user unit is named with its manager`(
        slice: String, prefix: String
    ) throws {
        let name = "sextant-test-\(UInt32.random(in: .min ... .max)).service"
        let group = try #require(ControlGroup("\(slice)/\(name)"))
        let server = try Server()
        var arguments = Self.script(server.folder.socket, then: "time.sleep(1e6)")
        arguments[1] = "open('\(group.path)/cgroup.procs','w').write('0');" + arguments[1]
        let client = try ChildProgram(Self.python, arguments)
        let credentials = try #require(try credentials(server))
        #expect(credentials.unit == "\(prefix)\(name)")
        _ = client
    }
}

/// A control group of its own for one test, removed at its end with the folders that it made above.
private final class ControlGroup {
    /// Where systemd keeps its units, if groups may be made there.
    static let hierarchy = ["/sys/fs/cgroup/systemd", "/sys/fs/cgroup"].first {
        unsafe access("\($0)/cgroup.procs", W_OK) == 0
    }

    let path: String
    private var made: [String] = []

    init?(_ name: String) {
        guard let hierarchy = Self.hierarchy else { return nil }
        var path = hierarchy
        for component in name.split(separator: "/") {
            path += "/\(component)"
            if unsafe mkdir(path, 0o755) == 0 { made.append(path) }
        }
        self.path = path
        guard made.last == path else { return nil }
    }

    deinit { for path in made.reversed() { _ = unsafe rmdir(path) } }
}

@Suite("ProcessGuard")
struct ProcessGuardTests {
    @Test func `without a pidfd a process that still runs is confirmed`() throws {
        let guardian = ProcessGuard(withoutHandleOf: getpid())
        #expect(guardian?.stillHolds() == true)
    }

    @Test func `without a pidfd a process that ended meanwhile is not confirmed`() throws {
        let program = try ChildProgram("sleep", ["1000000"])
        let number = program.processID
        let guardian = ProcessGuard(withoutHandleOf: number)
        #expect(guardian?.stillHolds() == true)
        program.signal(SIGKILL)
        try program.waitForEnd()
        #expect(guardian?.stillHolds() == false)
        #expect(ProcessGuard(withoutHandleOf: number)?.stillHolds() == nil)
    }
}
