internal import SextantUnits

/// The time, position and database for the receiver's next start.
struct Assistance: Sendable {
    var aid: ReceiverAid?
    /// The instant at which the host handed over `aid`; the time in `aid` is the time at this instant.
    var handedOver = MonotonicInstant.zero
    var database: NavigationDatabase?
    /// Whether the receiver has lost its backup memory since it was last given assistance.
    var isDatabaseGone = false
    /// Whether the receiver's flash may hold a database.
    var isInFlash = false
    /// The index of the next item to send: 0 is the time, 1 the position; the database's messages begin at 2.
    var next = 0
    /// The instant by which a dump of the database must have ended; otherwise it has failed.
    var dumpLimit = MonotonicInstant.zero
}
