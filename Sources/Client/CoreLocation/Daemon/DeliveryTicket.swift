/// The ticket of a numbered event on its way to the program's delegates.
///
/// The daemon may forget the event once a delegate has taken it. An event that no delegate took is kept for a later
/// delegate.
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
