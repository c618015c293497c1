public import Beacons
public import ClientProtocol
public import Monitors
public import Parts
public import SextantUnits

/// A region that is monitored for a client, with its present state.
public struct RegionRegistration: Sendable, Equatable {
    public var request: RegionRequest
    /// Whether the region is one of the client's manifest, and not one that the client asked for.
    ///
    /// The durable form leaves this to the name under which the region is stored.
    public var isOfManifest = false
    /// Whether the board is inside the region; nil while that is not known.
    public var isInside: Bool?
    /// The time of the region's last event.
    public var date: UTCInstant?
    /// Whether the client was told of the dwell of this stay.
    public var hasDwelled = false
    /// The beacon that was heard first in this stay; nil for an area, and outside.
    public var beacon: BeaconIdentity?
    /// Nanoseconds of listening without a beacon that are an exit; nil for an area, and for the usual time.
    public var patience: Int64?
    /// The region's place in the monitor of its kind; nil while it is not watched.
    public var slot: Slot?

    public enum Slot: Sendable, Hashable {
        case area(RegionSlot)
        case beacons(BeaconMonitor.Slot)
    }

    public init(_ request: RegionRequest) {
        self.request = request
        isInside = request.assumed
    }

    /// Takes over the state of the region that this one replaces, where that remains valid because the place is the same.
    public mutating func keepState(of old: RegionRegistration) {
        guard old.request.condition == request.condition, old.request.within == request.within, request.assumed == nil
        else { return }
        beacon = old.beacon
        patience = old.patience
        isInside = old.isInside
        date = old.date
        hasDwelled = old.hasDwelled && old.request.dwell == request.dwell
    }

    /// The key that tells a client's regions apart: the identifier, and the monitor where the region is a condition of
    /// one.
    public var key: RegionKey {
        RegionKey(identifier: request.identifier, monitor: request.monitor, isOfManifest: isOfManifest)
    }
}

extension BorderRegion {
    /// The registration that watches the region; its state is not known yet.
    public var registration: RegionRegistration {
        var registration = RegionRegistration(
            RegionRequest(
                identifier: name, shape, notifyOnEntry: onEnter != nil || topic != nil,
                notifyOnExit: onExit != nil || topic != nil, dwell: dwell))
        registration.isOfManifest = true
        return registration
    }
}

/// The durable form.
///
/// Little-endian: version (1 byte: 2; 1 is the same without the last three bits), bits (1; 1: notify on entry, 2: on
/// exit, 4: a cushion, 8: a monitor, 16: a date, 32: a dwell, 64: a polygon, 128: its dwell was told), state (1; 0
/// unknown, 1 inside, 2 outside), identifier, shape, then cushion, monitor, date and dwell where there is one. A circle
/// is latitude, longitude, radius (8 each, IEEE 754); a polygon its count of parts, each a count of rings, each a count
/// of positions (4 each), each latitude and longitude.
///
/// The reach of beacons has version 3: bits (1; 1: notify on entry, 2: on exit, 4: on display, 8: a monitor, 16: a date,
/// 32: a dwell, 64: its dwell was told, 128: a beacon that was heard), state (1), identifier, UUID (16), which numbers are
/// given (1; 1: major, 2: minor), major and minor (2 each), patience (8), then monitor, date, dwell and the beacon's
/// UUID, major and minor where there is one. Version 4 is the same with the metres within which a beacon must be (8) at
/// the end.
extension RegionRegistration {
    private static let version: UInt8 = 2
    private static let versionOfBeacons: UInt8 = 3
    private static let versionOfNearBeacons: UInt8 = 4

    public func encode() -> [UInt8] {
        switch request.condition {
        case .area(let shape): encode(shape)
        case .beacons(let constraint): encode(constraint)
        }
    }

    private var stateCode: UInt8 { isInside.map { $0 ? 1 : 2 } ?? 0 }

    private static func bits(_ flags: [Bool]) -> UInt8 {
        flags.indices.reduce(0) { $0 | (flags[$1] ? 1 << $1 : 0) }
    }

    private func encode(_ constraint: BeaconConstraint) -> [UInt8] {
        var record = RecordWriter()
        let version = RegionRegistration.versionOfBeacons
        record.write(request.within == nil ? version : RegionRegistration.versionOfNearBeacons)
        record.write(
            RegionRegistration.bits([
                request.notifyOnEntry, request.notifyOnExit, request.notifyEntryStateOnDisplay,
                request.monitor != nil, date != nil, request.dwell != nil, hasDwelled, beacon != nil,
            ]))
        record.write(stateCode)
        record.write(request.identifier)
        record.write(constraint.uuid)
        record.write(RegionRegistration.bits([constraint.major != nil, constraint.minor != nil]))
        record.write(constraint.major ?? 0)
        record.write(constraint.minor ?? 0)
        record.write(patience ?? 0)
        if let monitor = request.monitor { record.write(monitor) }
        if let date { record.write(date.nanoseconds) }
        if let dwell = request.dwell { record.write(dwell) }
        if let beacon { record.write(beacon) }
        if let within = request.within { record.write(within) }
        return record.bytes
    }

    /// Reads what stands behind the version of a record of beacons.
    private static func decodeBeacons(_ version: UInt8, _ record: inout RecordReader) -> RegionRegistration? {
        guard let bits = record.integer(UInt8.self), let state = record.integer(UInt8.self), state < 3,
            let identifier = record.text(), let uuid = record.uuid(), let given = record.integer(UInt8.self), given < 4,
            let major = record.integer(UInt16.self), let minor = record.integer(UInt16.self),
            let patience = record.integer(Int64.self), patience >= 0,
            let constraint = BeaconConstraint(
                uuid: uuid, major: given & 1 == 0 ? nil : major, minor: given & 2 == 0 ? nil : minor)
        else { return nil }
        var registration = RegionRegistration(RegionRequest(identifier: identifier, .beacons(constraint)))
        registration.request.notifyOnEntry = bits & 1 != 0
        registration.request.notifyOnExit = bits & 2 != 0
        registration.request.notifyEntryStateOnDisplay = bits & 4 != 0
        registration.isInside = state == 0 ? nil : state == 1
        registration.hasDwelled = bits & 64 != 0
        registration.patience = patience == 0 ? nil : patience
        if bits & 8 != 0 {
            guard let monitor = record.text() else { return nil }
            registration.request.monitor = monitor
        }
        if bits & 16 != 0 {
            guard let date = record.integer(Int64.self) else { return nil }
            registration.date = UTCInstant(nanoseconds: date)
        }
        if bits & 32 != 0 {
            guard let dwell = record.length() else { return nil }
            registration.request.dwell = dwell
        }
        if bits & 128 != 0 {
            guard let beacon = record.beacon() else { return nil }
            registration.beacon = beacon
        }
        if version == versionOfNearBeacons {
            guard let within = record.length(), RegionRequest.withinRange.contains(within) else { return nil }
            registration.request.within = within
        }
        return record.isAtEnd ? registration : nil
    }

    private func encode(_ shape: RegionShape) -> [UInt8] {
        var record = RecordWriter()
        record.write(RegionRegistration.version)
        record.write(
            RegionRegistration.bits([
                request.notifyOnEntry, request.notifyOnExit, request.cushion != nil, request.monitor != nil,
                date != nil, request.dwell != nil, shape.isPolygon, hasDwelled,
            ]))
        record.write(stateCode)
        record.write(request.identifier)
        record.write(shape)
        if let cushion = request.cushion { record.write(cushion) }
        if let monitor = request.monitor { record.write(monitor) }
        if let date { record.write(date.nanoseconds) }
        if let dwell = request.dwell { record.write(dwell) }
        return record.bytes
    }

    /// Reads a record; nil where it has another version or is damaged.
    public static func decode(_ bytes: Span<UInt8>) -> RegionRegistration? {
        var record = RecordReader(bytes)
        guard let version = record.integer(UInt8.self) else { return nil }
        guard version != versionOfBeacons, version != versionOfNearBeacons else {
            return decodeBeacons(version, &record)
        }
        guard (1...self.version).contains(version),
            let bits = record.integer(UInt8.self), version > 1 || bits < 32, let state = record.integer(UInt8.self),
            state < 3, let identifier = record.text(), let shape = record.shape(isPolygon: bits & 64 != 0)
        else { return nil }
        var request = RegionRequest(
            identifier: identifier, shape, notifyOnEntry: bits & 1 != 0, notifyOnExit: bits & 2 != 0)
        if bits & 4 != 0 {
            guard let cushion = record.length() else { return nil }
            request.cushion = cushion
        }
        if bits & 8 != 0 {
            guard let monitor = record.text() else { return nil }
            request.monitor = monitor
        }
        var registration = RegionRegistration(request)
        registration.isInside = state == 0 ? nil : state == 1
        registration.hasDwelled = bits & 128 != 0
        if bits & 16 != 0 {
            guard let date = record.integer(Int64.self) else { return nil }
            registration.date = UTCInstant(nanoseconds: date)
        }
        if bits & 32 != 0 {
            guard let dwell = record.length() else { return nil }
            registration.request.dwell = dwell
        }
        return record.isAtEnd ? registration : nil
    }
}

extension RegionShape {
    fileprivate var isPolygon: Bool { if case .polygon = self { true } else { false } }
}

extension RecordWriter {
    fileprivate mutating func write(_ shape: RegionShape) {
        switch shape {
        case .circle(let latitude, let longitude, let radius):
            write(latitude)
            write(longitude)
            write(radius)
        case .polygon(let polygon):
            let parts = polygon.parts
            write(UInt32(parts.count))
            for part in parts {
                write(UInt32(part.count))
                for ring in part {
                    write(UInt32(ring.count))
                    for position in ring {
                        write(position.latitude)
                        write(position.longitude)
                    }
                }
            }
        }
    }
}

extension RecordReader {
    /// Reads a number that is finite and not negative.
    fileprivate mutating func length() -> Double? { double().flatMap { $0 >= 0 && $0.isFinite ? $0 : nil } }

    fileprivate mutating func shape(isPolygon: Bool) -> RegionShape? {
        guard !isPolygon else { return parts().flatMap { try? RegionPolygon(checked: $0) }.map { .polygon($0) } }
        guard let latitude = double(), let longitude = double(), let radius = length(), abs(latitude) <= 90,
            abs(longitude) <= 180
        else { return nil }
        return .circle(latitude: latitude, longitude: longitude, radius: radius)
    }

    private mutating func parts() -> [[[RegionPolygon.Position]]]? {
        guard let count = integer(UInt32.self) else { return nil }
        var parts: [[[RegionPolygon.Position]]] = []
        for _ in 0..<count {
            guard let part = rings() else { return nil }
            parts.append(part)
        }
        return parts
    }

    private mutating func rings() -> [[RegionPolygon.Position]]? {
        guard let count = integer(UInt32.self) else { return nil }
        var rings: [[RegionPolygon.Position]] = []
        for _ in 0..<count {
            guard let length = integer(UInt32.self) else { return nil }
            var ring: [RegionPolygon.Position] = []
            for _ in 0..<length {
                guard let latitude = double(), let longitude = double() else { return nil }
                ring.append(RegionPolygon.Position(latitude: latitude, longitude: longitude))
            }
            rings.append(ring)
        }
        return rings
    }
}
