internal import ClientProtocol
internal import Glibc
internal import JSON
internal import Reactor
internal import Sockets
internal import Tracker
internal import Units

/// A command's connection to the daemon, which sends and receives lines.
struct DaemonConnection: ~Copyable {
    private var client: LocalClient
    /// The daemon's first line, which names the client that this command counts as and what that client may see.
    private(set) var hello = DaemonLine(bytes: [], members: [:])

    private init(_ client: consuming LocalClient) { self.client = client }

    /// Connects and checks the daemon's hello.
    ///
    /// - Parameter path: The socket; nil for the value of `SEXTANT_SOCKET`, or else the daemon's default path.
    static func open(path: String?) throws(CommandFailure) -> DaemonConnection {
        let environment = unsafe getenv("SEXTANT_SOCKET").map { unsafe String(cString: $0) }
        let socket = path ?? environment ?? TrackerSettings.defaultSocket
        var connection = DaemonConnection(try connect(socket))
        connection.hello = try connection.takeHello(from: socket)
        guard connection.hello.number("protocol") == Double(ProtocolVersion.current) else {
            throw .unavailable(
                "\(socket): the daemon there speaks another protocol than \(ProtocolVersion.current); "
                    + "install the same version of both")
        }
        return connection
    }

    private mutating func takeHello(from socket: String) throws(CommandFailure) -> DaemonLine {
        let line: DaemonLine
        do {
            line = try next(deadline: Clock.now().advanced(byNanoseconds: 5_000_000_000))
        } catch {
            throw .unavailable("\(socket): no sextantd's hello: \(error.message)")
        }
        guard line.text("event") == "hello" else {
            throw .unavailable("\(socket): what answers there is no sextantd; name its socket with --socket")
        }
        return line
    }

    private static func connect(_ socket: String) throws(CommandFailure) -> LocalClient {
        do {
            return try LocalClient(path: socket)
        } catch {
            throw .unavailable("\(error)")
        }
    }

    mutating func send(_ request: String) throws(CommandFailure) {
        do {
            try client.send(Array((request + "\n").utf8))
        } catch {
            throw .unavailable("\(error)")
        }
    }

    /// The next line, decoded; an `error` event and the end of the connection are thrown.
    mutating func next(deadline: MonotonicInstant? = nil) throws(CommandFailure) -> DaemonLine {
        try line(deadline: deadline).checked()
    }

    /// The next line with one of these events, or an `error`; others are skipped.
    mutating func answer(_ events: Set<String>) throws(CommandFailure) -> DaemonLine {
        while true {
            let line = try line(deadline: nil)
            if let event = line.text("event"), event == "error" || events.contains(event) { return line }
        }
    }

    private mutating func line(deadline: MonotonicInstant?) throws(CommandFailure) -> DaemonLine {
        let bytes: [UInt8]?
        do {
            bytes = try client.readLine(deadline: deadline)
        } catch {
            throw .unavailable("\(error)")
        }
        return try DaemonConnection.decode(bytes)
    }

    /// The next line with one of these events; others are skipped.
    mutating func next(_ events: Set<String>) throws(CommandFailure) -> DaemonLine {
        while true {
            let line = try next()
            if let event = line.text("event"), events.contains(event) { return line }
        }
    }

    /// A line that has arrived already, also an error; nil where there is none.
    mutating func arrived() throws(CommandFailure) -> DaemonLine? {
        let bytes: [UInt8]?
        do throws(LocalSocketError) {
            bytes = try client.readLine(deadline: Clock.now())
        } catch {
            if case .timedOut = error { return nil }
            throw .unavailable("\(error)")
        }
        return try DaemonConnection.decode(bytes)
    }

    /// Lends the socket's number, so that a caller can wait for it together with others.
    borrowing func withRawValue<Result>(_ body: (Int32) -> Result) -> Result { client.descriptor.withRawValue(body) }

    private static func decode(_ bytes: [UInt8]?) throws(CommandFailure) -> DaemonLine {
        guard let bytes else {
            throw .unavailable("the daemon closed the connection: it was stopped, or this command read too slowly")
        }
        guard case .object(let members)? = try? JSONValue(parsing: bytes) else {
            throw .data("the daemon sent a line that is no JSON object")
        }
        return DaemonLine(bytes: bytes, members: members)
    }
}

/// A line from the daemon, with its bytes as received and its decoded members.
struct DaemonLine {
    var bytes: [UInt8]
    var members: [String: JSONValue]

    func text(_ key: String) -> String? {
        if case .string(let value)? = members[key] { return value }
        return nil
    }

    func number(_ key: String) -> Double? {
        if case .number(let value)? = members[key] { return value }
        return nil
    }

    func flag(_ key: String) -> Bool? {
        if case .bool(let value)? = members[key] { return value }
        return nil
    }

    /// The texts in an array member.
    func texts(_ key: String) -> [String] {
        guard case .array(let elements)? = members[key] else { return [] }
        return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// The objects in an array member.
    func objects(_ key: String) -> [DaemonLine] {
        guard case .array(let elements)? = members[key] else { return [] }
        return elements.compactMap { element in
            if case .object(let inner) = element { return DaemonLine(bytes: [], members: inner) }
            return nil
        }
    }

    func object(_ key: String) -> DaemonLine? {
        if case .object(let inner)? = members[key] { return DaemonLine(bytes: [], members: inner) }
        return nil
    }

    /// Returns this line; an `error` event is thrown as a failure, with its remedy.
    func checked() throws(CommandFailure) -> DaemonLine {
        guard text("event") == "error" else { return self }
        let message = text("message") ?? "the daemon refused"
        throw switch text("code") {
        case "timeout": .unavailable(message + "; wait longer with --timeout, or see sextant status")
        case "notOperator": .unavailable(message + "; run it as root, or have the manifest changed")
        case "noManifest": .unavailable(DaemonAccess.noManifest)
        case "noSuchClient": .data(message)
        default: .unavailable(message)
        }
    }
}
