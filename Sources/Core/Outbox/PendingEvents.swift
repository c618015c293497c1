internal import ClientVocabulary
internal import Parts

/// The events of one client that wait until the client acknowledges them.
///
/// An event goes to every connection of the client that asked for the event's service, once to each, in the order of
/// the numbers, and only after it was stored: an event that a client was sent must not come again under another number.
/// Numbers are the client's own, so that a gap tells nothing of other clients. At most 64 significant changes wait;
/// then a newer one replaces the oldest. Beyond 256 events, the oldest region or visit event is dropped.
struct PendingEvents: Sendable, Equatable {
    static let capacity = 256
    /// The largest number of significant location changes that can wait for one client.
    static let changeCapacity = 64

    enum Effect: Sendable, Equatable {
        /// Store the event, after those that were stored before it; then call the function `stored`.
        case store(PendingEvent)
        /// Delete the event from the store.
        case forget(client: String, number: UInt64)
        case deliver(PendingEvent, to: ClientID)
        /// This event was dropped, because too many events wait that the client does not acknowledge; for the
        /// operator's log.
        case dropped(PendingEvent)
    }

    /// A connection of the client, and for each service the last event that the connection was sent.
    private struct Listener: Sendable, Equatable {
        let connection: ClientID
        /// The number of the last event that was sent, for each service that the connection asked for.
        var sent: [MonitoredService: UInt64] = [:]
    }

    private let client: String
    /// The waiting events, in the order of their numbers.
    private(set) var events: [PendingEvent] = []
    /// The number of the client's newest event.
    ///
    /// This number is stored in a row of its own, because once all events are acknowledged no stored event shows it.
    private(set) var lastNumber: UInt64
    private var durableThrough: UInt64
    private var listeners: [Listener] = []

    /// - Parameter lastNumber: The highest event number in the store; 0 if there is none.
    init(of client: String, lastNumber: UInt64 = 0) {
        self.client = client
        self.lastNumber = lastNumber
        durableThrough = lastNumber
    }

    /// Takes over an event that was stored before the daemon's start, and inserts it among the others by its number.
    ///
    /// This is `restore` in the Promela model outbox.pml.
    mutating func restore(_ event: PendingEvent) -> [Effect] {
        guard !events.contains(where: { $0.number == event.number }) else { return [] }
        restore(lastNumber: event.number)
        events.append(event)
        events.sort { $0.number < $1.number }
        return dropOldest()
    }

    /// Takes over the number of the newest event, which was stored before the daemon's start.
    mutating func restore(lastNumber number: UInt64) {
        lastNumber = max(lastNumber, number)
        durableThrough = lastNumber
    }

    /// Adds a new event.
    ///
    /// This is `post` in the Promela models authorization.pml and outbox.pml.
    mutating func post(_ kind: PendingEvent.Kind) -> [Effect] {
        lastNumber += 1
        let event = PendingEvent(number: lastNumber, client: client, kind: kind)
        events.append(event)
        return [.store(event)] + dropOldest()
    }

    /// Returns a new number for a message that is no event but must be acknowledged as well.
    mutating func takeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Forgets all significant location changes but the newest.
    ///
    /// The number of changes would tell a client with reduced accuracy how the board moved.
    mutating func keepNewestChange() -> [Effect] { keepChanges(1) }

    private mutating func keepChanges(_ count: Int) -> [Effect] {
        let changes = events.filter { $0.service == .significantChange }.map { $0.number }
        guard let oldest = changes.suffix(count).first, changes.count > count else { return [] }
        return remove { $0.service == .significantChange && $0.number < oldest }
    }

    private mutating func dropOldest() -> [Effect] {
        var effects = keepChanges(PendingEvents.changeCapacity)
        if events.count > PendingEvents.capacity,
            let oldest = events.first(where: { $0.service != .significantChange })
        {
            effects += remove { $0.number == oldest.number } + [.dropped(oldest)]
        }
        return effects
    }

    /// Notes that the event of this number, and all events before it, are stored.
    mutating func stored(_ number: UInt64) -> [Effect] {
        guard number > durableThrough else { return [] }
        durableThrough = min(number, lastNumber)
        var effects: [Effect] = []
        for index in listeners.indices { deliver(to: index, &effects) }
        return effects
    }

    /// Adds a connection of the client, which is sent nothing until it asks for a service.
    ///
    /// This is `connect` in the Promela model outbox.pml.
    mutating func connect(_ connection: ClientID) {
        disconnect(connection)
        listeners.append(Listener(connection: connection))
    }

    /// Removes a connection; events that it did not acknowledge wait for the client's next connection.
    ///
    /// This is `disconnect` in the Promela model outbox.pml.
    mutating func disconnect(_ connection: ClientID) {
        listeners.removeAll { $0.connection == connection }
    }

    /// Notes that a connection asks for a service, and delivers the service's waiting events to it.
    ///
    /// This is `arm` in the Promela model outbox.pml.
    mutating func arm(_ service: MonitoredService, on connection: ClientID) -> [Effect] {
        guard let index = listeners.firstIndex(where: { $0.connection == connection }) else { return [] }
        guard listeners[index].sent[service] == nil else { return [] }
        listeners[index].sent[service] = 0
        var effects: [Effect] = []
        deliver(to: index, &effects)
        return effects
    }

    /// Whether a connection asked for a service.
    func isArmed(_ service: MonitoredService, on connection: ClientID) -> Bool {
        listeners.contains { $0.connection == connection && $0.sent[service] != nil }
    }

    /// Removes an event that the client acknowledged.
    ///
    /// This is `acknowledge` in the Promela model outbox.pml.
    mutating func acknowledge(_ number: UInt64, by connection: ClientID) -> [Effect] {
        guard let listener = listeners.first(where: { $0.connection == connection }) else { return [] }
        return remove { event in
            event.number == number && listener.sent[event.service].map { number <= $0 } ?? false
        }
    }

    /// Forgets the events for which `isGone` returns true: acknowledged ones, or those of an ended service or a removed
    /// region.
    mutating func remove(where isGone: (PendingEvent) -> Bool) -> [Effect] {
        var effects: [Effect] = []
        events.removeAll { event in
            guard isGone(event) else { return false }
            effects.append(.forget(client: client, number: event.number))
            return true
        }
        return effects
    }

    /// Delivers to each connection the stored events that it asked for and was not sent yet.
    ///
    /// This is `deliver` in the Promela model outbox.pml.
    private mutating func deliver(to index: Int, _ effects: inout [Effect]) {
        for event in events where event.number <= durableThrough {
            guard let sent = listeners[index].sent[event.service], event.number > sent else { continue }
            listeners[index].sent[event.service] = event.number
            effects.append(.deliver(event, to: listeners[index].connection))
        }
    }
}
