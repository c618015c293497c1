internal import DaemonClient

/// The events with a number, which the daemon keeps until this client acknowledges them.
struct NumberedEvents {
    private static let maximumKept = 64

    private var seen = SeenNumbers()
    /// The daemon's lines with events that no delegate or monitor took; beyond 64 the oldest is dropped, and the daemon
    /// sends it again later.
    private(set) var kept: [DaemonLine] = []
    /// The numbers of the events that are on their way to delegates or monitors.
    private var travelling: Set<Int> = []

    /// Remembers the event in a line, if it has a number; false if the same event came before.
    mutating func insert(_ line: DaemonLine) -> Bool {
        line.numbered.map { seen.insert($0) } ?? true
    }

    /// Whether the event with this number is being delivered, or kept for a later delivery, and so is not acknowledged
    /// yet.
    func isOpen(_ number: Int) -> Bool {
        travelling.contains(number) || kept.contains { $0.number == number }
    }

    mutating func depart(_ number: Int) {
        travelling.insert(number)
    }

    mutating func arrive(_ number: Int) {
        travelling.remove(number)
    }

    mutating func keep(_ line: DaemonLine) {
        kept.append(line)
        guard kept.count > Self.maximumKept, let oldest = kept.removeFirst().numbered else { return }
        seen.forget(oldest)
    }

    mutating func takeKept() -> [DaemonLine] {
        defer { kept = [] }
        return kept
    }
}
