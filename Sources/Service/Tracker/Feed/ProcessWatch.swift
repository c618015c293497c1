internal import ClientProtocol
internal import SextantReactor
internal import SextantUnits

/// Figures about the daemon's own process, which the Engine cannot know.
///
/// It is looked at when a local client asks something, because nothing else tells of it, and once a second at most. A
/// class, because a closure keeps it.
final class ProcessWatch {
    private let isDriven: Bool
    private let reactor: Reactor
    private let madeAt: MonotonicInstant
    private var last: (told: ProcessFigures, at: MonotonicInstant)?

    /// Nanoseconds between two looks at the process.
    private static let lookInterval: Int64 = 1_000_000_000
    /// Nanoseconds by which the wall clock must have been put right for the time of the start to be told anew.
    private static let clockStep: Int64 = 1_000_000_000

    /// - Parameter isDriven: Whether the clock is driven, so that nothing measured in real time is told.
    init(isDriven: Bool, _ reactor: Reactor) {
        self.isDriven = isDriven
        self.reactor = reactor
        madeAt = reactor.now
    }

    /// The process's figures where they have changed; nil where they have not, or were looked at just now.
    ///
    /// - Parameters:
    ///   - clientsDropped: Connections that were ended because too much waited for them.
    ///   - storeErrors: How often changes could not be written to the card.
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
