public import Beacons
public import ClientVocabulary
internal import Monitors
public import SextantJSON
public import SextantUnits

/// A visit: a stay of the board at one place, which may not have ended yet.
public struct VisitObject: Sendable, Equatable {
    /// When the board arrived; nil if it arrived before visits were monitored.
    public var arrival: UTCInstant?
    /// When the board left; nil if it has not left yet.
    public var departure: UTCInstant?
    /// The earliest and the latest possible time of the arrival, if no position was known when the board arrived; nil
    /// if `arrival` is exact.
    public var arrivalRange: TimeRange?
    /// The earliest and the latest possible time of the departure, if no position was known when the board left; nil if
    /// `departure` is exact.
    public var departureRange: TimeRange?
    /// The latitude of the visited place's centre and, as `longitude`, its longitude; degrees, WGS 84.
    public var latitude: Double
    public var longitude: Double
    /// The place's radius in metres.
    public var horizontalAccuracy: Double

    public init(
        arrival: UTCInstant?, departure: UTCInstant?, latitude: Double, longitude: Double, horizontalAccuracy: Double
    ) {
        self.arrival = arrival
        self.departure = departure
        self.latitude = latitude
        self.longitude = longitude
        self.horizontalAccuracy = horizontalAccuracy
    }
}

/// A region's event: the board entered the region, left it or stayed in it, or the daemon learnt whether the board is
/// inside.
public struct RegionEventObject: Sendable, Equatable {
    public var identifier: String
    public var monitor: String?
    public var kind: TransitionName
    /// Whether the board is inside the region after the event; nil if that is not known.
    public var isInside: Bool?
    /// The beacon that was received first, if the board entered a beacon region; nil for any other event.
    public var beacon: BeaconIdentity?
    /// The time of the crossing and, as `confirmed`, the time at which the crossing became certain; nil if no clock of
    /// the board could be trusted.
    public var time: UTCInstant?
    public var confirmed: UTCInstant?
    /// The earliest and the latest possible time of the crossing, if no position was known during it; nil if `time` is
    /// exact.
    public var range: TimeRange?
    /// The MQTT topic that the client's manifest names for the region's events; nil for none.
    public var topic: String?

    public init(
        identifier: String, monitor: String?, kind: TransitionName, isInside: Bool?, beacon: BeaconIdentity? = nil,
        time: UTCInstant?, confirmed: UTCInstant?, range: TimeRange? = nil, topic: String? = nil
    ) {
        self.identifier = identifier
        self.monitor = monitor
        self.kind = kind
        self.isInside = isInside
        self.beacon = beacon
        self.time = time
        self.confirmed = confirmed
        self.range = range
        self.topic = topic
    }
}

/// A client's region as the daemon reports it to operators.
public struct RegionObject: Sendable {
    /// What changed about the region.
    public enum Change: String, Sendable {
        case added
        case removed
        /// The board entered or left the region, or the daemon learnt whether the board is inside.
        case state
        /// The board has stayed in the region for the region's dwell time.
        case dwell
    }

    public var client: String
    public var region: RegionRequest
    /// Whether the client's manifest defines the region; if not, a request of the client registered it.
    public var isOfManifest: Bool
    /// Whether the region is watched at present, which depends on whether the client is allowed to get the region's
    /// events or to be started for them.
    public var isWatched: Bool
    /// Whether the board is inside the region; nil if that is not known.
    public var isInside: Bool?
    /// When the board entered or left the region most recently.
    public var date: UTCInstant?

    public init(
        client: String, region: RegionRequest, isOfManifest: Bool, isWatched: Bool, isInside: Bool?, date: UTCInstant?
    ) {
        self.client = client
        self.region = region
        self.isOfManifest = isOfManifest
        self.isWatched = isWatched
        self.isInside = isInside
        self.date = date
    }
}

/// Events about the regions of all clients, for operators.
extension ClientEvent {
    /// Appends one region of the list that answers a `regions` request.
    public static func append(_ object: RegionObject, id: String?, to text: inout TextBuffer) {
        text.begin(.region)
        text.member(.id, id)
        appendName(object, to: &text)
        appendShape(object.region, to: &text)
        appendState(object, to: &text)
        end(&text)
    }

    /// Appends the last line of the answer to a `regions` request: the number of regions sent, the number of all
    /// regions, and whether more follow.
    public static func appendRegions(count: Int, total: Int, hasMore: Bool, id: String?, to text: inout TextBuffer) {
        text.begin(.regions)
        text.member(.id, id)
        text.member(.enabled, true)
        text.member(.count, count)
        text.member(.total, total)
        if hasMore { text.member(.more, true) }
        end(&text)
    }

    /// Appends the event that the daemon ends its reports of regions' changes, which a `regions` request had started.
    public static func appendRegionsEnded(id: String?, to text: inout TextBuffer) {
        text.begin(.regions)
        text.member(.id, id)
        text.member(.enabled, false)
        end(&text)
    }

    /// Appends the event that a region changed; if the region was added, the event also has its shape.
    public static func appendRegionChanged(
        _ object: RegionObject, _ change: RegionObject.Change, to text: inout TextBuffer
    ) {
        text.begin(.regionChanged)
        text.member(.change, change.rawValue)
        appendName(object, to: &text)
        if case .added = change { appendShape(object.region, to: &text) }
        if case .removed = change {} else { appendState(object, to: &text) }
        end(&text)
    }

    private static func appendName(_ object: RegionObject, to text: inout TextBuffer) {
        text.member(.client, object.client)
        text.member(.identifier, object.region.identifier)
        text.member(.monitor, object.region.monitor)
        if object.isOfManifest { text.member(.manifest, true) }
    }

    private static func appendState(_ object: RegionObject, to text: inout TextBuffer) {
        text.member(.active, object.isWatched)
        text.member(.state, RegionStateName(isInside: object.isInside).rawValue)
        text.member(.date, object.date)
    }
}

/// Events about a client's regions and visits, and about the services that the daemon monitors for the client.
extension ClientEvent {
    public static func appendMonitoring(
        _ identifier: String, monitor: String?, id: String?, to text: inout TextBuffer
    ) {
        begin(.monitoring, identifier, monitor, id: id, to: &text)
        end(&text)
    }

    /// Appends the event that regions are not monitored, or that their events come late, with the reason and Core
    /// Location's `errorCode`.
    ///
    /// The code is 4 if the client is denied, 5 if monitoring is not possible, 6 if monitoring begins late, and 7 if
    /// events come late.
    ///
    /// - Parameters:
    ///   - identifier: The region's identifier; nil if the code applies to all of the client's regions.
    ///   - reason: The reason; nil if none is known.
    ///   - radius: The radius, in metres, of a circle about the region's centre whose events would come in time; nil if
    ///     none is known.
    public static func appendMonitoringFailed(
        _ identifier: String?, monitor: String? = nil, errorCode: FailureCode, reason: FailureReason?,
        radius: Double? = nil,
        id: String?, to text: inout TextBuffer
    ) {
        begin(.monitoringFailed, identifier, monitor, id: id, to: &text)
        text.member(.errorCode, errorCode.rawValue)
        text.member(.reason, reason?.rawValue)
        text.member(.radius, radius, decimals: 0)
        end(&text)
    }

    /// Appends the event that tells whether the board is inside a region; `isInside` is nil if that is not known.
    public static func appendRegionState(
        _ identifier: String, isInside: Bool?, id: String?, to text: inout TextBuffer
    ) {
        begin(.regionState, identifier, nil, id: id, to: &text)
        text.member(.state, RegionStateName(isInside: isInside).rawValue)
        end(&text)
    }

    /// Appends a line of a client's list of registrations, for significant changes or for visits, as `kind` tells.
    public static func appendRegistration(_ kind: StaticString, to text: inout TextBuffer) {
        text.begin(.registration)
        text.member(.kind, literal: kind)
        end(&text)
    }

    /// Appends a line of a client's list of registrations: a region that is monitored for the client.
    ///
    /// - Parameter exitAfter: For a beacon region, the seconds of listening without a beacon that count as an exit; nil
    ///   for an area.
    public static func appendRegistration(
        _ region: RegionRequest, isInside: Bool?, date: UTCInstant?, exitAfter: Double? = nil, to text: inout TextBuffer
    ) {
        text.begin(.registration)
        text.member(.kind, literal: "region")
        text.member(.identifier, region.identifier)
        text.member(.monitor, region.monitor)
        appendShape(region, exitAfter: exitAfter, to: &text)
        text.member(.state, RegionStateName(isInside: isInside).rawValue)
        text.member(.date, date)
        end(&text)
    }

    private static func appendShape(_ region: RegionRequest, exitAfter: Double? = nil, to text: inout TextBuffer) {
        switch region.condition {
        case .area(let shape): append(shape, to: &text)
        case .beacons(let constraint):
            append(constraint, to: &text)
            text.member(.notifyEntryStateOnDisplay, region.notifyEntryStateOnDisplay)
            text.member(.within, region.within, decimals: 2)
            text.member(.exitAfter, exitAfter, decimals: 0)
        }
        text.member(.notifyOnEntry, region.notifyOnEntry)
        text.member(.notifyOnExit, region.notifyOnExit)
        text.member(.dwell, region.dwell, decimals: 3)
        text.member(.cushion, region.cushion, decimals: 3)
    }

    public static func appendRegistrations(count: Int, id: String?, to text: inout TextBuffer) {
        appendCount(.registrations, count, id: id, to: &text)
    }

    public static func appendRegionEvent(_ event: RegionEventObject, number: UInt64, to text: inout TextBuffer) {
        begin(.regionEvent, event.identifier, event.monitor, id: nil, to: &text)
        text.member(.number, number)
        text.member(.transition, event.kind.rawValue)
        text.member(.state, RegionStateName(isInside: event.isInside).rawValue)
        if let beacon = event.beacon { append(beacon, to: &text) }
        text.member(.time, event.time)
        text.member(.confirmed, event.confirmed)
        text.member(.notBefore, event.range?.notBefore)
        text.member(.notAfter, event.range?.notAfter)
        text.member(.topic, event.topic)
        end(&text)
    }

    /// Appends the event that an operator erased all data about the client, so that the client erases its own data too.
    public static func appendForget(number: UInt64, to text: inout TextBuffer) {
        append(.forget, number: number, to: &text) { _ in }
    }

    public static func appendVisit(_ visit: VisitObject, number: UInt64, to text: inout TextBuffer) {
        append(.visit, number: number, to: &text) { appendMembers(visit, to: &$0) }
    }

    static func appendMembers(_ visit: VisitObject, to text: inout TextBuffer) {
        text.member(.arrival, visit.arrival)
        text.member(.departure, visit.departure)
        text.member(.arrivalNotBefore, visit.arrivalRange?.notBefore)
        text.member(.arrivalNotAfter, visit.arrivalRange?.notAfter)
        text.member(.departureNotBefore, visit.departureRange?.notBefore)
        text.member(.departureNotAfter, visit.departureRange?.notAfter)
        text.member(.latitude, visit.latitude, decimals: 9)
        text.member(.longitude, visit.longitude, decimals: 9)
        text.member(.horizontalAccuracy, visit.horizontalAccuracy, decimals: 3)
    }

    private static func append(_ shape: RegionShape, to text: inout TextBuffer) {
        switch shape {
        case .circle(let latitude, let longitude, let radius):
            text.member(.latitude, latitude, decimals: 9)
            text.member(.longitude, longitude, decimals: 9)
            text.member(.radius, radius, decimals: 3)
        case .polygon(let polygon):
            let parts = polygon.parts
            text.beginArray(parts.count == 1 ? .polygon : .multiPolygon)
            for part in parts {
                if parts.count > 1 { text.beginArray("") }
                append(part, to: &text)
                if parts.count > 1 { text.endArray() }
            }
            text.endArray()
        }
    }

    /// Appends a polygon's rings in GeoJSON's form: each ring closed, longitude before latitude.
    private static func append(_ rings: [[RegionPolygon.Position]], to text: inout TextBuffer) {
        for ring in rings {
            text.beginArray("")
            for position in ring + ring.prefix(1) {
                text.beginArray("")
                text.member("", position.longitude, decimals: 9)
                text.member("", position.latitude, decimals: 9)
                text.endArray()
            }
            text.endArray()
        }
    }

    private static func begin(
        _ event: EventName, _ identifier: String?, _ monitor: String?, id: String?, to text: inout TextBuffer
    ) {
        text.begin(event)
        text.member(.id, id)
        text.member(.identifier, identifier)
        text.member(.monitor, monitor)
    }

    /// Appends the last line of an answer of several lines, with the count of the lines before it.
    static func appendCount(_ event: EventName, _ count: Int, id: String?, to text: inout TextBuffer) {
        text.begin(event)
        text.member(.id, id)
        text.member(.count, count)
        end(&text)
    }
}
