public import Beacons
public import ClientProtocol
public import SextantUnits

/// The services that outlive a connection, each of which a client asks for again after it was started.
public enum MonitoredService: UInt8, Sendable, Equatable, CaseIterable {
    case significantChange = 1
    case regions = 2
    case visits = 3

    /// The service's name in logs, and among the capabilities that a client is told.
    public var name: StaticString {
        switch self {
        case .significantChange: "significantChange"
        case .regions: "regions"
        case .visits: "visits"
        }
    }
}

/// An event that is kept for a client until the client acknowledges it.
public struct PendingEvent: Sendable, Equatable {
    /// The event's number, counted from 1 over all clients and every restart; the wire's `number`.
    public let number: UInt64
    /// The name of the client's manifest.
    public let client: String
    public let kind: Kind

    /// The greatest integer that a JSON number holds exactly in every client: 2^53.
    public static let maximumNumber: UInt64 = 1 << 53

    public enum Kind: Sendable, Equatable {
        /// The location after the change; the fix's own sequence number has no meaning here.
        case significantChange(DeferredFix)
        case region(RegionTransition)
        case visit(VisitObject)
    }

    /// A region that was entered, left or stayed in, or a condition that changed.
    public struct RegionTransition: Sendable, Equatable {
        public var identifier: String
        /// The name of the `CLMonitor` that the condition belongs to; nil for a region.
        public var monitor: String?
        public var kind: RegionEventObject.Kind
        public var state: RegionState
        /// The beacon that was heard first, of an entry into the reach of beacons.
        public var beacon: BeaconIdentity?
        /// When the boundary was crossed; nil where no clock was right.
        public var time: UTCInstant?
        /// When the crossing was certain.
        public var confirmed: UTCInstant?
        /// Between which times the crossing was, where the board was not followed over the border.
        public var range: TimeRange?
        /// The MQTT topic that the client's manifest names for the events of the region; nil for none.
        public var topic: String?

        public init(
            identifier: String, monitor: String?, kind: RegionEventObject.Kind, state: RegionState,
            beacon: BeaconIdentity? = nil, time: UTCInstant?, confirmed: UTCInstant?, range: TimeRange? = nil
        ) {
            self.identifier = identifier
            self.monitor = monitor
            self.kind = kind
            self.state = state
            self.beacon = beacon
            self.time = time
            self.confirmed = confirmed
            self.range = range
        }
    }

    /// The state of a region.
    ///
    /// Raw values are those of CLMonitor's states: unknown, satisfied, unsatisfied, unmonitored.
    public enum RegionState: UInt8, Sendable, Equatable, CaseIterable {
        case unknown
        case inside
        case outside
        case unmonitored

        /// Whether the board is inside; nil where that is not known.
        public var isInside: Bool? {
            switch self {
            case .inside: true
            case .outside: false
            case .unknown, .unmonitored: nil
            }
        }
    }

    public init(number: UInt64, client: String, kind: Kind) {
        self.number = number
        self.client = client
        self.kind = kind
    }

    /// The service that the event belongs to.
    public var service: MonitoredService {
        switch kind {
        case .significantChange: .significantChange
        case .region: .regions
        case .visit: .visits
        }
    }
}

/// The form in which an event is stored.
///
/// Little-endian: version (1 byte: 1), service (1), number (8), client; then of a significant change the record of a
/// `DeferredFix`; of a region its identifier, bits (1; 1: entry, 2: of a monitor, 4: dwell, 8: a beacon, 16: the state
/// became known, 32: a range of times, 64: a topic), state (1), time, confirmation (8 each), the monitor, the beacon (UUID 16,
/// major 2, minor 2), the range (two times) and the topic if there is one; of a visit arrival and departure (8 each), latitude, longitude and
/// accuracy (8 each, IEEE 754), and where either has a range, bits (1; 1: of the arrival, 2: of the departure) and the
/// ranges. A text is its length (2) and its UTF-8; a time is nanoseconds since 1970,
/// the smallest number if unknown.
extension PendingEvent {
    private static let version: UInt8 = 1

    public func encode() -> [UInt8] {
        var record = RecordWriter()
        record.write(PendingEvent.version)
        record.write(service.rawValue)
        record.write(number)
        record.write(client)
        switch kind {
        case .significantChange(let fix):
            fix.encode(DeferredKey(userID: nil, clientHash: 0, labelHash: 0, session: 0)) { record.write($0) }
        case .region(let region): region.write(to: &record)
        case .visit(let visit): visit.write(to: &record)
        }
        return record.bytes
    }

    /// Reads a record; nil where it has another version or is damaged.
    public static func decode(_ bytes: Span<UInt8>) -> PendingEvent? {
        var record = RecordReader(bytes)
        guard record.integer(UInt8.self) == version, let code = record.integer(UInt8.self),
            let service = MonitoredService(rawValue: code),
            let number = record.integer(UInt64.self),
            (1...PendingEvent.maximumNumber).contains(number), let client = record.text(),
            let kind = kind(of: service, from: &record), record.isAtEnd
        else { return nil }
        return PendingEvent(number: number, client: client, kind: kind)
    }

    private static func kind(of service: MonitoredService, from record: inout RecordReader) -> Kind? {
        switch service {
        case .significantChange:
            guard let bytes = record.raw(DeferredFix.byteCount) else { return nil }
            return DeferredFix.decode(bytes.span).map { .significantChange($0.fix) }
        case .regions: return RegionTransition(from: &record).map { .region($0) }
        case .visits: return VisitObject(from: &record).map { .visit($0) }
        }
    }
}

extension PendingEvent.RegionTransition {
    fileprivate func write(to record: inout RecordWriter) {
        record.write(identifier)
        let code: UInt8 =
            switch kind {
            case .exit: 0
            case .enter: 1
            case .dwell: 1 | 4
            case .determined: 16
            }
        let present: UInt8 = (monitor == nil ? 0 : 2) | (beacon == nil ? 0 : 8) | (range == nil ? 0 : 32)
        record.write(code | present | (topic == nil ? 0 : 64))
        record.write(state.rawValue)
        record.write(time: time)
        record.write(time: confirmed)
        if let monitor { record.write(monitor) }
        if let beacon { record.write(beacon) }
        range?.encode(to: &record)
        if let topic { record.write(topic) }
    }

    fileprivate init?(from record: inout RecordReader) {
        guard let identifier = record.text(), let bits = record.integer(UInt8.self), bits < 128,
            let kind = Self.kind(bits & 21),
            let code = record.integer(UInt8.self), let state = PendingEvent.RegionState(rawValue: code),
            let time = record.time(), let confirmed = record.time()
        else { return nil }
        let monitor = bits & 2 == 0 ? nil : record.text()
        guard bits & 2 == 0 || monitor != nil else { return nil }
        let beacon = bits & 8 == 0 ? nil : record.beacon()
        guard bits & 8 == 0 || beacon != nil else { return nil }
        let range = bits & 32 == 0 ? nil : TimeRange(from: &record)
        guard bits & 32 == 0 || range != nil else { return nil }
        self.init(
            identifier: identifier, monitor: monitor, kind: kind, state: state, beacon: beacon, time: time.known,
            confirmed: confirmed.known, range: range)
        guard bits & 64 != 0 else { return }
        topic = record.text()
        if topic == nil { return nil }
    }

    private static func kind(_ code: UInt8) -> RegionEventObject.Kind? {
        switch code {
        case 0: .exit
        case 1: .enter
        case 5: .dwell
        case 16: .determined
        default: nil
        }
    }
}

extension VisitObject {
    fileprivate func write(to record: inout RecordWriter) {
        record.write(time: arrival)
        record.write(time: departure)
        record.write(latitude)
        record.write(longitude)
        record.write(horizontalAccuracy)
        writeRanges(to: &record)
    }

    fileprivate init?(from record: inout RecordReader) {
        guard let arrival = record.time(), let departure = record.time(), let latitude = record.double(),
            let longitude = record.double(), let accuracy = record.double(), abs(latitude) <= 90,
            abs(longitude) <= 180, accuracy >= 0, accuracy.isFinite
        else { return nil }
        self.init(
            arrival: arrival.known, departure: departure.known, latitude: latitude, longitude: longitude,
            horizontalAccuracy: accuracy)
        guard readRanges(from: &record) else { return nil }
    }
}

/// A stored time, which may be unknown: nanoseconds since 1970.
private struct RecordedTime {
    static let unknown = Int64.min
    let nanoseconds: Int64

    var known: UTCInstant? {
        nanoseconds == RecordedTime.unknown ? nil : UTCInstant(nanoseconds: nanoseconds)
    }
}

extension RecordWriter {
    fileprivate mutating func write(time: UTCInstant?) { write(time?.nanoseconds ?? RecordedTime.unknown) }
}

extension RecordReader {
    fileprivate mutating func time() -> RecordedTime? { integer(Int64.self).map { RecordedTime(nanoseconds: $0) } }
}
