/// The kinds of state that a viewer gets, in the order in which a new viewer gets them.
///
/// Each is the name of a Server-Sent Event.
enum LiveKind: String, Sendable, CaseIterable {
    /// Whether the page is connected to the daemon, and what it is allowed to request.
    case link
    case hello, authorization, status, location, epoch
    /// The receiver's newest epoch that lists satellites.
    case sky
    case prompts, services, regions, visits, clients, energy, heading, compass, map
    /// The state of the uplink: the number of records that wait for the MQTT broker, from sextant-uplink's status file.
    case uplink
}

/// The newest state of every kind, as the bytes of a Server-Sent Event.
///
/// There is no backlog: a viewer that connects, again or for the first time, gets the newest of each kind, so that
/// nothing has to be resumed. The `id` of an event is the time when its content came from the daemon, in milliseconds
/// since boot. Together with the stream's first event, `clock`, it tells a viewer how old everything is, whatever the
/// viewer's own clock shows.
struct LiveState: Sendable {
    private var lines: [LiveKind: [UInt8]] = [:]
    private(set) var frames: [LiveKind: [UInt8]] = [:]

    /// Keeps a line of JSON as the newest of its kind.
    ///
    /// - Parameter instant: Milliseconds since boot.
    /// - Returns: Whether the line differs from the previous one.
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

/// The Server-Sent Events that are still to be sent to one viewer.
struct ViewerQueue: Sendable {
    /// The kinds that have changed since they were last sent; the newest content of each is fetched only when it can be
    /// sent.
    private var pending: [LiveKind]
    /// The event that is being sent, and the number of its bytes that were sent already.
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

    /// Adds a comment line as a heartbeat, so that sending it shows whether the viewer has gone.
    mutating func addHeartbeat() {
        if isEmpty { (current, sent) = (Array(":\n\n".utf8), 0) }
    }

    var isEmpty: Bool { pending.isEmpty && sent == current.count }

    /// Takes the next bytes to send, at most the given number; empty if there are none.
    mutating func take(_ capacity: Int, from state: LiveState) -> ArraySlice<UInt8> {
        while sent == current.count, !pending.isEmpty {
            (current, sent) = (state.frames[pending.removeFirst()] ?? [], 0)
        }
        let end = min(current.count, sent + capacity)
        defer { sent = end }
        return current[sent..<end]
    }
}
