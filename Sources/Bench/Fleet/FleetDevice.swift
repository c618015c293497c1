internal import SextantJSON
internal import SextantUnits
internal import UplinkService

/// One simulated device: its records, and which of them are on their way.
///
/// It follows the uplink's own format with `delivery: "receiver"` and `history: "all"`: a fix goes out as the newest
/// location and in a track; it is kept until the receiver acknowledges it, and sent again 60 s after the broker took it.
struct FleetDevice {
    /// A message for the broker.
    struct Message {
        var topic: String
        var bytes: [UInt8]
        var isRetained = false
        /// The number of the newest record in it; nil for one that carries none.
        var newest: Int64?
        var records = 0
        /// How many of the records were in a message before.
        var repeated = 0
    }

    private struct Fix {
        var number: Int64
        var utc: UTCInstant
    }

    let id: String
    private let series: String
    /// The fixes that the receiver has not acknowledged, in the order of their numbers.
    private var waiting: [Fix] = []
    private var numbered: Int64 = 0
    /// The newest number that is in a message on this connection.
    private var sent: Int64 = 0
    /// The newest number that was ever in a message.
    private var everSent: Int64 = 0
    /// Messages that the broker has not acknowledged, by libmosquitto's numbers.
    private var inFlight: [Int32: Int64?] = [:]
    /// The second at which everything unacknowledged is sent again.
    private var repetition = Double.infinity
    private var pause = 60.0

    /// Source: mosquitto.conf(5), max_inflight_messages.
    private static let window = 20
    private static let mostFixes = 256

    init(id: String, series: UInt32) {
        self.id = id
        let digits = String(series, radix: 16)
        self.series = String(repeating: "0", count: 8 - digits.count) + digits
    }

    var unacknowledged: Int { waiting.count }

    mutating func add(fixAt utc: UTCInstant) {
        numbered += 1
        waiting.append(Fix(number: numbered, utc: utc))
    }

    /// Begins a new connection, which loses the messages under way on the one before.
    ///
    /// - Returns: The message with which the device says that it is there.
    mutating func connected() -> [Message] {
        inFlight.removeAll(keepingCapacity: true)
        sent = 0
        repetition = .infinity
        return [Message(topic: "sextant/1/\(id)/availability", bytes: Array("online".utf8), isRetained: true)]
    }

    /// The topic that the device listens to.
    var acknowledgements: String { "sextant/1/\(id)/ack" }

    /// What is to be sent now: the newest location, and tracks as far as the window allows.
    mutating func next(at second: Double) -> [Message] {
        if second >= repetition {
            sent = 0
            repetition = .infinity
            pause = min(3600, 2 * pause)
        }
        var messages: [Message] = []
        while inFlight.count + messages.count < Self.window, let message = track() {
            if messages.isEmpty, let newest = waiting.last, newest.number > everSent - Int64(message.records) {
                var text = TextBuffer()
                append(newest, withNumber: false, to: &text)
                messages.append(Message(topic: "sextant/1/\(id)/location", bytes: bytes(of: text), isRetained: true))
            }
            messages.append(message)
        }
        return messages
    }

    private mutating func track() -> Message? {
        guard let first = waiting.firstIndex(where: { $0.number > sent }) else { return nil }
        let fixes = waiting[first...].prefix(Self.mostFixes)
        guard let low = fixes.first?.number, let high = fixes.last?.number, let oldest = waiting.first?.number else {
            return nil
        }
        var text = TextBuffer()
        text.beginObject()
        text.member(#""series":"#, series)
        text.member(#""first":"#, low)
        text.member(#""last":"#, high)
        text.member(#""after":"#, low - 1)
        text.member(#""oldest":"#, oldest)
        text.endObject()
        for fix in fixes {
            text.append(0x0A)
            append(fix, withNumber: true, to: &text)
        }
        guard let packed = Deflate.zlib(bytes(of: text)) else { return nil }
        let repeated = Int(max(0, min(everSent, high) - low + 1))
        (sent, everSent) = (high, max(everSent, high))
        return Message(
            topic: "sextant/1/\(id)/track", bytes: packed, newest: high, records: fixes.count,
            repeated: repeated)
    }

    /// A walk along a parallel, a degree in about a day.
    private func append(_ fix: Fix, withNumber: Bool, to text: inout TextBuffer) {
        text.beginObject()
        if withNumber { text.member(#""n":"#, fix.number) }
        text.member(#""time":"#, fix.utc)
        text.member(#""latitude":"#, 47.3769, decimals: 9)
        text.member(#""longitude":"#, 8.0 + 0.000115 * Double(fix.number), decimals: 9)
        text.member(#""horizontalAccuracy":"#, 4.2, decimals: 3)
        text.endObject()
    }

    private func bytes(of text: borrowing TextBuffer) -> [UInt8] {
        text.withBytes { span in span.indices.map { span[$0] } }
    }

    mutating func published(_ message: Message, as number: Int32) { inFlight[number] = .some(message.newest) }

    /// The broker has a message; what it carried is sent again unless the receiver acknowledges it in time.
    mutating func delivered(_ number: Int32, at second: Double) {
        guard case .some(.some) = inFlight.removeValue(forKey: number) else { return }
        repetition = min(repetition, second + pause)
    }

    /// The receiver has everything up to a number: returns when the fixes among it were made.
    mutating func received(_ bytes: [UInt8]) -> [UTCInstant] {
        guard case .object(let members)? = try? JSONValue(parsing: bytes), case .string(series)? = members["series"],
            case .number(let upTo)? = members["upTo"]
        else { return [] }
        let stored = waiting.prefix { Double($0.number) <= upTo }
        guard !stored.isEmpty else { return [] }
        waiting.removeFirst(stored.count)
        (repetition, pause) = (.infinity, 60)
        return stored.map(\.utc)
    }
}
