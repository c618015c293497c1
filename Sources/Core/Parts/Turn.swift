public import SextantJSON
public import SextantUnits

/// What belongs to the handling of one input of the Engine: its time, the actions to carry out, and what one part of
/// the Engine tells the others.
///
/// The buffers are reused for the next input.
public struct Turn: ~Copyable {
    /// The client connection from which the request being handled came.
    public struct Asker {
        public let connection: ClientID
        /// The `id` in the request, which the answers repeat; nil for none.
        public let request: String?

        public init(connection: ClientID, request: String?) {
            self.connection = connection
            self.request = request
        }
    }

    /// When the input happened.
    public private(set) var instant = MonotonicInstant.zero
    /// The bytes of lines to clients, stored rows and radio commands; an action refers to a range of these bytes.
    public var text = TextBuffer(capacity: 2048)
    /// The actions to carry out, in order.
    public var actions: [Action] = []
    /// Ranges of `text`: the lines to clients that must be sent only once the input's changes to the store are on the
    /// SD card.
    public var confirmations: [Range<Int>] = []
    /// The connections to which events are sent while this input is handled.
    ///
    /// An earlier input may have stored these events, so their rows are perhaps not on the SD card yet.
    public var told: [ClientID] = []
    /// The client whose request is being served; nil during every other input.
    public var asker: Asker?
    /// Events and other results of monitoring regions, visits and significant changes, until the outbox (which delivers
    /// events) has taken them.
    public var found: [MonitoringEffect] = []
    /// Facts about clients that several parts of the Engine must know of, until each of these parts has taken them.
    public var news: [ClientNews] = []
    /// The kinds of change on which the Engine has to act before the handling of this input ends.
    public var changes: Changes = []
    /// The instant at which the Engine must be given the input `timePassed`; nil for never.
    public var wake: MonotonicInstant?

    public init() { actions.reserveCapacity(16) }

    /// Begins the handling of an input, and clears what the previous input left.
    public mutating func begin(at instant: MonotonicInstant) {
        self.instant = instant
        text.removeAll()
        actions.removeAll(keepingCapacity: true)
        confirmations.removeAll(keepingCapacity: true)
        told.removeAll(keepingCapacity: true)
        asker = nil
        wake = nil
    }
}

// MARK: What parts tell one another

extension Turn {
    /// Kinds of change after which the Engine asks its parts again what they need and which clients they serve.
    public struct Changes: OptionSet, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// What a client is allowed to see has changed.
        public static let access = Changes(rawValue: 1)
        /// Clients' location sessions and requests now need something different from the receiver.
        public static let deliveryNeeds = Changes(rawValue: 2)
        /// Regions, visits and significant changes now need something different from the receiver.
        public static let monitoringNeeds = Changes(rawValue: 4)
    }

    public mutating func tell(_ change: Changes) { changes.formUnion(change) }
    public mutating func tell(_ news: ClientNews) { self.news.append(news) }
    public mutating func tell(_ effect: MonitoringEffect) { found.append(effect) }
}

/// A fact about one client that several parts must know of.
public enum ClientNews: Equatable {
    /// The client's authorization status or accuracy has changed.
    case changed(String)
    /// An event waits for a client that does not run; whether to start the client must be decided.
    case eventDue(client: String)
    /// It was decided whether the event that waits for the client may be delivered.
    case eventDecided(String, mayDeliver: Bool)
    case cameIntoUse(String)
    /// The client's systemd unit could not be started.
    case startFailed(String)
}

// MARK: What is to be done

extension Turn {
    /// Writes a notice to the daemon's log.
    public mutating func log(_ notice: Notice) { actions.append(.log(notice)) }

    /// Writes a line (one JSON object) for one client and sends it.
    public mutating func send(_ client: ClientID, _ write: (inout TextBuffer) -> Void) {
        let start = text.count
        write(&text)
        actions.append(.send(client, start..<text.count))
    }

    /// Writes the line that confirms a client's request, and sends the line once the input's changes are on the SD
    /// card.
    public mutating func confirm(_ client: ClientID, _ write: (inout TextBuffer) -> Void) {
        let start = text.count
        send(client, write)
        confirmations.append(start..<text.count)
    }

    /// Writes a fix that is held back for a session, and appends it to the session's log, which survives a power cut.
    public mutating func persist(_ fix: DeferredFix, for key: DeferredKey) {
        let start = text.count
        fix.encode(key) { text.append($0) }
        actions.append(.persist(.deferred(key), sequence: fix.sequence, start..<text.count))
    }

    /// Appends bytes that are not a line of text to `text`, and returns their range.
    public mutating func bytes(_ bytes: [UInt8]) -> Range<Int> {
        let start = text.count
        for byte in bytes { text.append(byte) }
        return start..<text.count
    }

    /// Appends a line and its newline to `text` without sending it, and returns its range.
    public mutating func line(_ write: (inout TextBuffer) -> Void) -> Range<Int> {
        let start = text.count
        write(&text)
        text.append(0x0A)
        return start..<text.count
    }
}
