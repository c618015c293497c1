import Glibc
import SextantReactor
import SextantSockets
import TestSupport

extension TemporaryFolder {
    var socket: String { "\(path)/s" }
}

/// A server on one socket that notes what it hears, and runs its reactor until it has heard enough.
final class Server {
    let folder = TemporaryFolder()
    let reactor: Reactor
    private(set) var connections: [Connection] = []
    private(set) var heard: [String] = []
    private(set) var endings: [Connection.Ending] = []
    var onLine: (Connection, String) -> Void = { _, _ in }
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
        try connection.start { [unowned self] event, bytes in
            let text = event == .line ? String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) : "<too long>"
            heard.append(text)
            onLine(connection, text)
        } ended: { [unowned self] in
            endings.append($0)
        }
    }

    /// Serves until the condition holds; says if it does.
    func serve(until condition: @escaping () -> Bool) throws -> Bool {
        try reactor.serve(until: "what the test waits for") { condition() }
        return true
    }

    /// How often the loop is woken now, without waiting: a socket's other end is ready at once.
    func wakeUps() throws -> Int { try reactor.serveReady(atMost: 5) }
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}
