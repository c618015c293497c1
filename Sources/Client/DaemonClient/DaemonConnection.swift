internal import ClientVocabulary
internal import SextantReactor
internal import SextantSockets
internal import SextantUnits

/// A connection to the daemon for a program that waits for answers: every call blocks.
public struct DaemonConnection: ~Copyable {
    private var socket: LocalClient
    /// The daemon's `hello` line, the first on the connection; it says as which client the daemon treats this process,
    /// and what that client is allowed.
    public private(set) var hello = DaemonLine()

    /// The longest time to wait for the daemon's `hello` line.
    ///
    /// Unit: second. systemd owns the socket, so a connection succeeds while the daemon is still starting; systemd
    /// starts the daemon 2 s after a crash (scripts/systemd/sextantd.service). A start takes some seconds on a slow SD
    /// card. A daemon that rebuilds a damaged database can take minutes; this wait is not long enough for that.
    public static let helloPatience = 35

    private init(_ socket: consuming LocalClient) { self.socket = socket }

    /// Connects to the daemon, waits at most `helloPatience` for its `hello` line, and checks that line.
    ///
    /// - Parameters:
    ///   - path: The socket's path; nil for the path that `DaemonAddress` names.
    ///   - isSlow: Called once if the `hello` line has not come within 3 s, so that the caller can tell the user why it
    ///     waits.
    public static func open(path: String? = nil, isSlow: () -> Void = {}) throws(DaemonError) -> DaemonConnection {
        try open(path: path, slow: 3_000_000_000, patience: Int64(helloPatience) * 1_000_000_000, isSlow: isSlow)
    }

    /// - Parameters:
    ///   - slow: The time in nanoseconds after which `isSlow` is called.
    ///   - patience: The time in nanoseconds after which the attempt to connect fails.
    static func open(
        path: String?, slow: Int64, patience: Int64, isSlow: () -> Void
    ) throws(DaemonError) -> DaemonConnection {
        let path = DaemonAddress.path(path)
        var connection = DaemonConnection(try connect(path))
        do throws(DaemonError) {
            let begin = Clock.now()
            var line = try connection.next(by: begin.advanced(byNanoseconds: slow))
            if line == nil {
                isSlow()
                line = try connection.next(by: begin.advanced(byNanoseconds: patience))
            }
            guard let line else { throw .unavailable("none came; see how it is: systemctl status sextantd") }
            connection.hello = line
        } catch {
            throw .unavailable("\(path): no sextantd's hello: \(error)")
        }
        try DaemonConnection.check(connection.hello, from: path)
        return connection
    }

    private static func connect(_ path: String) throws(DaemonError) -> LocalClient {
        do { return try LocalClient(path: path) } catch { throw .unavailable("\(error)") }
    }

    private static func check(_ line: DaemonLine, from path: String) throws(DaemonError) {
        guard line.event == .hello else {
            throw .unavailable("\(path): what answers there is no sextantd; name its socket with --socket")
        }
        guard line.integer(.protocol) == ProtocolVersion.current else {
            throw .unavailable(
                "\(path): the daemon there speaks another protocol than \(ProtocolVersion.current); "
                    + "install the same version of both")
        }
    }

    /// Sends a request, and blocks while the daemon is slow to read.
    public mutating func send(_ request: DaemonRequest) throws(DaemonError) { try send([request]) }

    /// Sends requests in one write.
    public mutating func send(_ requests: [DaemonRequest]) throws(DaemonError) {
        do { try socket.send(requests.flatMap(\.bytes)) } catch { throw .unavailable("\(error)") }
    }

    /// Waits for the next line (one JSON object) from the daemon and returns it.
    public mutating func next() throws(DaemonError) -> DaemonLine {
        let bytes: [UInt8]?
        do { bytes = try socket.readLine() } catch { throw .unavailable("\(error)") }
        return try DaemonConnection.decode(bytes)
    }

    /// Returns the daemon's next line if it has arrived already, without waiting; nil otherwise.
    public mutating func arrived() throws(DaemonError) -> DaemonLine? { try next(by: Clock.now()) }

    /// Waits for the next line from the daemon; nil if no line has come by the deadline.
    private mutating func next(by deadline: MonotonicInstant) throws(DaemonError) -> DaemonLine? {
        let bytes: [UInt8]?
        do throws(LocalSocketError) {
            bytes = try socket.readLine(deadline: deadline)
        } catch {
            if case .timedOut = error { return nil }
            throw .unavailable("\(error)")
        }
        return try DaemonConnection.decode(bytes)
    }

    /// Lends the socket's file descriptor number, so that a caller can poll it together with other descriptors.
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

/// Why the daemon could not be reached or understood, and what the user can do.
public enum DaemonError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The daemon could not be reached, or it closed the connection.
    case unavailable(String)
    /// The daemon sent a line that is not a JSON object.
    case damaged(String)

    public var description: String {
        switch self {
        case .unavailable(let text), .damaged(let text): text
        }
    }
}
