/// The numbered events that this process has already received, each with its number and content.
///
/// The content is compared too, because a daemon that could not store a number on its SD card can give that number to
/// another event after a crash. Bound: the newest 1024 events.
struct SeenNumbers {
    struct Event: Hashable {
        let number: Int
        /// The parts of an event by which a repetition is recognised: the kind of event, and for a region event also
        /// the identifier, monitor, transition and time.
        let content: [String?]
    }

    private static let limit = 1_024
    private var order: [Event] = []
    private var all: Set<Event> = []

    /// Adds an event; false if the event came before.
    mutating func insert(_ event: Event) -> Bool {
        guard all.insert(event).inserted else { return false }
        order.append(event)
        if order.count > Self.limit { all.remove(order.removeFirst()) }
        return true
    }

    /// Forgets an event, so that it is accepted when the daemon sends it again.
    mutating func forget(_ event: Event) {
        all.remove(event)
        order.removeAll { $0 == event }
    }
}
