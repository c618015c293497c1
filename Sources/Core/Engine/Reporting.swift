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

/// The daemon's reports on itself: the clients that wait for a change of state, the process's figures, the store's
/// trouble.
struct Reporting: ~Copyable {
    /// Nanoseconds for which what was told does not hold before a reader is told anew; many searches end sooner.
    private static let patience: Int64 = 4_000_000_000

    private struct Reader {
        let id: ClientID
        let request: String?
        var told = PositionState.comes
        /// When the reader is told; nil while what was told holds.
        var due: MonotonicInstant?

        /// - Returns: Whether the reader is to be told now.
        mutating func isDue(_ state: PositionState, at instant: MonotonicInstant) -> Bool {
            guard state != told else {
                due = nil
                return false
            }
            let end = due ?? instant.advanced(byNanoseconds: Reporting.patience)
            due = end
            guard end <= instant else { return false }
            (due, told) = (nil, state)
            return state != .comes
        }
    }

    private var readers: [Reader] = []
    /// Why something cannot be stored, in a sentence for an operator; nil where everything can.
    private var storeTrouble: String?
    /// The process's last figures; nil before the first.
    private var figures: ProcessFigures?

    mutating func heard(storeTrouble detail: String?) { storeTrouble = detail }
    mutating func heard(_ figures: ProcessFigures) { self.figures = figures }

    var isEmpty: Bool { readers.isEmpty }

    var deadline: MonotonicInstant? { readers.reduce(nil) { .earlier($0, $1.due) } }

    /// Serves a client's request to be told whenever positions cease to come, or to be told no more.
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

    /// Lets time pass.
    ///
    /// - Parameter state: The state for a reader; a client that may not know when the receiver runs is told
    /// less.
    /// - Returns: The readers to be told now, with the `id` of their request.
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
