internal import Engine
internal import Logging
internal import Sessions
internal import Store

/// What is held back for users' programs, in a log where there is a directory for it, else as long as the daemon lasts.
///
/// A store that fails says once what is lost and how to mend it, and is tried again with the next fix.
struct DeferredStore {
    private let log: DeferredLog?
    private let logger: Logger
    /// Fixes that are to be on the card before anything more is sent.
    private var waiting: [DeferredLog.Record] = []
    private var hasComplained = false

    init(directory: String?, logger: Logger) {
        self.logger = logger
        do {
            log = try directory.map { try DeferredLog(directory: $0) }
        } catch {
            log = nil
            logger.error(
                """
                deferred fixes are kept in memory alone, and those from before are not delivered: \(error); \
                then restart sextantd
                """)
        }
        if let aside = log?.setAside {
            logger.error(
                """
                the log of deferred fixes was damaged; those that are whole were taken over, and the damaged file is \
                \(aside)
                """)
        }
    }

    /// What was kept when the daemon last ran, oldest first; given once.
    func takeFound() -> [[UInt8]] { log?.takeFound() ?? [] }

    /// Takes a fix that is to be on the card before what follows is sent.
    mutating func take(_ record: DeferredLog.Record) {
        if log != nil { waiting.append(record) }
    }

    /// Puts on the card what was taken.
    mutating func flush() {
        guard let log, !waiting.isEmpty else { return }
        let (batch, logger) = (waiting, logger)
        waiting = []
        attempt("deferred fixes are kept in memory alone, and lost if sextantd or the board stops") {
            () throws(StoreError) in
            let dropped = try log.append(batch)
            if dropped > 0 {
                logger.error("the log of deferred fixes is full: the oldest \(dropped) are lost over a restart")
            }
        }
    }

    /// Forgets what was delivered.
    mutating func acknowledge(_ key: DeferredKey, through sequence: UInt64) {
        guard let log else { return }
        flush()
        attempt("deferred fixes that were delivered may be delivered again after a restart") {
            () throws(StoreError) in
            try log.acknowledge(key, through: sequence)
        }
    }

    private mutating func attempt(_ loss: String, _ work: () throws(StoreError) -> Void) {
        do throws(StoreError) {
            try work()
            hasComplained = false
        } catch {
            if !hasComplained { logger.error("\(loss): \(error)") }
            hasComplained = true
        }
    }
}
