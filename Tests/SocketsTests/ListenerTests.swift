import Glibc
import SextantReactor
import SextantSockets
import SextantUnits
import TestSupport
import Testing

private let settings = ConnectionSettings(separators: .newline, lineLimit: 64, outputCapacity: 4096)

@Suite("UnixListener")
struct UnixListenerTests {
    let folder = TemporaryFolder()
    let reactor: Reactor

    init() throws { reactor = try Reactor() }

    private func listen(_ path: String, mode: UInt32 = 0o600) throws(LocalSocketError) -> UnixListener {
        try UnixListener(path: path, mode: mode, settings: settings, reactor: reactor) { _ in }
    }

    private func permissions(_ path: String) -> UInt32? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    @Test(arguments: [0o600, 0o660, 0o666] as [UInt32])
    func `the socket has the requested permissions, and is removed with the listener`(mode: UInt32) throws {
        var listener: UnixListener? = try listen(folder.socket, mode: mode)
        #expect(permissions(folder.socket) == mode)
        listener = nil
        #expect(permissions(folder.socket) == nil)
        _ = listener
    }

    @Test func `creates the socket's directory`() throws {
        let directory = "\(folder.path)/run"
        do {
            let listener = try listen("\(directory)/s")
            #expect(permissions("\(directory)/s") == 0o600)
            _ = listener
        }
        #expect(unsafe rmdir(directory) == 0)
    }

    @Test func `replaces the socket of a daemon that is gone`() throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(bindPlainly(descriptor, to: folder.socket) == 0)
        close(descriptor)
        #expect(permissions(folder.socket) != nil)
        let listener = try listen(folder.socket)
        _ = try LocalClient(path: folder.socket)
        _ = listener
    }

    @Test func `a second daemon is refused, and the first keeps its socket`() throws {
        let first = try listen(folder.socket)
        #expect(throws: LocalSocketError.alreadyServed(path: folder.socket)) { _ = try listen(folder.socket) }
        _ = try LocalClient(path: folder.socket)
        _ = first
    }

    @Test func `does not remove a file that is not a socket`() throws {
        _ = try Descriptor(opening: folder.socket, flags: O_WRONLY | O_CREAT)
        #expect(throws: LocalSocketError.notASocket(path: folder.socket)) { _ = try listen(folder.socket) }
        #expect(permissions(folder.socket) != nil)
    }

    @Test func `refuses a path too long for the kernel`() {
        let path = folder.path + "/" + String(repeating: "x", count: 120)
        #expect(throws: LocalSocketError.pathTooLong(path: path)) { _ = try listen(path) }
    }

    @Test func `a client gets an error when no daemon answers`() {
        #expect(throws: LocalSocketError.noDaemon(path: folder.socket)) { _ = try LocalClient(path: folder.socket) }
    }

    @Test func `a client waits no longer than its deadline`() throws {
        let listener = try listen(folder.socket)
        var client = try LocalClient(path: folder.socket)
        do throws(LocalSocketError) {
            _ = try client.readLine(deadline: Clock.now().advanced(byNanoseconds: 5_000_000))
            Issue.record("a line came of nowhere")
        } catch {
            #expect(error == .timedOut)
        }
        _ = listener
    }

    private func bindPlainly(_ descriptor: Int32, to path: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        return unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

@Suite("TCPListener")
struct TCPListenerTests {
    let reactor: Reactor

    init() throws { reactor = try Reactor() }

    private func listen(
        port: UInt16, addresses: [String] = TCPListener.loopback, accepted: @escaping (Connection) -> Void = { _ in }
    ) throws(LocalSocketError) -> TCPListener {
        try TCPListener(port: port, addresses: addresses, settings: settings, reactor: reactor, accepted: accepted)
    }

    @Test func `accepts a client on the loopback address with its address`() throws {
        var peers: [Peer] = []
        let listener = try listen(port: 0) { [reactor] connection in
            peers.append(connection.peer)
            reactor.stop()
        }
        #expect(listener.port != 0)
        #expect(listener.addresses.first == "127.0.0.1")
        let client = try connect(to: listener.port)
        try reactor.run(until: "the client")
        #expect(peers == [.network(address: "127.0.0.1")])
        _ = consume client
    }

    @Test func `reports a port in use`() throws {
        let first = try listen(port: 0)
        #expect(throws: LocalSocketError.addressInUse(address: "127.0.0.1", port: first.port)) {
            _ = try listen(port: first.port)
        }
    }

    @Test func `reports an invalid address`() {
        #expect(throws: LocalSocketError.invalidAddress("localhost")) {
            _ = try listen(port: 0, addresses: ["localhost"])
        }
    }

    @Test func `an IPv6 address that this board lacks is skipped`() throws {
        let listener = try listen(port: 0, addresses: ["127.0.0.1", "2001:db8::1"])
        #expect(listener.addresses == ["127.0.0.1"])
    }

    private func connect(to port: UInt16) throws -> Descriptor {
        let descriptor = Descriptor(adopting: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = descriptor.withRawValue { number in
            unsafe withUnsafePointer(to: &address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        #expect(result == 0)
        return descriptor
    }
}
