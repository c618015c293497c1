public import SextantUnits

/// The uplink: decides when which message goes to the MQTT broker, and when it counts as delivered.
///
/// Its outputs depend on its inputs alone. It sends the newest location first, then events, then the history of fixes;
/// events and fixes go in the order of their numbers. A record stays in the queue until it is delivered, or dropped for
/// its age or for lack of room. At most a few hundred records are in memory; the surrounding program keeps the rest on
/// the card.
public struct Uplink: Sendable {
    public internal(set) var status = UplinkStatus()
    public let configuration: UplinkConfiguration

    let topics: OwnTopics
    var own: OwnPayloads
    var owntracks: OwnTracksPayloads
    var random: SplitMix64
    var isStarted = false
    var authorization: UplinkAuthorization?
    /// When the client's last denial of locations began, and when it ended: nil while it lasts.
    var denied: (from: UTCInstant?, until: UTCInstant?)?

    var queue = RecordQueue()
    var connection = BrokerConnection()
    var lanes = Lanes()
    var delivery = ReceiverDelivery()
    var reports = Reports()
    var gate = CommandGate()
    var regions: [UplinkRegion] = []
    /// The identifiers of the regions in which the board is.
    var inside: [String] = []

    /// - Parameter seed: Random bits for the random delays, different on each device.
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
        case .unreadable: queue.didFail(at: now)
        case .connected(let hadSession): didConnect(hadSession, at: now, utc, into: &outputs)
        case .connectionEnded(let end): didEnd(end, at: now)
        case .delivered(let token): didDeliver(token, at: now, utc, into: &outputs)
        case .message(let topic, let payload, let isRetained):
            didReceive(topic, payload, isRetained, at: now, utc, into: &outputs)
        case .commandEnded(let id, let problem): lanes.queue(own.done(id: id, problem: problem))
        case .battery(let battery): reports.take(battery)
        case .lowBattery: take(UplinkEvent(.lowBattery, number: nil, time: utc, heard: now), into: &outputs)
        case .energy(let lastDay, let client):
            reports.energy = (lastDay, client)
            gate.didSpend(client, at: now)
        case .erase: erase(into: &outputs)
        case .sendNow:
            if case .waiting = connection.link { connection.link = .waiting(until: nil) }
            (lanes.lastBatch, lanes.asked) = (nil, .manual)
            lanes.isNewestDue = lanes.newest != nil
        case .tick: break
        }
        guard isStarted else { return }
        if queue.readAgain.map({ $0 <= now }) ?? false { queue.readAgain = nil }
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
        queue.next = start.next
        queue.newestFixTime = start.newestFixTime
        for identity in start.identities { queue.identities.append(identity) }
        for id in start.commandIDs { gate.remember(id) }
        regions = start.regions
        lanes.hasRetained = start.hasRetained
        status.newest = queue.next - 1
        didChange(start.load)
    }

    /// A denied client's connection stays open for this many seconds, to clear the location that the broker retains.
    private static let closingSeconds = 0.9

    private mutating func authorize(_ word: UplinkAuthorization, at now: MonotonicInstant, _ utc: UTCInstant?) {
        if case .denied = word {
            if !isDenied {
                denied = (utc, nil)
                lanes.clearUntil = now.advanced(bySeconds: Uplink.closingSeconds)
                lanes.isClearing = lanes.hasRetained
            }
        } else if isDenied {
            denied?.until = utc
        }
        if authorization != word {
            lanes.newest = nil
            lanes.isNewestDue = false
            rewind()
        }
        authorization = word
    }

    var isDenied: Bool {
        if case .denied = authorization { return true }
        return false
    }

    /// Whether nothing at all is sent: the client is denied, and the broker no longer retains a location.
    var isSilent: Bool { isDenied && !lanes.isClearing }

    var isReduced: Bool { authorization == .reduced }
}

/// A list that holds at most `limit` elements; adding one to a full list removes the oldest eighth first.
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
