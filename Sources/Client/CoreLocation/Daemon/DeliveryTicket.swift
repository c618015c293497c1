/// An object that travels with a numbered event to the program's delegates and tells whether one of them took it.
///
/// Once a delegate has taken the event, the client acknowledges it, and the daemon forgets it. An event that no
/// delegate took is kept for a later delegate.
final class DeliveryTicket: Sendable {
    let number: Int
    private let settle: @Sendable (Bool) -> Void
    private let isTaken = TakenMark()

    /// - Parameter settle: Called once, when the last delegate has returned; its argument says whether any delegate
    ///   took the event.
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
