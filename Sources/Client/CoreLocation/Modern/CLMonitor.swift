/// A named set of conditions, which the daemon watches whether or not the program runs.
///
/// Only one monitor with a given name can be open at a time. The sequence `events` begins with the events that came
/// while the monitor was closed.
public actor CLMonitor {
    public let name: String
    private let core: MonitorCore

    /// Opens the monitor of this name; if there is none, makes a new one.
    ///
    /// The call suspends for at most 2 s, until the daemon has sent the conditions that it keeps under the name. If a
    /// monitor with this name is open already, the program ends with a fatal error; `open(_:)` throws instead.
    public init(_ name: String) async {
        do {
            core = try await MonitorCore.open(name, client: .shared)
        } catch {
            fatalError("\(error)")
        }
        self.name = name
    }

    private init(_ core: MonitorCore) {
        self.core = core
        name = core.name
    }

    /// Opens the monitor of this name, or makes one if there is none; throws if a monitor with this name is open
    /// already.
    public static func open(_ name: String) async throws -> CLMonitor {
        CLMonitor(try await MonitorCore.open(name, client: .shared))
    }

    static func open(_ name: String, client: LocationClient) async throws -> CLMonitor {
        CLMonitor(try await MonitorCore.open(name, client: client))
    }

    /// Watches a condition, and delivers an event as soon as the condition's state is known.
    ///
    /// A condition with the same identifier is replaced.
    public func add(_ condition: any CLCondition, identifier: String) {
        core.add(condition, identifier, assuming: .unknown)
    }

    /// Watches a condition, and delivers its first event only once its state differs from the assumed state.
    public func add(_ condition: any CLCondition, identifier: String, assuming state: Event.State) {
        core.add(condition, identifier, assuming: state)
    }

    public func remove(_ identifier: String) {
        core.remove(identifier)
    }

    /// The condition with this identifier, and the last of its events that the program took from `events`.
    public func record(for identifier: String) -> Record? {
        core.record(identifier)
    }

    public var identifiers: [String] { core.identifiers }

    /// A sequence of the events of all conditions of this monitor.
    ///
    /// When a loop takes an event, the daemon forgets the event. At most 256 events wait for a slow loop.
    public var events: Events { Events(core: core) }

    public struct Events: AsyncSequence, Sendable {
        public typealias Element = Event
        let core: MonitorCore

        public func makeAsyncIterator() -> Iterator {
            Iterator(reading: MonitorReading(core))
        }

        public struct Iterator: AsyncIteratorProtocol {
            let reading: MonitorReading

            public mutating func next() async throws -> Event? {
                await reading.core.next()
            }
        }
    }
}

@available(*, unavailable)
extension CLMonitor.Events.Iterator: Sendable {}
