internal import NMEA0183

/// Whether a sentence of the same kind and talker came in this epoch already.
enum Repetition {
    case none
    case sameTime
    /// The earlier sentence of the same kind had another time, so this sentence belongs to another epoch, even if the
    /// times are close.
    case otherTime

    var isAny: Bool { self != .none }
}

/// The number of sentences of each kind that came in this epoch.
struct Occurrences {
    private struct Entry {
        var formatter: NMEAFormatter
        var talker: NMEATalker
        var count: UInt8
        /// The time of day in the epoch's first sentence of this formatter and talker, in nanoseconds; -1 where that
        /// sentence has none.
        var timeOfDay: Int64
    }

    private var entries: [Entry] = []
    private static let capacity = 64

    init() { entries.reserveCapacity(Occurrences.capacity) }

    func repetition(_ formatter: NMEAFormatter, _ talker: NMEATalker, timeOfDay: Int64?) -> Repetition {
        guard let index = index(formatter, talker) else { return .none }
        guard let timeOfDay, entries[index].timeOfDay >= 0 else { return .sameTime }
        return entries[index].timeOfDay == timeOfDay ? .sameTime : .otherTime
    }

    /// Counts a sentence, and returns its kind with its number in the epoch.
    mutating func count(
        _ formatter: NMEAFormatter, _ talker: NMEATalker, signal: UInt8, timeOfDay: Int64?
    ) -> MessageKind {
        guard let index = index(formatter, talker) else {
            if entries.count < Occurrences.capacity {
                entries.append(Entry(formatter: formatter, talker: talker, count: 1, timeOfDay: timeOfDay ?? -1))
            }
            return MessageKind(formatter, talker, signal: signal, occurrence: 1)
        }
        // GSV sentences get no number: how many of them come varies, but the last one must be of the same kind in every
        // epoch.
        if formatter != .gsv { entries[index].count &+= 1 }
        return MessageKind(formatter, talker, signal: signal, occurrence: entries[index].count)
    }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    @inline(__always)
    private func index(_ formatter: NMEAFormatter, _ talker: NMEATalker) -> Int? {
        let entries = entries.span
        for index in 0..<entries.count
        where entries[index].formatter == formatter && entries[index].talker == talker {
            return index
        }
        return nil
    }
}
