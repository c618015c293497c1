public import SextantUnits

/// A fix or an event in the queue.
///
/// The device, the series and `n` are its identity everywhere.
public struct UplinkRecord: Sendable, Equatable {
    /// The kind; raw values are stored, so they must never change.
    public enum Kind: UInt8, Sendable {
        case fix = 0
        case event = 1
    }

    /// Counted up from 1 and never used again.
    public var n: Int64
    public var kind: Kind
    /// The instant of the record; nil while no clock told it.
    public var time: UTCInstant?
    /// The same instant in boot time; nil, when read, where it is of another boot than this one.
    public var uptime: MonotonicInstant?
    /// A number that no other event has; nil for a fix, and for an event of the uplink's own.
    public var identity: UInt64?
    /// Opaque to the edge, at most 4 KiB.
    public var body: [UInt8]

    public init(
        n: Int64, kind: Kind, time: UTCInstant?, uptime: MonotonicInstant?, identity: UInt64? = nil, body: [UInt8]
    ) {
        self.n = n
        self.kind = kind
        self.time = time
        self.uptime = uptime
        self.identity = identity
        self.body = body
    }

    /// Bytes that the record counts for: its body, and 48 of a row.
    public var cost: Int { UplinkRecord.cost(bodyBytes: body.count) }

    public static func cost(bodyBytes: Int) -> Int { bodyBytes + 48 }
}
