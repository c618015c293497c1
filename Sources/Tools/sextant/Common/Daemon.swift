internal import ClientVocabulary
internal import DaemonClient

/// A command's connection to the daemon; a failure ends the command with a message and an exit status.
struct Daemon: ~Copyable {
    private var connection: DaemonConnection

    /// The daemon's first line, which names the client as which the daemon treats this command, and what that client
    /// can see.
    var hello: DaemonLine { connection.hello }

    /// Connects and checks the daemon's first line.
    ///
    /// - Parameter path: The socket; nil for the value of `SEXTANT_SOCKET`, or the daemon's default path if that is not
    ///   set.
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

    /// Waits for the daemon's next line and returns it; throws an `error` event and the end of the connection.
    mutating func next() throws(CommandFailure) -> DaemonLine { try line().checked() }

    /// Skips lines up to one with one of these events and returns that line; throws an `error` event.
    mutating func next(_ events: Set<EventName>) throws(CommandFailure) -> DaemonLine {
        try answer(events).checked()
    }

    /// Skips lines up to one with one of these events or with `error`, and returns that line.
    mutating func answer(_ events: Set<EventName>) throws(CommandFailure) -> DaemonLine {
        while true {
            let line = try line()
            if let event = line.event, event == .error || events.contains(event) { return line }
        }
    }

    /// Returns the daemon's next line, also an `error`, if it has arrived already; nil otherwise.
    mutating func arrived() throws(CommandFailure) -> DaemonLine? {
        do { return try connection.arrived() } catch { throw CommandFailure(error) }
    }

    private mutating func line() throws(CommandFailure) -> DaemonLine {
        do { return try connection.next() } catch { throw CommandFailure(error) }
    }

    /// Lends the socket's file descriptor number, so that a caller can poll it together with other descriptors.
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
    /// Returns this line; an `error` event is thrown as a failure, with its remedy.
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
