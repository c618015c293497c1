internal import Programs
internal import SextantReactor
internal import SextantUnits

/// Gives unused memory back to the kernel: after the start, and after clients have left.
///
/// Giving it back takes about as long as serving several epochs, and memory that is needed again must be mapped again.
/// So it is done once for all clients that leave together, and at most once per second if clients come and go without
/// end.
final class MemoryReturn {
    /// The shortest time between two returns of memory, in nanoseconds.
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
        // The alarm only wakes the reactor; at the end of every wake-up, `afterEvents` gives memory back to the kernel
        // if that is due.
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
