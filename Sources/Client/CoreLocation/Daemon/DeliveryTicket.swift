/// The ticket of a numbered event on its way to the program's delegates.
///
/// Once a delegate has taken the event, the client acknowledges it, and the daemon forgets it. An event that no
/// delegate took is kept for a later delegate.
final class DeliveryTicket: Sendable {
    let number: Int
    private let settle: @Sendable (Bool) -> Void
    private let isTaken = TakenMark()

    /// - Parameter settle: Called once, when the last delegate has returned, with whether any delegate took the
    /// event.
    init(number: Int, settle: @escaping @Sendable (Bool) -> Void) {
        self.number = number
        self.settle = settle
    }

    func take() {
        isTaken.set()
    }

    deinit {
        settle(isTaken.isSet)
    }
}
