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
