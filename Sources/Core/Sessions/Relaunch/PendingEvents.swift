/// What happened while nobody took it, for every client: kept until it is acknowledged.
///
/// An event goes to every connection of its client that asked for the event's service, once to each, in the order of the
/// numbers, and not before it is durable: what a client was told of must not come again under another number. A
/// significant change takes the place of an older one that nobody took, since only the newest place is of use. Beyond
/// 256 events of one client its oldest region or visit event goes.
public struct PendingEvents: Sendable, Equatable {
    public static let capacity = 256

    public enum Effect: Sendable, Equatable {
        /// Make it durable, after all that was asked before; then say `stored`.
        case store(PendingEvent)
        /// It need no longer be durable.
        case forget(client: String, number: UInt64)
        case deliver(PendingEvent, to: ClientID)
        /// It had to go, because its client takes none: for the operator's log.
        case dropped(PendingEvent)
    }

    /// One connection, and what it was sent.
    private struct Listener: Sendable, Equatable {
        let connection: ClientID
        let client: String
        /// By service, its raw value less 1: the last number that was sent; nil while it did not ask for the service.
        var sent: InlineArray<3, UInt64?> = .init(repeating: nil)

        static func == (left: Listener, right: Listener) -> Bool {
            left.connection == right.connection && left.client == right.client
                && left.sent.indices.allSatisfy { left.sent[$0] == right.sent[$0] }
        }
    }

    /// In the order of their numbers, over all clients.
    public private(set) var events: [PendingEvent] = []
    /// The last number that was given.
    ///
    /// It is to be kept too: once all events were taken, none is left to tell it.
    public private(set) var lastNumber: UInt64
    private var durableThrough: UInt64
    private var listeners: [Listener] = []

    /// - Parameter lastNumber: The highest number that anything durable names, or 0.
    public init(lastNumber: UInt64 = 0) {
        self.lastNumber = lastNumber
        durableThrough = lastNumber
    }

    /// How many events wait for a client.
    public func count(of client: String) -> Int { events.count { $0.client == client } }

    /// Takes an event that was durable when the daemon started, into its place among those that are known already.
    public mutating func restore(_ event: PendingEvent) -> [Effect] {
        guard !events.contains(where: { $0.number == event.number }) else { return [] }
        lastNumber = max(lastNumber, event.number)
        durableThrough = lastNumber
        let isSuperseded =
            event.service == .significantChange
            && events.contains {
                $0.client == event.client && $0.service == event.service && $0.number > event.number
            }
        guard !isSuperseded else { return [.forget(client: event.client, number: event.number)] }
        let effects = append(event)
        events.sort { $0.number < $1.number }
        return effects
    }

    /// Something happened.
    public mutating func post(_ kind: PendingEvent.Kind, for client: String) -> [Effect] {
        lastNumber += 1
        let event = PendingEvent(number: lastNumber, client: client, kind: kind)
        return [.store(event)] + append(event)
    }

    private mutating func append(_ event: PendingEvent) -> [Effect] {
        var effects: [Effect] = []
        if event.service == .significantChange {
            effects += remove { $0.client == event.client && $0.service == .significantChange }
        }
        events.append(event)
        if count(of: event.client) > PendingEvents.capacity,
            let oldest = events.first(where: { $0.client == event.client && $0.service != .significantChange })
        {
            effects += remove { $0.number == oldest.number } + [.dropped(oldest)]
        }
        return effects
    }

    /// The event of this number is durable, and all before it.
    public mutating func stored(_ number: UInt64) -> [Effect] {
        guard number > durableThrough else { return [] }
        durableThrough = min(number, lastNumber)
        var effects: [Effect] = []
        for place in listeners.indices { deliver(to: place, &effects) }
        return effects
    }

    /// A client connected; it is sent nothing before it asks for a service.
    public mutating func connect(_ connection: ClientID, as client: String) {
        disconnect(connection)
        listeners.append(Listener(connection: connection, client: client))
    }

    /// A connection ended; what it did not acknowledge waits for the next.
    public mutating func disconnect(_ connection: ClientID) {
        listeners.removeAll { $0.connection == connection }
    }

    /// A connection asks for a service, again or for the first time: what waits is its first answer.
    public mutating func arm(_ service: MonitoredService, on connection: ClientID) -> [Effect] {
        guard let place = listeners.firstIndex(where: { $0.connection == connection }) else { return [] }
        let index = Int(service.rawValue) - 1
        guard listeners[place].sent[index] == nil else { return [] }
        listeners[place].sent[index] = 0
        var effects: [Effect] = []
        deliver(to: place, &effects)
        return effects
    }

    /// Whether a connection asked for a service.
    public func isArmed(_ service: MonitoredService, on connection: ClientID) -> Bool {
        listeners.contains { $0.connection == connection && $0.sent[Int(service.rawValue) - 1] != nil }
    }

    /// The client took an event.
    public mutating func acknowledge(_ number: UInt64, by connection: ClientID) -> [Effect] {
        guard let listener = listeners.first(where: { $0.connection == connection }) else { return [] }
        return remove { event in
            event.number == number && event.client == listener.client
                && listener.sent[Int(event.service.rawValue) - 1].map { number <= $0 } ?? false
        }
    }

    /// Withdraws events that are no longer wanted: of an ended service, of a removed region, or of a whole client.
    public mutating func withdraw(of client: String, where isWithdrawn: (PendingEvent) -> Bool) -> [Effect] {
        remove { $0.client == client && isWithdrawn($0) }
    }

    private mutating func remove(where isGone: (PendingEvent) -> Bool) -> [Effect] {
        var effects: [Effect] = []
        events.removeAll { event in
            guard isGone(event) else { return false }
            effects.append(.forget(client: event.client, number: event.number))
            return true
        }
        return effects
    }

    private mutating func deliver(to place: Int, _ effects: inout [Effect]) {
        for event in events where event.client == listeners[place].client && event.number <= durableThrough {
            let index = Int(event.service.rawValue) - 1
            guard let sent = listeners[place].sent[index], event.number > sent else { continue }
            listeners[place].sent[index] = event.number
            effects.append(.deliver(event, to: listeners[place].connection))
        }
    }
}
