/// The numbered events that this process has already received, by their numbers and what they tell.
///
/// A daemon whose card refused an event's number may give that number again after a sudden end, to another event.
/// Bound: the newest 1024.
struct SeenNumbers {
    struct Event: Hashable {
        let number: Int
        /// The kind of event, and of a region's its name and what happened when.
        let content: [String?]
    }

    private static let limit = 1_024
    private var order: [Event] = []
    private var all: Set<Event> = []

    /// Adds an event; false where it came before.
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
