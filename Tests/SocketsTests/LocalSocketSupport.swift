import Glibc
import Reactor
import Sockets
import Units

/// A directory of its own for one test, removed with the socket in it.
final class Folder {
    let path: String
    var socket: String { "\(path)/s" }

    init() {
        path = "/tmp/sextant-test-\(getpid())-\(UInt32.random(in: .min ... .max))"
        precondition(unsafe mkdir(path, 0o700) == 0)
    }

    deinit {
        _ = unsafe unlink(socket)
        _ = unsafe rmdir(path)
    }
}

/// A server on one socket that notes what it hears, and runs its reactor until it has heard enough.
final class Server {
    let folder = Folder()
    let reactor: Reactor
    private(set) var connections: [Connection] = []
    private(set) var heard: [String] = []
    private(set) var endings: [Connection.Ending] = []
    var onLine: (Connection, String) -> Void = { _, _ in }
    private var noted: () -> Void = {}
    private var listener: UnixListener?

    init(separators: LineSeparators = .newline, lineLimit: Int = 64, outputCapacity: Int = 1 << 16) throws {
        reactor = try Reactor()
        let settings = ConnectionSettings(
            separators: separators, lineLimit: lineLimit, outputCapacity: outputCapacity)
        listener = try UnixListener(path: folder.socket, mode: 0o600, settings: settings, reactor: reactor) {
            [unowned self] connection in try? welcome(connection)
        }
    }

    private func welcome(_ connection: Connection) throws {
        connections.append(connection)
        defer { noted() }
        try connection.start { [unowned self] event, bytes in
            let text = event == .line ? String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) : "<too long>"
            heard.append(text)
            onLine(connection, text)
            noted()
        } ended: { [unowned self] in
            endings.append($0)
            noted()
        }
    }

    /// Serves until the condition holds after something was noted, or five seconds have passed; says if it holds.
    func serve(until condition: @escaping () -> Bool) throws -> Bool {
        if condition() { return true }
        noted = { [unowned self] in if condition() { reactor.stop() } }
        reactor.onWake { [unowned self] _ in reactor.stop() }
        reactor.setWake(at: Clock.now().advanced(byNanoseconds: 5_000_000_000))
        try reactor.run()
        reactor.setWake(at: nil)
        noted = {}
        return condition()
    }

    /// Serves this long, and returns how often the loop was woken, its timer not counted.
    func wakeUps(inMilliseconds limit: Int64) throws -> UInt64 {
        let before = reactor.wakeUps
        reactor.onWake { [unowned self] _ in reactor.stop() }
        reactor.setWake(at: Clock.now().advanced(byNanoseconds: limit * 1_000_000))
        try reactor.run()
        return reactor.wakeUps - before - 1
    }
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}
