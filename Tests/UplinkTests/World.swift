import SextantJSON
import SextantUnits
import Testing

@testable import SextantUplink

/// An uplink with its queue, a link to a broker and a receiver behind it, in virtual time.
///
/// The queue survives `kill`; what was on its way does not. Every message takes 0.1 s, and its PUBACK as long again.
struct World {
    private(set) var uplink: Uplink
    private let configuration: UplinkConfiguration
    private(set) var now = MonotonicInstant.zero
    private var due: [(at: MonotonicInstant, order: Int, what: Happening)] = []
    private var order = 0
    private var wake: MonotonicInstant?
    /// Wakes in a row that led to nothing.
    private var idleWakes = 0

    // The edge.
    private(set) var queue: [Int64: UplinkRecord] = [:]
    private(set) var byteCount = 0
    private var eventCount = 0
    private var identities: [UInt64] = []
    private var next: Int64 = 1
    private(set) var acknowledged: [UInt64] = []
    private(set) var commands: [RemoteCommand] = []
    /// The ids that were written to the card.
    private(set) var remembered = 0
    private(set) var hasRetained = false
    /// Whether the card can be read.
    var isReadable = true

    // The broker and the receiver.
    var isUp = true
    private(set) var isConnected = false
    private(set) var attempts: [MonotonicInstant] = []
    /// One part in so many of the messages that the broker acknowledges and loses; 0 for none.
    var loses: UInt64 = 0
    /// How the broker refuses; nil where it does not.
    var refusal: String?
    var isTimeKnown = true
    /// Whether the broker answers CONNECT, and PUBLISH.
    var greets = true
    var acknowledges = true
    /// Whether it has kept the session at a new connection.
    var remembers = true
    /// Whether the receiver says nothing of what it has.
    var isDeaf = false
    /// How often the uplink had itself woken.
    private(set) var wakes = 0
    /// What the broker retains, by topic.
    private(set) var retained: [String: [UInt8]] = [:]
    private(set) var messages: [(at: MonotonicInstant, message: UplinkMessage)] = []
    /// How often each record came, and in which order they came first.
    private(set) var times: [Int64: Int] = [:]
    private(set) var arrived: [Int64] = []
    private(set) var connectedAt: MonotonicInstant?
    private var upTo: Int64 = 0
    private var connection = 0
    private var random: UInt64 = 1

    private enum Happening {
        case input(UplinkInput)
        case arrives(UplinkMessage)
        case ofConnection(Int, UplinkInput)
    }

    static let start = UTCInstant(nanoseconds: 1_700_000_000_000_000_000)

    /// - Parameter seed: The device's random bits.
    init(seed: UInt64 = 7, _ change: (inout UplinkConfiguration) -> Void = { _ in }) {
        var configuration = UplinkConfiguration(id: "boat", name: "Boat")
        change(&configuration)
        self.configuration = configuration
        uplink = Uplink(configuration, seed: seed)
        begin()
    }

    var utc: UTCInstant { World.start.advanced(byNanoseconds: now.nanoseconds(since: .zero)) }
    var status: UplinkStatus { uplink.status }

    private mutating func begin(_ word: UplinkAuthorization = .full) {
        var start = UplinkStart(series: 7, next: next)
        start.load = load
        start.identities = identities
        start.hasRetained = hasRetained
        give(.start(start))
        give(.authorization(word))
    }

    /// Kills the uplink and starts it anew, with what its queue holds.
    mutating func kill(_ word: UplinkAuthorization = .full) {
        due.removeAll {
            if case .arrives = $0.what { false } else { true }
        }
        isConnected = false
        connection += 1
        wake = nil
        random = SplitStep.next(random)
        uplink = Uplink(configuration, seed: random)
        begin(word)
    }

    /// Ends the connection, with what is on its way.
    mutating func cut() {
        connection += 1
        due.removeAll { if case .ofConnection = $0.what { true } else { false } }
        guard isConnected else { return }
        isConnected = false
        give(.connectionEnded(.lost("the broker went away")))
    }

    private var load: UplinkLoad {
        UplinkLoad(
            fixes: queue.count - eventCount, events: eventCount, bytes: byteCount, oldest: queue.keys.min(),
            oldestTime: queue.keys.min().flatMap { queue[$0]?.time })
    }

    mutating func fix(latitude: Double = 47.1, change: (inout UplinkFix) -> Void = { _ in }) {
        var fix = UplinkFix(
            time: isTimeKnown ? utc : nil, measured: now, latitude: latitude, longitude: 8.5, horizontalAccuracy: 4)
        change(&fix)
        give(.fix(fix))
    }

    mutating func event(_ number: UInt64, region: String = "home", topic: String? = nil) {
        var event = UplinkEvent(.enter, number: number, region: region, time: utc, heard: now)
        event.topic = topic
        give(.event(event))
    }

    /// Gives an input, and all that follows at once.
    mutating func give(_ input: UplinkInput) {
        var inputs = [input]
        while !inputs.isEmpty {
            var outputs: [UplinkOutput] = []
            uplink.handle(inputs.removeFirst(), at: now, utc: isTimeKnown ? utc : nil, into: &outputs)
            if outputs.contains(where: { if case .wake = $0 { false } else { true } }) { idleWakes = 0 }
            for output in outputs { carryOut(output, &inputs) }
        }
    }

    private mutating func carryOut(_ output: UplinkOutput, _ inputs: inout [UplinkInput]) {
        switch output {
        case .store(let record):
            keep(record)
            if record.kind == .event { inputs.append(.stored(n: record.n)) }
        case .thin(let removed, let record):
            for n in removed { drop(n) }
            keep(record)
            inputs += [.stored(n: record.n), .load(load)]
        case .discard(let fixes):
            for n in fixes { drop(n) }
            inputs.append(.load(load))
        case .remove(let range):
            for n in range.count < queue.count ? Array(range) : queue.keys.filter(range.contains) { drop(n) }
            inputs.append(.load(load))
        case .removeOldestEvents(let count):
            for n in queue.values.filter({ $0.kind == .event }).map(\.n).sorted().prefix(count) { drop(n) }
            inputs.append(.load(load))
        case .read where !isReadable: inputs.append(.unreadable)
        case .read(let from, let kind, let limit):
            let rows = queue.keys.filter { $0 >= from && (kind == nil || queue[$0]?.kind == kind) }.sorted()
            inputs.append(.rows(rows.prefix(limit).compactMap { queue[$0] }))
        case .eraseQueue:
            (queue, byteCount, eventCount) = ([:], 0, 0)
            inputs.append(.load(load))
        case .connect: connect()
        case .disconnect:
            isConnected = false
            connection += 1
            add(0.1, .input(.connectionEnded(.asked)))
        case .publish(let message, let token):
            guard isConnected else { return }
            add(0.1, .ofConnection(connection, .tick), message)
            if acknowledges { add(0.2, .ofConnection(connection, .delivered(token: token))) }
        case .acknowledge(let number): acknowledged.append(number)
        case .command(let command): commands.append(command)
        case .wake(let at): wake = at
        case .noteRetained(let isThere): hasRetained = isThere
        // The receiver's last word is retained.
        case .subscribe(let topic) where topic.hasSuffix("/ack") && upTo > 0: tellUpTo(after: 0.2, isRetained: true)
        case .rememberCommand: remembered += 1
        case .subscribe, .setRegion, .removeRegion: break
        }
    }

    private mutating func keep(_ record: UplinkRecord) {
        drop(record.n)
        queue[record.n] = record
        byteCount += record.cost
        if record.kind == .event { eventCount += 1 }
        next = max(next, record.n + 1)
        if let identity = record.identity { identities.append(identity) }
    }

    private mutating func drop(_ n: Int64) {
        guard let record = queue.removeValue(forKey: n) else { return }
        byteCount -= record.cost
        if record.kind == .event { eventCount -= 1 }
    }

    private mutating func connect() {
        attempts.append(now)
        connection += 1
        if let refusal { return add(0.2, .ofConnection(connection, .connectionEnded(.refused(refusal)))) }
        guard isUp else { return add(0.2, .ofConnection(connection, .connectionEnded(.lost("no answer")))) }
        isConnected = true
        guard greets else { return }
        add(0.2, .ofConnection(connection, .connected(hadSession: remembers)))
    }

    private mutating func add(_ seconds: Double, _ what: Happening, _ message: UplinkMessage? = nil) {
        order += 1
        let at = now.advanced(byNanoseconds: Int64(seconds * 1e9))
        if let message { due.append((at, order, .arrives(message))) } else { due.append((at, order, what)) }
    }

    // MARK: Time

    mutating func pass(seconds: Double) {
        let end = now.advanced(byNanoseconds: Int64(seconds * 1e9))
        while true {
            let first = due.min { ($0.at, $0.order) < ($1.at, $1.order) }
            let at = MonotonicInstant.earlier(first?.at, wake)
            guard let at, at <= end else { break }
            now = max(now, at)
            if let first, first.at <= at {
                due.removeAll { $0.order == first.order }
                happen(first.what)
            } else {
                wake = nil
                wakes += 1
                idleWakes += 1
                guard idleWakes < 1000 else {
                    Issue.record("at \(now) it wakes again and again, and does nothing")
                    break
                }
                give(.tick)
            }
        }
        now = end
    }

    private mutating func happen(_ what: Happening) {
        switch what {
        case .input(let input): give(input)
        case .ofConnection(let number, let input):
            guard number == connection else { return }
            if case .connected = input { connectedAt = connectedAt ?? now }
            if case .connectionEnded = input { isConnected = false }
            give(input)
        case .arrives(let message):
            random = SplitStep.next(random)
            guard loses == 0 || random % loses != 0 else { return }
            receive(message)
        }
    }

    // MARK: The receiver

    private mutating func receive(_ message: UplinkMessage) {
        messages.append((now, message))
        if message.isRetained { retained[message.topic] = message.payload.isEmpty ? nil : message.payload }
        guard message.topic.hasSuffix("/track") || message.topic.hasSuffix("/event") else { return }
        let lines = message.payload.split(separator: UInt8(ascii: "\n")).map { JSONValue.members(Array($0)) }
        var numbers = lines.compactMap { $0.integer("n") }
        if numbers.isEmpty, let n = lines.first?.integer("n") { numbers = [n] }
        for n in numbers {
            times[n, default: 0] += 1
            if times[n] == 1 { arrived.append(n) }
        }
        guard configuration.delivery == .receiver, !isDeaf else { return }
        tellReceived(lines.first ?? [:], last: numbers.max() ?? 0, wasAsked: numbers.isEmpty)
    }

    /// Acknowledges what has come without a gap: below `oldest` nothing is held, and inside a batch nothing is missing.
    private mutating func tellReceived(_ head: [String: JSONValue], last: Int64, wasAsked: Bool) {
        if let oldest = head.integer("oldest") { upTo = max(upTo, oldest - 1) }
        if let first = head.integer("first"), first <= upTo + 1 { upTo = max(upTo, head.integer("last") ?? last) }
        if let after = head.integer("after"), after <= upTo { upTo = max(upTo, last) }
        while times[upTo + 1] != nil { upTo += 1 }
        if isConnected { tellUpTo(after: 0.1, wasAsked: wasAsked) }
    }

    private mutating func tellUpTo(after seconds: Double, isRetained: Bool = false, wasAsked: Bool = false) {
        let have = times.keys.filter { $0 > upTo }.sorted().map { "[\($0),\($0)]" }.joined(separator: ",")
        let text = "{\"series\":\"00000007\",\"upTo\":\(upTo)\(wasAsked ? ",\"have\":[\(have)]" : "")}"
        add(
            seconds,
            .ofConnection(
                connection, .message(topic: "sextant/1/boat/ack", payload: Array(text.utf8), isRetained: isRetained)))
    }
}

extension JSONValue {
    static func members(_ bytes: [UInt8]) -> JSONMembers { JSONMembers(parsing: bytes) ?? [:] }
}

/// A sequence of bits that look random.
enum SplitStep {
    static func next(_ state: UInt64) -> UInt64 {
        var random = SplitMix64(seed: state)
        return random.next()
    }
}
