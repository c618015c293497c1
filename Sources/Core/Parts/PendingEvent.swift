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
    public private(set) var number: UInt64
    /// The name of the client's manifest.
    public private(set) var client: String
    public private(set) var kind: Kind

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
/// became known, 32: a range of times), state (1), time, confirmation (8 each), the monitor, the beacon (UUID 16, major 2,
/// minor 2) and the range (two times) if there is one; of a visit arrival and departure (8 each), latitude, longitude and
/// accuracy (8 each, IEEE 754), and where either has a range, bits (1; 1: of the arrival, 2: of the departure) and the
/// ranges. A text is its length (2) and its UTF-8; a time is nanoseconds since 1970,
/// the smallest number if unknown.
extension PendingEvent: Recorded {
    public static var blank: PendingEvent { PendingEvent(number: 0, client: "", kind: .visit(.blank)) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.version(1)
        var service = service
        try record.code(&service)
        try record.code(&number)
        try record.check((1...PendingEvent.maximumNumber).contains(number))
        try record.code(&client)
        try kind.code(of: service, &record)
    }
}

extension PendingEvent.Kind {
    fileprivate mutating func code(
        of service: MonitoredService, _ record: inout RecordFields
    ) throws(DamagedRecord) {
        switch service {
        case .significantChange:
            var bytes: [UInt8] = []
            if case .significantChange(let fix) = self {
                fix.encode(DeferredKey(userID: nil, clientHash: 0, labelHash: 0, session: 0)) { bytes.append($0) }
            }
            try record.code(raw: &bytes, count: DeferredFix.byteCount)
            guard let fix = DeferredFix.decode(bytes.span)?.fix else { throw DamagedRecord() }
            self = .significantChange(fix)
        case .regions:
            var region = if case .region(let region) = self { region } else { PendingEvent.RegionTransition.blank }
            try region.code(&record)
            self = .region(region)
        case .visits:
            var visit = if case .visit(let visit) = self { visit } else { VisitObject.blank }
            try visit.code(&record)
            self = .visit(visit)
        }
    }
}

extension PendingEvent.RegionTransition {
    fileprivate static var blank: PendingEvent.RegionTransition {
        PendingEvent.RegionTransition(
            identifier: "", monitor: nil, kind: .exit, state: .unknown, time: nil, confirmed: nil)
    }

    fileprivate mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(&identifier)
        var bits: InlineArray<6, Bool> = [
            kind == .enter || kind == .dwell, monitor != nil, kind == .dwell, beacon != nil, kind == .determined,
            range != nil,
        ]
        try record.code(&bits)
        switch (bits[0], bits[2], bits[4]) {
        case (false, false, false): kind = .exit
        case (true, false, false): kind = .enter
        case (true, true, false): kind = .dwell
        case (false, false, true): kind = .determined
        default: throw DamagedRecord()
        }
        try record.code(&state)
        try record.code(&time)
        try record.code(&confirmed)
        try record.code(&monitor, where: bits[1])
        try record.code(&beacon, where: bits[3])
        try record.code(&range, where: bits[5])
    }
}

extension VisitObject {
    fileprivate mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(&arrival)
        try record.code(&departure)
        try record.code(latitude: &latitude, longitude: &longitude)
        try record.code(length: &horizontalAccuracy)
        try codeRanges(&record)
    }
}
