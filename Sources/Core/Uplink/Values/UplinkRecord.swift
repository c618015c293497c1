public import SextantUnits

/// A fix or an event in the queue.
///
/// The device's name, the 32 random bits that identify the queue, and the number `n` together identify the record
/// everywhere.
public struct UplinkRecord: Sendable, Equatable {
    /// The kind of record; raw values are stored on the card, so they must never change.
    public enum Kind: UInt8, Sendable {
        case fix = 0
        case event = 1
    }

    /// The record's number; the first is 1, and no number is used twice.
    public var n: Int64
    public var kind: Kind
    /// When the fix was measured or the event happened; nil if no clock could be trusted.
    public var time: UTCInstant?
    /// The time since boot at which the fix was measured or the event was received; nil if the record was stored before
    /// the last boot, or reports dropped fixes.
    public var uptime: MonotonicInstant?
    /// The hash that identifies an event of the daemon; nil for a fix, and for an event that the uplink made.
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
