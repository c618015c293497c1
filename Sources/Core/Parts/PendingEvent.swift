public import Beacons
public import ClientProtocol
public import ClientVocabulary
internal import Monitors
public import SextantJSON
public import SextantUnits

/// An event that is kept for a client until the client acknowledges it.
public struct PendingEvent: Sendable, Equatable {
    /// The event's number, counted for each client by itself and never used again, even after a restart; `number` in
    /// the protocol.
    public private(set) var number: UInt64
    /// The name of the client's manifest.
    public private(set) var client: String
    public private(set) var kind: Kind

    /// The largest event number: 2^53, up to which a JSON number holds every integer exactly in every client.
    public static let maximumNumber: UInt64 = 1 << 53

    public enum Kind: Sendable, Equatable {
        /// The location to which the board has moved; the sequence number in this `DeferredFix` has no meaning.
        case significantChange(DeferredFix)
        case region(RegionTransition)
        case visit(VisitObject)
    }

    /// An entry, an exit or a dwell of a region, or a change of a `CLMonitor` condition.
    public struct RegionTransition: Sendable, Equatable {
        public var identifier: String
        /// The name of the `CLMonitor` that the condition belongs to; nil for a region.
        public var monitor: String?
        public var kind: TransitionName
        public var state: RegionState
        /// The beacon received first since the board entered the region; nil for a region without beacons, and while
        /// the board is outside.
        public var beacon: BeaconIdentity?
        /// When the border was crossed; nil if that time is not known in UTC.
        public var time: UTCInstant?
        /// When the crossing was confirmed; nil if that time is not known in UTC.
        public var confirmed: UTCInstant?
        /// The earliest and the latest possible time of the crossing, if no fixes came while the border was crossed;
        /// else nil.
        public var range: TimeRange?
        /// The MQTT topic that the client's manifest names for the events of the region; nil for none.
        public var topic: String?

        public init(
            identifier: String, monitor: String?, kind: TransitionName, state: RegionState,
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

    /// Whether the board is inside a region, as far as that is known.
    ///
    /// Raw values are those of CLMonitor's states: unknown, satisfied, unsatisfied, unmonitored.
    public enum RegionState: UInt8, Sendable, Equatable, CaseIterable {
        case unknown
        case inside
        case outside
        case unmonitored

        /// Whether the board is inside the region; nil where that is not known.
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

// MARK: The line that the client is sent

extension PendingEvent {
    /// Appends the line (one JSON object) that reports the event, with positions as exact as its client may see them.
    public func append(
        isReduced: Bool, source: LocationObject.Source, clock: ReceiverClock, at instant: MonotonicInstant,
        to text: inout TextBuffer
    ) {
        switch kind {
        case .significantChange(let held):
            let age = clock.age(of: held.fix, at: instant)
            let about = LocationObject.Context(number: number, isSignificantChange: true)
            if isReduced {
                LocationObject.append(reduced: .init(held.fix), age: age, source: source, about, to: &text)
            } else {
                LocationObject.append(held.fix, age: age, source: source, about, to: &text)
            }
        case .region(let region):
            ClientEvent.appendRegionEvent(
                RegionEventObject(
                    identifier: region.identifier, monitor: region.monitor, kind: region.kind,
                    isInside: region.state.isInside, beacon: region.beacon, time: region.time,
                    confirmed: region.confirmed, range: region.range, topic: region.topic), number: number, to: &text)
        case .visit(let visit): ClientEvent.appendVisit(visit.shown(isReduced: isReduced), number: number, to: &text)
        }
    }
}

extension VisitObject {
    /// The visit as the client is sent it: with the coarse place and times where the client has reduced accuracy.
    fileprivate func shown(isReduced: Bool) -> VisitObject {
        guard isReduced else { return self }
        var shown = self
        let place = ReducedAccuracy.coarse(latitude: latitude, longitude: longitude)
        shown.latitude = place.latitude
        shown.longitude = place.longitude
        shown.horizontalAccuracy = max(place.accuracy, horizontalAccuracy)
        shown.arrival = arrival.map { ReducedAccuracy.coarse($0) }
        shown.departure = departure.map { ReducedAccuracy.coarse($0) }
        (shown.arrivalRange, shown.departureRange) = (nil, nil)
        return shown
    }
}

// MARK: The record

/// The form in which an event is stored.
///
/// Little-endian: version (1 byte: 1), service (1), number (8), client; then, for a significant change, the record of a
/// `DeferredFix`; for a region, its identifier, flags (1; 1: entry or dwell, 2: has a monitor, 4: dwell, 8: has a
/// beacon, 16: the state became known or unknown, 32: has a range of times, 64: has a topic), state (1), time,
/// confirmation (8 each), then those that the flags name of monitor, beacon (UUID 16, major 2, minor 2), range (two
/// times) and topic; for a visit, arrival and departure (8 each), latitude, longitude and accuracy (8 each, IEEE 754),
/// and if the arrival or the departure has a range, flags (1; 1: of the arrival, 2: of the departure) and the ranges. A
/// text is its length (2) and its UTF-8; a time is nanoseconds since 1970 (8), the smallest integer where unknown.
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
            var fix: DeferredFix? = if case .significantChange(let fix) = self { fix } else { nil }
            try record.code(&fix)
            if let fix { self = .significantChange(fix) }
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
        var bits: InlineArray<7, Bool> = [
            kind == .enter || kind == .dwell, monitor != nil, kind == .dwell, beacon != nil, kind == .determined,
            range != nil, topic != nil,
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
        try record.code(&topic, where: bits[6])
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
