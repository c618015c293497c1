internal import ClientVocabulary
internal import DaemonClient

/// A command's connection to the daemon; a failure of the connection ends the command with a message and an exit
/// status.
struct Daemon: ~Copyable {
    private var connection: DaemonConnection

    /// The daemon's first line (a JSON object), which says which client this command is to the daemon, and what that
    /// client is allowed to see.
    var hello: DaemonLine { connection.hello }

    /// Connects, and checks the daemon's first line.
    ///
    /// - Parameter path: The path of the daemon's socket; nil for the value of the environment variable
    ///   `SEXTANT_SOCKET`, or, if it is not set, the daemon's default path.
    init(path: String?) throws(CommandFailure) {
        do {
            connection = try DaemonConnection.open(path: path) {
                StandardError.write("sextant: sextantd does not answer yet; it may be starting")
            }
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Sends requests in one write.
    mutating func send(_ requests: DaemonRequest...) throws(CommandFailure) {
        do { try connection.send(requests) } catch { throw CommandFailure(error) }
    }

    /// Waits for the daemon's next line (one JSON object) and returns it; throws if the line is an `error` event, or if
    /// the connection ends.
    mutating func next() throws(CommandFailure) -> DaemonLine { try line().checked() }

    /// Skips the daemon's lines until one has one of these events, and returns that line; throws if an `error` event
    /// comes first.
    mutating func next(_ events: Set<EventName>) throws(CommandFailure) -> DaemonLine {
        try answer(events).checked()
    }

    /// Skips the daemon's lines until one has one of these events or is an `error`, and returns that line.
    mutating func answer(_ events: Set<EventName>) throws(CommandFailure) -> DaemonLine {
        while true {
            let line = try line()
            if let event = line.event, event == .error || events.contains(event) { return line }
        }
    }

    /// Returns the daemon's next line, even if it is an `error`, without waiting; nil if no line has arrived yet.
    mutating func arrived() throws(CommandFailure) -> DaemonLine? {
        do { return try connection.arrived() } catch { throw CommandFailure(error) }
    }

    private mutating func line() throws(CommandFailure) -> DaemonLine {
        do { return try connection.next() } catch { throw CommandFailure(error) }
    }

    /// Lends the file descriptor number of the socket, so that a caller can wait for it together with other descriptors
    /// in poll(2).
    borrowing func withRawValue<Result>(_ body: (Int32) -> Result) -> Result { connection.withRawValue(body) }
}

extension CommandFailure {
    fileprivate init(_ error: DaemonError) {
        self =
            switch error {
            case .unavailable(let message): .unavailable(message)
            case .damaged(let message): .data(message)
            }
    }
}

extension DaemonLine {
    /// Returns this line unless it is an `error` event; throws an `error` event as a failure that names the remedy.
    func checked() throws(CommandFailure) -> DaemonLine {
        guard event == .error else { return self }
        let message = text(.message) ?? "the daemon refused"
        throw switch code {
        case .timeout: .later(message + "; wait longer with --timeout, or see sextant status")
        case .notOperator: .refused(message + "; run it as root, or have the manifest changed")
        case .noManifest: .refused(DaemonAccess.noManifest)
        case .unmetRequirement: .refused(message)
        case .storeBusy: .later(message)
        case .noSuchClient: .data(message)
        default: .unavailable(message)
        }
    }
}
