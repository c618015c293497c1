internal import NMEA0183
internal import UBX

/// The kind of a message, for learning the order of messages within an epoch.
struct MessageKind: Equatable {
    private var rawValue: UInt64

    /// A sentence: its formatter and talker, the signal of a GSV group, and its number among the sentences of its kind
    /// in this epoch.
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
/// row, until another kind does so. A receiver that sends a sky view every fifth epoch, after all other messages,
/// therefore keeps its usual last message: the sky view goes to the next epoch, and no position waits for it.
struct CycleOrder {
    /// The kind of message that is trusted to end an epoch; nil until one is.
    private(set) var last: MessageKind?
    /// The kind that ended the newest epoch.
    private var candidate: MessageKind?

    /// Notes that `kind` was the last message before an epoch boundary.
    mutating func ended(with kind: MessageKind) {
        if candidate == kind { last = kind }
        candidate = kind
    }

    /// Forgets what was learned, because the receiver or its configuration was changed.
    mutating func reset() {
        last = nil
        candidate = nil
    }
}
