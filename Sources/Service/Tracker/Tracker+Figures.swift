internal import ClientProtocol
internal import Engine
internal import SextantReactor
internal import SextantUnits

/// What the process knows of itself and the Engine cannot know.
extension Tracker {
    /// Nanoseconds between two looks at the process.
    private static let lookInterval: Int64 = 1_000_000_000
    /// Nanoseconds by which the wall clock must have been put right for the time of the start to be told anew.
    private static let clockStep: Int64 = 1_000_000_000

    /// Tells the Engine the process's figures where they have changed; looks at them once a second at most.
    ///
    /// Called when a local client asks something, because nothing else tells of them.
    func tellFigures() {
        let now = reactor.now
        if let figures, now.nanoseconds(since: figures.at) < Tracker.lookInterval { return }
        let isVirtual = hardware.drivesClock
        var startedAt = reactor.utc.advanced(byNanoseconds: -now.nanoseconds(since: madeAt))
        if let told = figures?.told.startedAt, abs(startedAt.nanoseconds &- told.nanoseconds) < Tracker.clockStep {
            startedAt = told
        }
        let new = ProcessFigures(
            startedAt: startedAt, residentBytes: isVirtual ? 0 : ProgramMemory.residentBytes,
            longestTurn: isVirtual ? 0 : reactor.longestTurn, clientsDropped: droppedCount,
            storeErrors: stateStore.errorCount)
        let isNews = new != figures?.told
        figures = (new, now)
        if isNews { feed(.figures(new)) }
    }
}
