internal import Logging
internal import SextantReactor
internal import SextantUnits

/// Writes the tracker's messages for people to the log, each only once, however often its cause recurs.
///
/// A class, because the parts of the tracker share it.
final class Journal {
    let logger: Logger
    /// The path of the receiver's device, used in messages about it.
    let device: String
    private let reactor: Reactor
    /// The problems that were logged and are not resolved yet, by what they are about.
    private var complaints: [String: String] = [:]
    private var repeatedLines = RepeatedLines()
    /// Called when a log line was only counted, so that the number of its repetitions must be logged later.
    var planWake: () -> Void = {}

    init(_ logger: Logger, device: String, reactor: Reactor) {
        self.logger = logger
        self.device = device
        self.reactor = reactor
    }

    func error(_ line: String) { logger.error("\(line)") }

    /// Logs a line that clients can cause as often as they like: at once, and then once per minute with the number of
    /// repetitions.
    ///
    /// - Parameter key: The line's kind; lines of one kind are counted together.
    func note(_ line: String, kind key: String) {
        if let line = repeatedLines.take(line, kind: key, at: reactor.now) { logger.notice("\(line)") }
        planWake()
    }

    /// Logs the problem of a subject, unless it is logged already and not resolved; nil for the problem says that it is
    /// resolved.
    func complain(_ problem: String?, about subject: String) {
        guard complaints[subject] != problem else { return }
        complaints[subject] = problem
        if let problem { logger.error("\(problem)") }
    }

    /// When the number of repeated log lines must be logged next; nil for never.
    var deadline: MonotonicInstant? { repeatedLines.deadline }

    /// Logs the numbers of repeated log lines that are due.
    func advance(to instant: MonotonicInstant) {
        for line in repeatedLines.advance(to: instant) { logger.notice("\(line)") }
    }
}
