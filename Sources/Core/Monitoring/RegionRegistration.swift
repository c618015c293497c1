public import Beacons
public import ClientProtocol
public import Monitors
public import Parts
public import SextantUnits

/// A region that is monitored for a client, and whether the board is inside it.
public struct RegionRegistration: Sendable, Equatable {
    public var request: RegionRequest
    /// Whether the region is from the client's manifest, rather than one that the client asked for.
    ///
    /// The stored record does not contain this value; the name of the record's row in the store tells it.
    public var isOfManifest = false
    /// Whether the board is inside the region; nil while that is not known.
    public var isInside: Bool?
    /// The time of the region's last event other than a dwell.
    public var date: UTCInstant?
    /// Whether the dwell event of the present stay in the region was already sent.
    public var hasDwelled = false
    /// The beacon received first since the board entered the region; nil for an area, and while the board is outside.
    public var beacon: BeaconIdentity?
    /// Nanoseconds that the radio must listen without receiving the beacons before the region counts as left; nil for
    /// an area, and where the usual time applies.
    public var patience: Int64?
    /// The region's index in the monitor of areas or of beacon regions; nil while the region is not watched.
    public var slot: Slot?

    public enum Slot: Sendable, Hashable {
        case area(RegionSlot)
        case beacons(BeaconMonitor.Slot)
    }

    public init(_ request: RegionRequest) {
        self.request = request
        isInside = request.assumed
    }

    /// Copies from the replaced region whether the board is inside, if both regions cover the same place.
    public mutating func keepState(of old: RegionRegistration) {
        guard old.request.condition == request.condition, old.request.within == request.within, request.assumed == nil
        else { return }
        beacon = old.beacon
        patience = old.patience
        isInside = old.isInside
        date = old.date
        hasDwelled = old.hasDwelled && old.request.dwell == request.dwell
    }

    /// The key that tells a client's regions apart: the identifier, whether the region is from the manifest, and for a
    /// condition of a `CLMonitor` the monitor's name.
    public var key: RegionKey {
        RegionKey(identifier: request.identifier, monitor: request.monitor, isOfManifest: isOfManifest)
    }
}

extension BorderRegion {
    /// The registration by which this region of a manifest is monitored; whether the board is inside is still unknown
    /// in it.
    public var registration: RegionRegistration {
        var registration = RegionRegistration(
            RegionRequest(
                identifier: name, shape, notifyOnEntry: onEnter != nil || topic != nil,
                notifyOnExit: onExit != nil || topic != nil, dwell: dwell))
        registration.isOfManifest = true
        return registration
    }
}

/// The form in which a region is stored.
///
/// Little-endian: version (1 byte: 2; version 1 has only the first five flags), flags (1; 1: notify on entry, 2: on
/// exit, 4: a cushion, 8: a monitor, 16: a date, 32: a dwell, 64: a polygon, 128: its dwell event was sent), state (1;
/// 0 unknown, 1 inside, 2 outside), identifier, shape, then, where there is one: cushion (the least metres beyond the
/// border for an exit), monitor (the name of the `CLMonitor`), date (of the last event) and dwell (time). A circle is
/// latitude, longitude, radius (8 each, IEEE 754); a polygon is the number of its parts; each part, the number of its
/// rings; each ring, the number of its positions (4 each); each position, latitude and longitude.
///
/// A beacon region has version 3: flags (1; 1: notify on entry, 2: on exit, 4: on display, 8: a monitor, 16: a date,
/// 32: a dwell, 64: its dwell event was sent, 128: a beacon was received), state (1), identifier, UUID (16), which of
/// the two numbers are given (1; 1: major, 2: minor), major and minor (2 each), the nanoseconds of silence for an exit
/// (8), then monitor, date, dwell and the beacon's UUID, major and minor where there is one. Version 4 is the same with
/// the metres within which a beacon must be (8) at the end.
extension RegionRegistration: Recorded {
    public static var blank: RegionRegistration { RegionRegistration(RegionRequest(identifier: "", .area(.blank))) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var version: UInt8 = request.beacons == nil ? 2 : request.within == nil ? 3 : 4
        try record.code(&version)
        switch version {
        case 1, 2: try codeArea(version, &record)
        case 3, 4: try codeBeacons(areNear: version == 4, &record)
        default: throw DamagedRecord()
        }
    }

    private mutating func codeArea(_ version: UInt8, _ record: inout RecordFields) throws(DamagedRecord) {
        var shape = request.shape ?? .blank
        var bits: InlineArray<8, Bool> = [
            request.notifyOnEntry, request.notifyOnExit, request.cushion != nil, request.monitor != nil, date != nil,
            request.dwell != nil, shape.isPolygon, hasDwelled,
        ]
        try record.code(&bits)
        try record.check(version > 1 || !bits[5] && !bits[6] && !bits[7])
        (request.notifyOnEntry, request.notifyOnExit, hasDwelled) = (bits[0], bits[1], bits[7])
        try codeState(&record)
        try shape.code(isPolygon: bits[6], &record)
        request.condition = .area(shape)
        try record.code(length: &request.cushion, where: bits[2])
        try record.code(&request.monitor, where: bits[3])
        try record.code(&date, where: bits[4])
        try record.code(length: &request.dwell, where: bits[5])
    }

    private mutating func codeBeacons(areNear: Bool, _ record: inout RecordFields) throws(DamagedRecord) {
        var bits: InlineArray<8, Bool> = [
            request.notifyOnEntry, request.notifyOnExit, request.notifyEntryStateOnDisplay, request.monitor != nil,
            date != nil, request.dwell != nil, hasDwelled, beacon != nil,
        ]
        try record.code(&bits)
        (request.notifyOnEntry, request.notifyOnExit) = (bits[0], bits[1])
        (request.notifyEntryStateOnDisplay, hasDwelled) = (bits[2], bits[6])
        try codeState(&record)
        var constraint = request.beacons
        try BeaconConstraint.code(&constraint, &record)
        if let constraint { request.condition = .beacons(constraint) }
        try record.code(&patience, nilIs: 0)
        let isPossible = patience ?? 0 >= 0
        try record.check(isPossible)
        try record.code(&request.monitor, where: bits[3])
        try record.code(&date, where: bits[4])
        try record.code(length: &request.dwell, where: bits[5])
        try record.code(&beacon, where: bits[7])
        guard areNear else { return }
        var within = request.within ?? 0
        try record.code(&within, in: RegionRequest.withinRange)
        request.within = within
    }

    /// Reads or writes whether the board is inside (1 byte), and the region's identifier.
    private mutating func codeState(_ record: inout RecordFields) throws(DamagedRecord) {
        var state: UInt8 = isInside.map { $0 ? 1 : 2 } ?? 0
        try record.code(&state)
        try record.check(state < 3)
        isInside = state == 0 ? nil : state == 1
        try record.code(&request.identifier)
    }
}

extension BeaconConstraint {
    /// Reads or writes the UUID, a byte that says which of major and minor are given, and then both numbers.
    fileprivate static func code(
        _ constraint: inout BeaconConstraint?, _ record: inout RecordFields
    ) throws(DamagedRecord) {
        var uuid = constraint?.uuid ?? .blank
        try uuid.code(&record)
        var given: InlineArray<2, Bool> = [constraint?.major != nil, constraint?.minor != nil]
        try record.code(&given)
        var (major, minor) = (constraint?.major ?? 0, constraint?.minor ?? 0)
        try record.code(&major)
        try record.code(&minor)
        constraint = BeaconConstraint(uuid: uuid, major: given[0] ? major : nil, minor: given[1] ? minor : nil)
        if constraint == nil { throw DamagedRecord() }
    }
}

extension RegionShape {
    fileprivate static var blank: RegionShape { .circle(latitude: 0, longitude: 0, radius: 0) }

    fileprivate var isPolygon: Bool { if case .polygon = self { true } else { false } }

    fileprivate mutating func code(isPolygon: Bool, _ record: inout RecordFields) throws(DamagedRecord) {
        guard isPolygon else {
            guard case .circle(var latitude, var longitude, var radius) = self else { return }
            try record.code(latitude: &latitude, longitude: &longitude)
            try record.code(length: &radius)
            return self = .circle(latitude: latitude, longitude: longitude, radius: radius)
        }
        var parts = if case .polygon(let polygon) = self { polygon.parts } else { [[[RegionPolygon.Position]]]() }
        try record.code(&parts, count: UInt32.self, blank: []) { (part, record) throws(DamagedRecord) in
            try record.code(&part, count: UInt32.self, blank: []) { (ring, record) throws(DamagedRecord) in
                let blank = RegionPolygon.Position(latitude: 0, longitude: 0)
                try record.code(&ring, count: UInt32.self, blank: blank) { (position, record) throws(DamagedRecord) in
                    try record.code(&position.latitude)
                    try record.code(&position.longitude)
                }
            }
        }
        guard let polygon = try? RegionPolygon(checked: parts) else { throw DamagedRecord() }
        self = .polygon(polygon)
    }
}

extension RecordFields {
    /// Reads or writes a finite, non-negative number; `isThere`, known from an earlier field, says whether the number
    /// is present.
    fileprivate mutating func code(length: inout Double?, where isThere: Bool) throws(DamagedRecord) {
        var known = length ?? 0
        if isThere { try code(length: &known) }
        length = isThere ? known : nil
    }
}
