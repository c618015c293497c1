internal import NMEA0183
internal import SextantUnits

/// The navigation solution to which a message belongs, identified by the solution's UTC time of day.
struct EpochKey: Equatable {
    /// Milliseconds since midnight UTC; 86 400 000 or more in a leap second.
    private var milliseconds: Int64

    private static let day: Int64 = 86_400_000
    /// The times of two messages of one epoch differ by at most this, in milliseconds: receivers truncate decimals, and
    /// iTOW jitters by milliseconds.
    private static let tolerance: Int64 = 10

    init(timeOfDay nanoseconds: Int64) {
        milliseconds = nanoseconds / 1_000_000
    }

    init(timeOfWeek: UInt32, leapMilliseconds: Int64) {
        let shifted = (Int64(timeOfWeek) - leapMilliseconds) % EpochKey.day
        milliseconds = shifted < 0 ? shifted + EpochKey.day : shifted
    }

    func agrees(with other: EpochKey) -> Bool {
        // The leap second 23:59:60 is not the first second of the next day.
        guard (milliseconds < EpochKey.day) == (other.milliseconds < EpochKey.day) else { return false }
        let difference = abs(milliseconds - other.milliseconds)
        return min(difference, EpochKey.day - difference) <= EpochKey.tolerance
    }

    /// Milliseconds by which a receiver's GPS time of week is ahead of its UTC, or nil if they cannot be leap seconds.
    static func leap(timeOfWeek: UInt32, utc: UTCInstant) -> Int64? {
        let difference = (Int64(timeOfWeek) * 1_000_000 - utc.timeOfDay) % UTCInstant.nanosecondsPerDay
        let positive = difference < 0 ? difference + UTCInstant.nanosecondsPerDay : difference
        let leap = (positive + 500_000_000) / 1_000_000_000 * 1000
        return leap <= 40_000 ? leap : nil
    }
}

/// A sentence's time and its role in the order of an epoch, read before its values are used.
struct NMEATiming {
    /// Nanoseconds since midnight UTC; nil where the sentence has no time, or its time field is empty.
    var timeOfDay: Int64?
    var date: CivilDate?
    /// Whether the sentence belongs to a navigation solution at all.
    var isNavigation = true
    /// Whether the sentence's kind carries a time, so that the sentence can begin an epoch.
    var canBegin = false
    /// Whether an epoch can end with the sentence; false in the middle of a sky view.
    var canEnd = true
    /// True where the sentence says that there is a fix, false where it says that there is none, nil otherwise.
    var hasFix: Bool?
    var signal: UInt8 = 0
    /// Whether the sentence gives the vehicle's attitude, such as its heading or pitch.
    var isAttitude = false

    init(_ message: NMEAMessage) {
        self.init()
        switch message {
        case .gga(let gga): self = NMEATiming(gga)
        case .gns(let gns): begins(gns.timeOfDay, hasFix: gns.mode.map { $0 != .notValid })
        case .gll(let gll): self = NMEATiming(gll)
        case .rmc(let rmc): self = NMEATiming(rmc)
        case .zda(let zda):
            begins(zda.timeOfDay, hasFix: nil)
            date = zda.date
        case .gst(let gst): begins(gst.timeOfDay, hasFix: nil)
        case .gbs(let gbs): begins(gbs.timeOfDay, hasFix: nil)
        case .psrfepe(let errors): begins(errors.timeOfDay, hasFix: nil)
        case .pubx00(let pubx): begins(pubx.timeOfDay, hasFix: pubx.status.map { $0 != .noFix })
        case .ashtechPosition(let fix): begins(fix.timeOfDay, hasFix: fix.kind != nil)
        case .psti030(let psti):
            begins(psti.timeOfDay, hasFix: psti.isValid)
            date = psti.date
        case .pgrmf(let fix):
            begins(fix.timeOfDay, hasFix: fix.mode.map { $0 != .noFix })
            date = fix.date
        case .gsv(let view): self = NMEATiming(view)
        case .attitude: isAttitude = true
        case .gsa, .vtg, .pgrme, .pgrmz: break
        case .dtm: canEnd = false
        case .txt, .acknowledgement, .other: isNavigation = false
        }
    }

    /// A sentence without a time.
    init() {}

    init(_ gga: GGA) { begins(gga.timeOfDay, hasFix: gga.quality.map { $0 != .invalid }) }

    init(_ gll: GLL) { begins(gll.timeOfDay, hasFix: gll.isValid) }

    init(_ rmc: RMC) {
        begins(rmc.timeOfDay, hasFix: rmc.isValid ?? false)
        date = rmc.date
    }

    init(_ view: GSV) {
        canEnd = view.sentenceNumber >= view.sentenceCount
        signal = UInt8(clamping: view.signalID ?? 0)
    }

    private mutating func begins(_ time: Int64?, hasFix: Bool?) {
        timeOfDay = time
        canBegin = true
        self.hasFix = hasFix
    }
}

/// Whether a sentence of the same kind and talker came in this epoch already.
enum Repetition {
    case none
    case sameTime
    /// The earlier sentence had another time, so this one belongs to another epoch, even if the times are close.
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
