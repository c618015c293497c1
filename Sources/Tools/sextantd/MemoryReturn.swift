internal import SextantReactor
internal import SextantUnits

/// Returns unused memory to the system: after the start, and after clients have left.
///
/// Returning it takes about as long as serving several epochs, and what runs next is mapped again. So it is done once
/// for all clients that leave together, and at most once a second for clients that come and go without end.
final class MemoryReturn {
    /// The least nanoseconds from one return to the next.
    private static let pause: Int64 = 1_000_000_000

    private let reactor: Reactor
    private let alarm: Alarm
    /// Whether a client has left since memory was last returned.
    private var isDue = false
    private var isArmed = false
    private var next: MonotonicInstant

    init(_ reactor: Reactor) throws(SystemError) {
        self.reactor = reactor
        ProgramMemory.giveBack()
        next = reactor.now.advanced(byNanoseconds: MemoryReturn.pause)
        // The alarm's work is done at the end of its wake-up, as that of any other.
        alarm = try Alarm(in: reactor) {}
        reactor.afterEvents = { [self] in advance(to: reactor.now) }
    }

    func clientLeft() { isDue = true }

    private func advance(to now: MonotonicInstant) {
        guard isDue else { return }
        guard now >= next else {
            if !isArmed { alarm.set(at: next) }
            isArmed = true
            return
        }
        (isDue, isArmed, next) = (false, false, now.advanced(byNanoseconds: MemoryReturn.pause))
        ProgramMemory.giveBack()
    }
}
