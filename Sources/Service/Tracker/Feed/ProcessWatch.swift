internal import ClientProtocol
internal import Programs
internal import SextantReactor
internal import SextantUnits

/// Figures about the daemon's own process, which the Engine (the daemon's logic) cannot know.
///
/// They are read when a local client sends a request, because they appear only in answers, and at most once per second.
/// A class, because a closure captures it.
final class ProcessWatch {
    private let isDriven: Bool
    private let reactor: Reactor
    private let madeAt: MonotonicInstant
    private var last: (told: ProcessFigures, at: MonotonicInstant)?

    /// The smallest interval in nanoseconds between two readings of the process's figures.
    private static let lookInterval: Int64 = 1_000_000_000
    /// The smallest correction of the wall clock, in nanoseconds, after which the time of the process's start is
    /// reported again.
    private static let clockStep: Int64 = 1_000_000_000

    /// - Parameter isDriven: Whether the clock is virtual; then nothing that is measured in real time is reported.
    init(isDriven: Bool, _ reactor: Reactor) {
        self.isDriven = isDriven
        self.reactor = reactor
        madeAt = reactor.now
    }

    /// The process's figures if they have changed; nil if they have not, or were read less than a second ago.
    ///
    /// - Parameters:
    ///   - clientsDropped: The number of connections closed since the daemon started because too many bytes waited for
    ///     them.
    ///   - storeErrors: The number of failed writes to the storage card since the daemon started.
    func news(_ clientsDropped: UInt64, _ storeErrors: UInt64) -> ProcessFigures? {
        let now = reactor.now
        if let last, now.nanoseconds(since: last.at) < ProcessWatch.lookInterval { return nil }
        var startedAt = reactor.utc.advanced(byNanoseconds: -now.nanoseconds(since: madeAt))
        if let told = last?.told.startedAt, abs(startedAt.nanoseconds &- told.nanoseconds) < ProcessWatch.clockStep {
            startedAt = told
        }
        let new = ProcessFigures(
            startedAt: startedAt, residentBytes: isDriven ? 0 : ProgramMemory.residentBytes,
            longestTurn: isDriven ? 0 : reactor.longestTurn, clientsDropped: clientsDropped, storeErrors: storeErrors)
        defer { last = (new, now) }
        return new == last?.told ? nil : new
    }
}
