public import ClientProtocol
public import Units

/// A region that is monitored for a client, and how it stands.
public struct RegionRegistration: Sendable, Equatable {
    public var request: RegionRequest
    /// Nil while it is not known.
    public var isInside: Bool?
    /// When its last event was.
    public var date: UTCInstant?

    public init(_ request: RegionRequest) {
        self.request = request
        isInside = request.assumed
    }

    /// What tells a client's regions apart: the monitor, if it is a condition of one, and the identifier.
    public var key: RegionKey { RegionKey(identifier: request.identifier, monitor: request.monitor) }
}

/// The name of a region among those of its client.
public struct RegionKey: Sendable, Hashable, Comparable {
    public var identifier: String
    public var monitor: String?

    public init(identifier: String, monitor: String?) {
        self.identifier = identifier
        self.monitor = monitor
    }

    /// The name under which it is stored: no identifier begins with what stands before a monitor's.
    public var name: String {
        guard let monitor else { return "region/\(identifier)" }
        return "monitor/\(monitor.utf8.count)/\(monitor)/\(identifier)"
    }

    public static func < (left: RegionKey, right: RegionKey) -> Bool {
        (left.monitor ?? "", left.identifier) < (right.monitor ?? "", right.identifier)
    }
}

/// The durable form.
///
/// Little-endian: version (1 byte: 1), bits (1; 1: notify on entry, 2: on exit, 4: a cushion, 8: a monitor, 16: a date),
/// state (1; 0 unknown, 1 inside, 2 outside), identifier, latitude, longitude, radius (8 each, IEEE 754), then cushion,
/// monitor and date where there is one.
extension RegionRegistration {
    private static let version: UInt8 = 1

    public func encode() -> [UInt8] {
        var record = RecordWriter()
        record.write(RegionRegistration.version)
        let flags: [Bool] = [
            request.notifyOnEntry, request.notifyOnExit, request.cushion != nil, request.monitor != nil, date != nil,
        ]
        record.write(flags.indices.reduce(0) { $0 | (flags[$1] ? 1 << $1 : 0) } as UInt8)
        record.write((isInside.map { $0 ? 1 : 2 } ?? 0) as UInt8)
        record.write(request.identifier)
        record.write(request.latitude)
        record.write(request.longitude)
        record.write(request.radius)
        if let cushion = request.cushion { record.write(cushion) }
        if let monitor = request.monitor { record.write(monitor) }
        if let date { record.write(date.nanoseconds) }
        return record.bytes
    }

    /// Reads a record; nil where it is none of this version, or damaged.
    public static func decode(_ bytes: Span<UInt8>) -> RegionRegistration? {
        var record = RecordReader(bytes)
        guard record.integer(UInt8.self) == version, let bits = record.integer(UInt8.self), bits < 32,
            let state = record.integer(UInt8.self), state < 3, let identifier = record.text(),
            let latitude = record.double(), let longitude = record.double(), let radius = record.double(),
            abs(latitude) <= 90, abs(longitude) <= 180, radius >= 0, radius.isFinite
        else { return nil }
        var request = RegionRequest(
            identifier: identifier, latitude: latitude, longitude: longitude, radius: radius,
            notifyOnEntry: bits & 1 != 0, notifyOnExit: bits & 2 != 0)
        if bits & 4 != 0 {
            guard let cushion = record.double(), cushion >= 0, cushion.isFinite else { return nil }
            request.cushion = cushion
        }
        if bits & 8 != 0 {
            guard let monitor = record.text() else { return nil }
            request.monitor = monitor
        }
        var registration = RegionRegistration(request)
        registration.isInside = state == 0 ? nil : state == 1
        if bits & 16 != 0 {
            guard let date = record.integer(Int64.self) else { return nil }
            registration.date = UTCInstant(nanoseconds: date)
        }
        return record.isAtEnd ? registration : nil
    }
}
