internal import SextantUnits

/// The time, the position and the navigation database that the host gives the receiver at its next start.
struct Assistance: Sendable {
    var aid: ReceiverAid?
    /// The instant at which the controller got `aid` (time and position), and for which the time in it holds.
    var handedOver = MonotonicInstant.zero
    var database: NavigationDatabase?
    /// Whether the receiver has lost its backup memory since it was last given assistance.
    var isDatabaseGone = false
    /// Whether the receiver's flash may hold a copy of the navigation database.
    var isInFlash = false
    /// The index of the next item to send: 0 is the time, 1 the position; the database's messages begin at 2.
    var next = 0
    /// The instant at which the dump of the database counts as failed if it has not ended.
    var dumpLimit = MonotonicInstant.zero
}
