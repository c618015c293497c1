public import SextantUnits

/// The uplink: decides when which message goes to the MQTT broker, and when it counts as delivered.
///
/// Its outputs depend on its inputs alone. It sends the newest location first, then events, then the history of fixes,
/// both in the order of their numbers; except for records that are dropped, a record stays in the queue until it is
/// delivered. At most a few hundred records are in memory; the surrounding program keeps the rest on the card.
public struct Uplink: Sendable {
    public internal(set) var status = UplinkStatus()
    public let configuration: UplinkConfiguration

    let topics: OwnTopics
    var own: OwnPayloads
    var owntracks: OwnTracksPayloads
    var random: SplitMix64
    var isStarted = false
    var authorization: UplinkAuthorization?
    /// The last period in which this client was denied locations.
    var denied: (from: UTCInstant?, until: UTCInstant?)?

    // State of the queue.
    var next: Int64 = 1
    var oldestNumber: Int64 = 1
    var newestFixTime: UTCInstant?
    var identities = BoundedList<UInt64>(limit: 1000)
    /// Events that are being written to the card.
    var storing: [(record: UplinkRecord, number: UInt64?)] = []
    var reading: Reading?
    /// When a queue that could not be read is read again.
    var readAgain: MonotonicInstant?
    var thinning = Thinning()

    // State of the connection.
    var link = Link.waiting(until: nil)
    var attempts = 0
    var wasConnected = false
    /// The step that a new connection must still pass before it sends records.
    var settling = Settling.done
    var burstBegan: MonotonicInstant?
    var lastProgress = MonotonicInstant.zero
    var inFlight: [InFlight] = []
    var token: UInt32 = 0
    /// The highest numbers of an event and of a fix that were sent in the order of the lanes.
    var sentEvent: Int64 = 0
    var sentFix: Int64 = 0
    var lastWake: MonotonicInstant??

    // The waiting messages and records.
    var outbox: [UplinkMessage] = []
    var newest: (fix: UplinkFix, n: Int64?)?
    var isNewestDue = false
    var lastLive: MonotonicInstant?
    /// Why the next location is sent at once; nil if nobody has requested it.
    var asked: OwnTracksPayloads.Trigger?
    /// Whether the broker retains a location, and whether it must be cleared.
    var hasRetained = false
    var isClearing = false
    /// The instant until which a connection of a denied client stays open to clear the retained location.
    var clearUntil: MonotonicInstant?
    var events = Lane()
    var history = Lane()
    /// The highest record number that the current pass through the history has covered.
    var covered: Int64 = 0
    var lastBatch: MonotonicInstant?
    var kept: [(record: UplinkRecord, at: MonotonicInstant)] = []

    // State of the delivery with acknowledgements of the subscribing program.
    var acknowledged: Int64 = 0
    var highestSent: Int64 = 0
    /// Whether the subscribing program has acknowledged anything since this process began.
    ///
    /// Before that, the subscribing program may have records that an earlier process sent.
    var hasWord = false
    var awaitingSince: MonotonicInstant?
    var repeatSeconds = 60.0

    // Reports other than the records.
    var battery: UplinkBattery?
    var energy: (lastDay: Double, client: Double)?
    var lastReport: MonotonicInstant?
    var discoveryAt: MonotonicInstant?
    var gate = CommandGate()
    var regions: [UplinkRegion] = []
    /// The identifiers of the regions in which the board is.
    var inside: [String] = []

    enum Link: Sendable, Equatable {
        /// Waits for the instant; nil to wait until something changes.
        case waiting(until: MonotonicInstant?)
        case connecting(since: MonotonicInstant)
        case connected(since: MonotonicInstant)
        case closing
    }

    enum Settling: Sendable, Equatable {
        /// Waits for the first PUBACK; the broker sends the subscribing program's last acknowledgement before it.
        case firstDelivery(hadSession: Bool)
        /// Waits until this instant for the subscribing program's answer about the records that it has.
        case answer(until: MonotonicInstant)
        case done
    }

    enum Reading: Sendable, Equatable { case events, history, thinning, expiry, abandoned }

    struct InFlight: Sendable {
        enum Content: Sendable {
            case other
            /// The empty message that clears the retained location.
            case clearing
            case record(UplinkRecord)
            case batch(ClosedRange<Int64>)
        }

        var token: UInt32
        var content: Content
    }

    /// - Parameter seed: Random bits, different on each device.
    public init(_ configuration: UplinkConfiguration, seed: UInt64) {
        self.configuration = configuration
        topics = OwnTopics(id: configuration.id)
        own = OwnPayloads(topics: topics, series: 0)
        owntracks = OwnTracksPayloads(
            base: "owntracks/" + configuration.owntracksUser + "/" + configuration.owntracksDevice,
            trackerID: configuration.trackerID, series: 0)
        random = SplitMix64(seed: seed)
    }

    /// Handles one input and appends the resulting actions.
    ///
    /// - Parameters:
    ///   - utc: The wall clock at `now`; nil while it cannot be trusted.
    ///   - outputs: The list to which the actions are appended, in their order.
    public mutating func handle(
        _ input: UplinkInput, at now: MonotonicInstant, utc: UTCInstant?, into outputs: inout [UplinkOutput]
    ) {
        switch input {
        case .start(let start): begin(start)
        case .authorization(let word): authorize(word, at: now, utc)
        case .fix(let fix): take(fix, at: now, into: &outputs)
        case .event(let event): take(event, into: &outputs)
        case .region(let identifier, let isInside): note(identifier, isInside: isInside)
        case .stored(let n): didStore(n, into: &outputs)
        case .load(let load): didChange(load)
        case .rows(let rows): didRead(rows, utc, into: &outputs)
        case .unreadable: (reading, readAgain) = (nil, now.advanced(bySeconds: Uplink.readSeconds))
        case .connected(let hadSession): didConnect(hadSession, at: now, utc, into: &outputs)
        case .connectionEnded(let end): didEnd(end, at: now)
        case .delivered(let token): didDeliver(token, at: now, utc, into: &outputs)
        case .message(let topic, let payload, let isRetained):
            didReceive(topic, payload, isRetained, at: now, utc, into: &outputs)
        case .commandEnded(let id, let problem): queue(own.done(id: id, problem: problem))
        case .battery(let battery):
            if battery != self.battery { lastReport = nil }
            self.battery = battery
        case .lowBattery: take(UplinkEvent(.lowBattery, number: nil, time: utc, heard: now), into: &outputs)
        case .energy(let lastDay, let client):
            energy = (lastDay, client)
            gate.didSpend(client, at: now)
        case .erase: erase(into: &outputs)
        case .sendNow:
            if case .waiting = link { link = .waiting(until: nil) }
            (lastBatch, asked) = (nil, .manual)
            isNewestDue = newest != nil
        case .tick: break
        }
        guard isStarted else { return }
        if readAgain.map({ $0 <= now }) ?? false { readAgain = nil }
        keepWithinBounds(utc, into: &outputs)
        steer(at: now, utc, into: &outputs)
        send(at: now, utc, into: &outputs)
        endBurst(at: now, into: &outputs)
        wake(at: now, utc, into: &outputs)
    }

    private mutating func begin(_ start: UplinkStart) {
        isStarted = true
        own = OwnPayloads(topics: topics, series: start.series)
        owntracks = OwnTracksPayloads(base: owntracks.base, trackerID: owntracks.trackerID, series: start.series)
        next = start.next
        newestFixTime = start.newestFixTime
        for identity in start.identities { identities.append(identity) }
        for id in start.commandIDs { gate.remember(id) }
        regions = start.regions
        hasRetained = start.hasRetained
        status.newest = next - 1
        didChange(start.load)
    }

    /// Seconds after which a queue that could not be read is read again.
    private static let readSeconds = 30.0
    /// Seconds for which the connection of a denied client stays open to clear the location that the broker retains.
    private static let closingSeconds = 0.9

    private mutating func authorize(_ word: UplinkAuthorization, at now: MonotonicInstant, _ utc: UTCInstant?) {
        if case .denied = word {
            if !isDenied {
                denied = (utc, nil)
                clearUntil = now.advanced(bySeconds: Uplink.closingSeconds)
                isClearing = hasRetained
            }
        } else if isDenied {
            denied?.until = utc
        }
        if authorization != word {
            newest = nil
            isNewestDue = false
            rewind()
        }
        authorization = word
    }

    var isDenied: Bool {
        if case .denied = authorization { return true }
        return false
    }

    /// Whether nothing at all is sent: the client is denied, and the broker no longer retains a location.
    var isSilent: Bool { isDenied && !isClearing }

    var isReduced: Bool { authorization == .reduced }
}

/// A list that keeps only its newest elements, up to its limit.
struct BoundedList<Element: Equatable & Sendable>: Sendable {
    private var elements: [Element] = []
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    func contains(_ element: Element) -> Bool { elements.contains(element) }

    mutating func append(_ element: Element) {
        if elements.count >= limit { elements.removeFirst(max(1, limit / 8)) }
        elements.append(element)
    }
}
