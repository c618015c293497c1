internal import Glibc
internal import Logging
internal import Programs

/// Writes log lines to standard error: under systemd with the journal's priority before each line, elsewhere with the
/// program's name.
///
/// The journal itself adds time, program and host; a line on a terminal needs no time and no host. Source:
/// sd-daemon(3), "SD_ERR".
struct StandardErrorLog: LogHandler {
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()

    private static let output = LogOutput(2)
    private let isJournal = unsafe getenv("JOURNAL_STREAM") != nil

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let prefix = isJournal ? "<\(StandardErrorLog.priority(of: event.level))>" : "sextantd: "
        StandardErrorLog.output.write("\(event.message)", prefix: prefix)
    }

    private static func priority(of level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
