internal import ClientVocabulary
internal import Reactor
internal import Sockets
public import Units

/// A connection to the daemon for a program that waits for answers: every call blocks.
public struct DaemonConnection: ~Copyable {
    private var socket: LocalClient
    /// The daemon's first line, which names the client that this process counts as and what that client may see.
    public private(set) var hello = DaemonLine()

    private init(_ socket: consuming LocalClient) { self.socket = socket }

    /// Connects, and checks the daemon's first line, for which it waits at most 5 s.
    ///
    /// - Parameter path: The socket; nil for the one that `DaemonAddress` names.
    public static func open(path: String? = nil) throws(DaemonError) -> DaemonConnection {
        let path = DaemonAddress.path(path)
        var connection = DaemonConnection(try connect(path))
        connection.hello = try connection.takeHello(from: path)
        return connection
    }

    private static func connect(_ path: String) throws(DaemonError) -> LocalClient {
        do { return try LocalClient(path: path) } catch { throw .unavailable("\(error)") }
    }

    private mutating func takeHello(from path: String) throws(DaemonError) -> DaemonLine {
        let line: DaemonLine
        do {
            line = try next(deadline: Clock.now().advanced(byNanoseconds: 5_000_000_000))
        } catch {
            throw .unavailable("\(path): no sextantd's hello: \(error)")
        }
        guard line.event == .hello else {
            throw .unavailable("\(path): what answers there is no sextantd; name its socket with --socket")
        }
        guard line.integer(.protocol) == ProtocolVersion.current else {
            throw .unavailable(
                "\(path): the daemon there speaks another protocol than \(ProtocolVersion.current); "
                    + "install the same version of both")
        }
        return line
    }

    /// Sends a request, and waits where the daemon is slow to read.
    public mutating func send(_ request: DaemonRequest) throws(DaemonError) {
        do { try socket.send(request.bytes) } catch { throw .unavailable("\(error)") }
    }

    /// Waits for the daemon's next line and returns it.
    ///
    /// - Parameter deadline: The instant until which it waits; nil to wait without limit.
    public mutating func next(deadline: MonotonicInstant? = nil) throws(DaemonError) -> DaemonLine {
        let bytes: [UInt8]?
        do { bytes = try socket.readLine(deadline: deadline) } catch { throw .unavailable("\(error)") }
        return try DaemonConnection.decode(bytes)
    }

    /// Returns the daemon's next line if it has arrived already, without waiting; nil otherwise.
    public mutating func arrived() throws(DaemonError) -> DaemonLine? {
        let bytes: [UInt8]?
        do throws(LocalSocketError) {
            bytes = try socket.readLine(deadline: Clock.now())
        } catch {
            if case .timedOut = error { return nil }
            throw .unavailable("\(error)")
        }
        return try DaemonConnection.decode(bytes)
    }

    /// Lends the socket's number, so that a caller can wait for it together with others.
    public borrowing func withRawValue<Result>(_ body: (Int32) -> Result) -> Result {
        socket.descriptor.withRawValue(body)
    }

    private static func decode(_ bytes: [UInt8]?) throws(DaemonError) -> DaemonLine {
        guard let bytes else {
            throw .unavailable("the daemon closed the connection: it was stopped, or this program read too slowly")
        }
        guard let line = DaemonLine(bytes) else { throw .damaged("the daemon sent a line that is no JSON object") }
        return line
    }
}

/// Why the daemon could not be reached or understood, and the remedy.
public enum DaemonError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The daemon could not be reached, or has gone.
    case unavailable(String)
    /// The daemon sent what is no line of its protocol.
    case damaged(String)

    public var description: String {
        switch self {
        case .unavailable(let text), .damaged(let text): text
        }
    }
}
