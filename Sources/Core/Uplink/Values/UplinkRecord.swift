public import SextantUnits

/// A fix or an event in the queue.
///
/// The device's name, the queue's series and `n` together identify the record everywhere.
public struct UplinkRecord: Sendable, Equatable {
    /// The kind; raw values are stored, so they must never change.
    public enum Kind: UInt8, Sendable {
        case fix = 0
        case event = 1
    }

    /// The record's number, counted from 1 and never used again.
    public var n: Int64
    public var kind: Kind
    /// The time of the record; nil while no clock can be trusted.
    public var time: UTCInstant?
    /// The time of the record in boot time; nil in a record that was stored during another boot.
    public var uptime: MonotonicInstant?
    /// The hash that identifies an event of the daemon; nil for a fix, and for one of the uplink's own events.
    public var identity: UInt64?
    /// The record's text, at most 4 KiB, which the surrounding program does not interpret.
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

    /// The bytes that the record takes in the queue: its body, and 48 for the rest of its row.
    public var cost: Int { UplinkRecord.cost(bodyBytes: body.count) }

    public static func cost(bodyBytes: Int) -> Int { bodyBytes + 48 }
}
