package import SextantReactor
internal import SextantSockets

/// A connection to the daemon on the reactor's (event loop's) thread, for a service that connects only when needed and
/// never blocks.
///
/// It is a class, because the reactor's callbacks need a reference to it.
package final class DaemonPipe {
    private let path: String
    private let reactor: Reactor
    private var connection: Connection?
    private let received: ([UInt8]) -> Void
    private let lost: (String) -> Void

    /// The largest size of a received line, which can contain a client's polygons, and that of the output that waits to
    /// be sent; both in bytes.
    private static let settings = ConnectionSettings(
        separators: .newline, lineLimit: 262_144, outputCapacity: 65_536)

    /// - Parameters:
    ///   - received: Called with each line (one JSON object) from the daemon.
    ///   - lost: Called when the connection ends or cannot be made, with a sentence that says why.
    package init(
        path: String, reactor: Reactor, received: @escaping ([UInt8]) -> Void, lost: @escaping (String) -> Void
    ) {
        self.path = path
        self.reactor = reactor
        self.received = received
        self.lost = lost
    }

    package var isOpen: Bool { connection != nil }

    package func open() {
        guard connection == nil else { return }
        do throws(LocalSocketError) {
            let connection = try Connection.connected(
                toUnixSocket: path, settings: DaemonPipe.settings, reactor: reactor)
            self.connection = connection
            try start(connection)
        } catch {
            connection = nil
            lost("\(error)")
        }
    }

    private func start(_ connection: Connection) throws(LocalSocketError) {
        do {
            try connection.start(
                received: { [unowned self] event, line in
                    if event == .line { received(line.indices.map { line[$0] }) }
                },
                ended: { [unowned self] _ in close(because: "sextantd ended, and is waited for") })
        } catch {
            throw .other(what: error.call, errno: error.errno)
        }
    }

    package func send(_ request: DaemonRequest) {
        guard let connection else { return }
        if !connection.send(request.bytes) { close(because: "sextantd does not read") }
    }

    /// Ends the connection to the daemon without calling `lost`.
    package func close() {
        connection?.close()
        connection = nil
    }

    private func close(because sentence: String) {
        close()
        lost(sentence)
    }
}
