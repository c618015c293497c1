internal import ClientVocabulary
internal import Parts

/// The events of one client that wait until they are acknowledged.
///
/// An event goes to every connection of the client that asked for the event's service, once to each, in the order of
/// the numbers, and only after it was stored: an event that a client was told of must not come again under another
/// number. Numbers are the client's own, so that a gap tells nothing of other clients. At most
/// 64 significant changes wait, and then a newer one replaces the oldest. Beyond 256 events, the oldest region or visit
/// event is dropped.
struct PendingEvents: Sendable, Equatable {
    static let capacity = 256
    /// The largest number of significant changes that can wait for one client.
    static let changeCapacity = 64

    enum Effect: Sendable, Equatable {
        /// Store the event, after every event stored before; then call `stored`.
        case store(PendingEvent)
        /// Delete the event from the store.
        case forget(client: String, number: UInt64)
        case deliver(PendingEvent, to: ClientID)
        /// The event was dropped because its client acknowledges none; for the operator's log.
        case dropped(PendingEvent)
    }

    /// A connection, with the numbers of the events that it was sent.
    private struct Listener: Sendable, Equatable {
        let connection: ClientID
        /// The last number sent for each service that was asked for.
        var sent: [MonitoredService: UInt64] = [:]
    }

    private let client: String
    /// The events that wait, in the order of their numbers.
    private(set) var events: [PendingEvent] = []
    /// The last number that an event was given.
    ///
    /// This number is stored by itself, because no stored event shows it once all events are acknowledged.
    private(set) var lastNumber: UInt64
    private var durableThrough: UInt64
    private var listeners: [Listener] = []

    /// - Parameter lastNumber: The highest event number in the store, or 0.
    init(of client: String, lastNumber: UInt64 = 0) {
        self.client = client
        self.lastNumber = lastNumber
        durableThrough = lastNumber
    }

    /// Takes an event that was in the store when the daemon started, and sorts it among the known ones.
    ///
    /// This is `restore` in the Promela model outbox.pml.
    mutating func restore(_ event: PendingEvent) -> [Effect] {
        guard !events.contains(where: { $0.number == event.number }) else { return [] }
        restore(lastNumber: event.number)
        events.append(event)
        events.sort { $0.number < $1.number }
        return dropOldest()
    }

    /// Takes the stored number of the last event.
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

    /// Takes the next number for a message that is not an event but must be acknowledged too.
    mutating func takeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Forgets all significant changes except the newest.
    ///
    /// Their number would tell a client with reduced accuracy how the board moved.
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

    /// Notes that the event of this number is stored, and all events before it.
    mutating func stored(_ number: UInt64) -> [Effect] {
        guard number > durableThrough else { return [] }
        durableThrough = min(number, lastNumber)
        var effects: [Effect] = []
        for index in listeners.indices { deliver(to: index, &effects) }
        return effects
    }

    /// Adds a connection of the client; it is sent nothing before it asks for a service.
    ///
    /// This is `connect` in the Promela model outbox.pml.
    mutating func connect(_ connection: ClientID) {
        disconnect(connection)
        listeners.append(Listener(connection: connection))
    }

    /// Removes a connection; events that it did not acknowledge wait for the next one.
    ///
    /// This is `disconnect` in the Promela model outbox.pml.
    mutating func disconnect(_ connection: ClientID) {
        listeners.removeAll { $0.connection == connection }
    }

    /// Notes that a connection asks for a service, and delivers the events of the service that wait.
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

    /// Forgets events: those that were acknowledged, or are of an ended service or a removed region.
    mutating func remove(where isGone: (PendingEvent) -> Bool) -> [Effect] {
        var effects: [Effect] = []
        events.removeAll { event in
            guard isGone(event) else { return false }
            effects.append(.forget(client: client, number: event.number))
            return true
        }
        return effects
    }

    /// Delivers the stored events that a connection asked for and was not sent yet.
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
