public import ClientVocabulary
public import GNSS
public import Power
internal import SextantJSON
public import SextantUnits

/// Counts of receiver starts, epochs, events and failures since the daemon started, a part of the answer to a `status`
/// request; they reveal nothing about where the board was.
public struct StatusCounters: Sendable, Equatable {
    /// The satellites of one constellation: how many are used, how many are visible, and how strong their signals are.
    public struct Sky: Sendable, Equatable {
        public var constellation: Constellation
        public var used: Int
        public var visible: Int
        /// The smallest, the median and the largest carrier-to-noise density of the signals, in dB-Hz; nil if no signal
        /// is tracked.
        public var carrierToNoise: (least: UInt8, median: UInt8, greatest: UInt8)?

        public init(_ constellation: Constellation, used: Int, visible: Int, signals: [UInt8]) {
            self.constellation = constellation
            self.used = used
            self.visible = visible
            let sorted = signals.sorted()
            guard let least = sorted.first, let greatest = sorted.last else { return }
            carrierToNoise = (least, sorted[sorted.count / 2], greatest)
        }

        public static func == (left: Sky, right: Sky) -> Bool {
            let (one, other) = (left.carrierToNoise, right.carrierToNoise)
            return left.constellation == right.constellation && left.used == right.used && left.visible == right.visible
                && one?.least == other?.least && one?.median == other?.median && one?.greatest == other?.greatest
        }
    }

    /// Counts of the events of regions and visits, for all clients together.
    public struct Events: Sendable, Equatable {
        /// The number of region events of each kind; a kind that has not occurred yet has no entry.
        public var transitions: [TransitionName: UInt64] = [:]
        public var visits: UInt64 = 0
        /// The number of events that were sent to clients; an event that was sent again counts again.
        public var delivered: UInt64 = 0
        /// The number of events that wait at present until their clients acknowledge them.
        public var pending = 0
        /// The clients with waiting events, and the number of these events for each; empty if the requesting client is
        /// not allowed to know them.
        public var waiting: [(client: String, count: Int)] = []

        public init() {}

        public static func == (left: Events, right: Events) -> Bool {
            left.transitions == right.transitions && left.visits == right.visits && left.delivered == right.delivered
                && left.pending == right.pending && left.waiting.map { $0.client } == right.waiting.map { $0.client }
                && left.waiting.map { $0.count } == right.waiting.map { $0.count }
        }
    }

    /// The memory, the delays and the failures of the daemon's process; nil until the process has reported them.
    public var process: ProcessFigures?
    /// The numbers of starts of the receiver, by their result; nil for a receiver that the daemon reads but does not
    /// control.
    public var starts: StartCounters?
    /// The number of epochs with a position, for each type of fix; the index is the raw value of `FixType`.
    public var fixes = [UInt64](repeating: 0, count: FixType.allCases.count)
    /// The radius in metres, 68 %, that the receiver reports as the accuracy of the newest epoch's position; nil if
    /// that epoch had no position.
    public var horizontalAccuracy: Double?
    /// The satellites of each constellation; empty while the receiver does not list the satellites in view.
    public var sky: [Sky] = []
    /// The number of monitored regions of all clients together.
    public var regions = 0
    public var events = Events()

    public init() {}
}

/// The start time, the memory, the delays and the failures of the daemon's process.
public struct ProcessFigures: Sendable, Equatable {
    /// When the process started: the time of the wall clock less the seconds for which the process has run.
    public var startedAt: UTCInstant
    /// The process's resident memory in bytes, including pages of shared files; 0 in a simulation.
    public var residentBytes: UInt64
    /// The longest time in nanoseconds for which the receiver's data waited because the daemon served clients; 0 in a
    /// simulation.
    public var longestTurn: Int64
    /// The number of connections that the daemon closed because the client did not read and too much output waited for
    /// it.
    public var clientsDropped: UInt64
    /// The number of times that changes could not be written to the SD card.
    public var storeErrors: UInt64

    public init(
        startedAt: UTCInstant, residentBytes: UInt64, longestTurn: Int64, clientsDropped: UInt64, storeErrors: UInt64
    ) {
        self.startedAt = startedAt
        self.residentBytes = residentBytes
        self.longestTurn = longestTurn
        self.clientsDropped = clientsDropped
        self.storeErrors = storeErrors
    }
}

// MARK: Writing

extension StatusCounters {
    func append(to text: inout TextBuffer) {
        text.beginObject(.counters)
        if let process {
            text.member(.startedAt, process.startedAt)
            text.member(.residentBytes, process.residentBytes)
            text.member(.longestTurn, Double(process.longestTurn) * 1e-9, decimals: 6)
            text.member(.clientsDropped, process.clientsDropped)
            text.member(.storeErrors, process.storeErrors)
        }
        if let starts { StatusCounters.append(starts, to: &text) }
        text.beginObject(.fixes)
        for type in FixType.allCases where type.hasPosition {
            text.append(key: EpochObject.name(of: type))
            text.value(fixes[Int(type.rawValue)])
        }
        text.endElement()
        text.member(.horizontalAccuracy, horizontalAccuracy, decimals: 3)
        appendSky(to: &text)
        text.member(.regions, regions)
        appendEvents(to: &text)
        text.endElement()
    }

    private static func append(_ starts: StartCounters, to text: inout TextBuffer) {
        text.beginArray(.starts)
        for kind in StartCounters.Kind.allCases where starts.hasAny(kind) {
            text.beginObject()
            text.member(.kind, literal: kind.name)
            for outcome in StartCounters.Outcome.allCases {
                text.append(key: outcome.name)
                text.value(starts.count(kind, outcome))
            }
            text.member(.seconds, starts.seconds(kind), decimals: 3)
            text.beginArray(.histogram)
            for bar in starts.histogram(kind) { text.value(bar) }
            text.endArray()
            text.endElement()
        }
        text.endArray()
    }

    private func appendSky(to text: inout TextBuffer) {
        text.beginArray(.sky)
        for system in sky {
            text.beginObject()
            text.member(.constellation, literal: EpochObject.name(of: system.constellation))
            text.member(.used, system.used)
            text.member(.visible, system.visible)
            if let signals = system.carrierToNoise {
                text.beginObject(.carrierToNoise)
                text.member(.least, signals.least)
                text.member(.median, signals.median)
                text.member(.greatest, signals.greatest)
                text.endElement()
            }
            text.endElement()
        }
        text.endArray()
    }

    private func appendEvents(to text: inout TextBuffer) {
        text.beginObject(.events)
        text.beginObject(.transitions)
        for kind in TransitionName.allCases {
            text.string(kind.rawValue)
            text.append(0x3A)
            text.value(events.transitions[kind] ?? 0)
        }
        text.endElement()
        text.member(.visits, events.visits)
        text.member(.delivered, events.delivered)
        text.member(.pending, events.pending)
        if !events.waiting.isEmpty {
            text.beginArray(.waiting)
            for (client, count) in events.waiting {
                text.beginObject()
                text.member(.client, client)
                text.member(.count, count)
                text.endElement()
            }
            text.endArray()
        }
        text.endElement()
    }
}

extension StartCounters.Kind {
    fileprivate var name: StaticString {
        switch self {
        case .first: "first"
        case .hot: "hot"
        case .warm: "warm"
        case .cold: "cold"
        case .regained: "regained"
        }
    }
}

extension StartCounters.Outcome {
    fileprivate var name: StaticString {
        switch self {
        case .fix: "fix"
        case .failed: "failed"
        case .ended: "ended"
        }
    }
}
