internal import SextantReactor
internal import SextantUnits

/// Returns unused memory to the system: after the start, and after clients have left.
///
/// Returning it takes about as long as serving several epochs, and what runs next is mapped again. So it is done once
/// for all clients that leave together, and not again for a while. It never wakes the daemon: it waits for the end of a
/// wake-up that comes anyway.
final class MemoryReturn {
    /// Nanoseconds from one return to the next (10 s): clients that come and go without end cannot cause more.
    private static let pause: Int64 = 10_000_000_000

    /// Whether a client has left since memory was last returned.
    var isDue = false
    private var last: MonotonicInstant

    init(_ reactor: Reactor) {
        ProgramMemory.giveBack()
        last = reactor.now
        reactor.afterEvents = { [self, unowned reactor] in advance(to: reactor.now) }
    }

    private func advance(to now: MonotonicInstant) {
        guard isDue, now.nanoseconds(since: last) >= MemoryReturn.pause else { return }
        (isDue, last) = (false, now)
        ProgramMemory.giveBack()
    }
}
