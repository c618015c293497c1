internal import ClientProtocol
internal import Parts
internal import Power
internal import SextantUnits

/// Whether positions come from the receiver now, and if not, why.
enum PositionState: Equatable {
    case comes
    /// The device does not exist, or could not be opened.
    case absent
    /// The device is open, and the receiver does not answer.
    case unreachable
    /// The receiver starts, or has searched for less than a minute.
    case starting
    case noSky
    case resting(RestReason)
}

/// What `status` reports about the daemon itself (the figures of its process, the trouble with its store), and the
/// clients that follow the status.
struct Reporting: ~Copyable {
    /// Nanoseconds for which a new position state (whether positions come, and if not, why) must last before it is
    /// reported to a client; many searches for a fix end sooner.
    private static let settlingNanoseconds: Int64 = 4_000_000_000

    private struct Reader {
        let id: ClientID
        let request: String?
        var told = PositionState.comes
        /// When a changed position state (whether positions come, and if not, why) will have lasted long enough to be
        /// reported; nil where it has not changed.
        var due: MonotonicInstant?

        /// - Returns: Whether the client must be told now that no positions come, and why.
        mutating func isDue(_ state: PositionState, at instant: MonotonicInstant) -> Bool {
            guard state != told else {
                due = nil
                return false
            }
            let end = due ?? instant.advanced(byNanoseconds: Reporting.settlingNanoseconds)
            due = end
            guard end <= instant else { return false }
            (due, told) = (nil, state)
            return state != .comes
        }
    }

    private var readers: [Reader] = []
    /// A sentence for an operator that says why something cannot be stored; nil where everything can.
    private var storeTrouble: String?
    /// The last figures of the daemon's process, such as its memory; nil if none have come yet.
    private var figures: ProcessFigures?

    mutating func heard(storeTrouble detail: String?) { storeTrouble = detail }
    mutating func heard(_ figures: ProcessFigures) { self.figures = figures }

    var isEmpty: Bool { readers.isEmpty }

    var deadline: MonotonicInstant? { readers.reduce(nil) { .earlier($0, $1.due) } }

    /// Begins or ends the status reports that a client asked for: a report is sent whenever positions stop coming, and
    /// whenever the reason why none come changes.
    mutating func serve(_ isWatching: Bool, of id: ClientID, request: String?) {
        gone(id)
        if isWatching { readers.append(Reader(id: id, request: request)) }
    }

    mutating func gone(_ id: ClientID) { readers.removeAll { $0.id == id } }

    func describe(_ status: inout DaemonStatus, _ counters: inout StatusCounters) {
        let troubles = [status.storeTrouble, storeTrouble].compactMap { $0 }
        status.storeTrouble = troubles.isEmpty ? nil : troubles.joined(separator: ". ")
        counters.process = figures
    }

    /// Finds the clients to which a report is due at this instant.
    ///
    /// - Parameter state: Whether positions come, and if not, why. A client that may not know when the receiver runs is
    ///   given a state that does not reveal it.
    /// - Returns: The clients that must be sent the status now, with the `id` of their request.
    mutating func advance(
        to instant: MonotonicInstant, _ state: (ClientID) -> PositionState
    ) -> [(id: ClientID, request: String?)] {
        var due: [(id: ClientID, request: String?)] = []
        for index in readers.indices where readers[index].isDue(state(readers[index].id), at: instant) {
            due.append((readers[index].id, readers[index].request))
        }
        return due
    }
}
