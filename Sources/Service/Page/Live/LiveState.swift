/// The kinds of state that a viewer is told, in the order in which a new viewer gets them.
///
/// Each is the name of a Server-Sent Event.
enum LiveKind: String, Sendable, CaseIterable {
    /// Whether the page has a daemon, and what it may ask of it.
    case link
    case hello, authorization, status, location, epoch
    /// The last epoch with satellites.
    case sky
    case prompts, services, regions, visits, clients, energy, heading, compass, map
    /// The records that wait for the broker, from sextant-uplink's status file.
    case uplink
}

/// The newest of every kind of state, as the bytes of an event.
///
/// There is no backlog: a viewer that comes, or comes back, gets the newest of each kind, so that nothing has to be
/// resumed. The `id` of an event is when it came from the daemon, in milliseconds since boot: with the stream's first
/// event, `clock`, a viewer knows how old everything is, whatever its own clock says.
struct LiveState: Sendable {
    private var lines: [LiveKind: [UInt8]] = [:]
    private(set) var frames: [LiveKind: [UInt8]] = [:]

    /// Keeps a line of JSON as the newest of its kind.
    ///
    /// - Parameter instant: Milliseconds since boot.
    /// - Returns: Whether it differs from what was there.
    mutating func set(_ kind: LiveKind, _ line: [UInt8], at instant: Int64) -> Bool {
        guard lines[kind] != line else { return false }
        lines[kind] = line
        frames[kind] = Array("id: \(instant)\nevent: \(kind.rawValue)\ndata: ".utf8) + line + [10, 10]
        return true
    }

    mutating func forget(_ kinds: some Sequence<LiveKind>) {
        for kind in kinds { (lines[kind], frames[kind]) = (nil, nil) }
    }
}

/// The events that one viewer has yet to be sent.
struct ViewerQueue: Sendable {
    /// The kinds that changed since they were sent; their newest frames are taken when there is room for them.
    private var pending: [LiveKind]
    /// The event that is being sent, and how much of it was.
    private var current: [UInt8]
    private var sent = 0

    /// - Parameter instant: Milliseconds since boot.
    init(_ state: LiveState, at instant: Int64) {
        current = Array("retry: 2000\nevent: clock\ndata: {\"now\":\(instant)}\n\n".utf8)
        pending = LiveKind.allCases.filter { state.frames[$0] != nil }
    }

    mutating func add(_ kind: LiveKind) {
        if !pending.contains(kind) { pending.append(kind) }
    }

    /// A comment, by which a viewer that has gone is noticed.
    mutating func addHeartbeat() {
        if isEmpty { (current, sent) = (Array(":\n\n".utf8), 0) }
    }

    var isEmpty: Bool { pending.isEmpty && sent == current.count }

    /// Takes the next bytes, at most so many; empty when there are none.
    mutating func take(_ capacity: Int, from state: LiveState) -> ArraySlice<UInt8> {
        while sent == current.count, !pending.isEmpty {
            (current, sent) = (state.frames[pending.removeFirst()] ?? [], 0)
        }
        let end = min(current.count, sent + capacity)
        defer { sent = end }
        return current[sent..<end]
    }
}
