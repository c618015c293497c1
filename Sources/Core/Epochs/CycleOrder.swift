internal import NMEA0183
internal import UBX

/// The kind of a message, for learning the order of messages within an epoch.
struct MessageKind: Equatable {
    private var rawValue: UInt64

    /// The kind of a sentence: its formatter and talker, the signal of a GSV sentence, and its number among the
    /// sentences of that formatter and talker in its epoch.
    init(_ formatter: NMEAFormatter, _ talker: NMEATalker, signal: UInt8, occurrence: UInt8) {
        rawValue =
            UInt64(formatter.rawValue) << 40 | UInt64(talker.rawValue) << 16 | UInt64(signal) << 8
            | UInt64(occurrence)
    }

    init(_ id: UBXMessageID) {
        rawValue = 1 << 63 | UInt64(id.messageClass) << 8 | UInt64(id.id)
    }
}

/// Learns which message a receiver sends last in an epoch, so that the epoch can be closed at that message.
///
/// Without this, an epoch is closed only when the next one begins. A kind is trusted once it has ended two epochs in a
/// row, until another kind does so. If a receiver sends GSV sentences only in every fifth epoch, after all other
/// messages, the last message of the other four epochs stays trusted: the GSV sentences go to the next epoch, and no
/// position waits for them.
struct CycleOrder {
    /// The kind of message that is trusted to end an epoch; nil until a kind is trusted.
    private(set) var last: MessageKind?
    /// The kind of message that ended the most recent epoch.
    private var candidate: MessageKind?

    /// Notes that `kind` was the last message before an epoch boundary.
    mutating func ended(with kind: MessageKind) {
        if candidate == kind { last = kind }
        candidate = kind
    }

    /// Forgets which kind of message ends an epoch, because the receiver or its configuration was changed.
    mutating func reset() {
        last = nil
        candidate = nil
    }
}
