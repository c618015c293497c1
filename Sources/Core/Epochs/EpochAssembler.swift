public import GNSS
public import NMEA0183
internal import UBX
public import Units

/// Joins the messages of one navigation solution to one epoch: one whole fix each, never a dribble of partial ones.
///
/// An epoch closes as early as the receiver's habits allow: at NAV-EOE, at the message that was learned to be its last,
/// at a silence on the line, or, failing those, when a message of the next epoch arrives. Messages belong together when
/// their UTC times of day agree to 10 ms; UBX times of week count in UTC too, so both protocols meet in one epoch.
///
/// After each call `closed` holds the epochs that it closed (none, one or two), valid until the next call.
public struct EpochAssembler: Sendable {
    var open = Epoch()
    @usableFromInline var closedStorage = [Epoch(), Epoch()]
    var closedCount = 0

    var key: EpochKey?
    private var lastClosedKey: EpochKey?
    private var closedAt = MonotonicInstant.zero
    private var closedBySilence = false
    var hasContent = false
    private var order = CycleOrder()
    /// The last message that could end the epoch, and the last that could end the one before a silence.
    var lastKind: MessageKind?
    private var knowsSilences = false
    private var occurrences = Occurrences()
    /// Whether the last epoch began with sentences that have no time (a sky view before RMC).
    private var beginsUntimed = false

    private var nmea = NMEAEvidence()
    var ubx = UBXEvidence()
    private var sky = SkyAssembler()
    private var dates: DateKeeper
    private var date: CivilDate?
    private var timeOfDay: Int64?
    private var latchedType: FixType?
    /// Whether the sentences now are of another datum than WGS 84, and whether some of the open epoch's were.
    private var isForeignDatum = false
    private var holdsForeignDatum = false
    var leapMilliseconds: Int64 = 18_000
    var lastByte = MonotonicInstant.zero

    /// - Parameter reference: What is known of the date, to mend dates that wrapped.
    public init(reference: DateReference) {
        dates = DateKeeper(reference: reference)
        nmea.knowsDate = false
        for index in closedStorage.indices { closedStorage[index].satellites.reserveCapacity(SkyAssembler.capacity) }
        open.satellites.reserveCapacity(SkyAssembler.capacity)
    }

    /// Moves the reference for later dates, when the host has learned the time.
    public mutating func setReference(_ reference: DateReference) {
        dates.reference = reference
    }

    /// How many epochs the last call closed.
    public var closedEpochs: Range<Int> { 0..<closedCount }

    /// An epoch that the last call closed.
    @inlinable @inline(__always)
    public func closed(_ index: Int) -> Epoch { closedStorage[index] }

    /// How often an epoch was closed by a silence and then went on: a sign that the silences told are too short.
    public private(set) var falseSilences = 0

    /// Whether an epoch has begun that is not closed yet.
    public var isOpen: Bool { hasContent }

    /// Whether what is open is more than sentences that may belong to the next solution (a sky view, a GSA).
    private var holdsSolution: Bool { hasContent && (key != nil || nmea.hasStanding || ubx.hasSolution) }
}

extension EpochAssembler {
    /// Takes a checked sentence.
    ///
    /// - Throws: What is wrong with a field; the epoch is as if the sentence had not been.
    public mutating func push(
        _ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>, at instant: MonotonicInstant
    ) throws(NMEAFieldError) {
        closedCount = 0
        let origin = SentenceOrigin(fields, in: bytes)
        // What a receiver sends most goes straight from its own type to the epoch.
        switch origin.formatter {
        case .gsv:
            let view = try GSV(fields, in: bytes)
            _ = enter(at: instant)
            sky.push(view, talker: origin.talker, fields: fields, in: bytes)
            leave(origin, signal: view.signalID ?? 0, canEnd: view.sentenceNumber >= view.sentenceCount)
        case .gsa:
            let active = try GSA(fields, in: bytes)
            let adds = enter(at: instant)
            sky.push(active, talker: origin.talker, fields: fields, in: bytes)
            if adds { nmea.add(active, to: &open.fix) }
            leave(origin)
        case .gga:
            let gga = try GGA(fields, in: bytes)
            let entry = enter(NMEATiming(gga), origin, at: instant)
            if entry.adds { nmea.add(gga, to: &open.fix) }
            leave(entry)
        case .rmc:
            let rmc = try RMC(fields, in: bytes)
            let entry = enter(NMEATiming(rmc), origin, at: instant)
            if entry.adds { nmea.add(rmc, to: &open.fix) }
            leave(entry)
        case .gll:
            let gll = try GLL(fields, in: bytes)
            let entry = enter(NMEATiming(gll), origin, at: instant)
            if entry.adds { nmea.add(gll, to: &open.fix) }
            leave(entry)
        case .vtg:
            let vtg = try VTG(fields, in: bytes)
            if enter(at: instant) { nmea.add(vtg, to: &open.fix) }
            leave(origin)
        case .gns, .zda, .gst, .gbs, .txt, .dtm, .hdt, .ths, .pubx00, .pmtk001, .pair001, .pcas, .other:
            take(try NMEAMessage(fields, in: bytes), origin, at: instant)
        }
    }

    /// Takes a sentence of the kinds that come seldom.
    private mutating func take(_ message: NMEAMessage, _ origin: SentenceOrigin, at instant: MonotonicInstant) {
        let timing = NMEATiming(message)
        guard timing.isNavigation else {
            lastByte = instant
            return
        }
        let entry = enter(timing, origin, at: instant)
        if case .dtm(let datum) = message { isForeignDatum = !datum.isWGS84 }
        if entry.adds { nmea.add(message, to: &open.fix, errors: &open.errors) }
        leave(entry)
    }

    /// What a sentence is to the open epoch, from when it came to when its values are in.
    private struct Entry {
        var timing: NMEATiming
        var kind: MessageKind
        /// Whether its values are used: not those of an epoch that is closed, nor where UBX said the same with more
        /// digits.
        var adds: Bool
    }

    /// Closes the open epoch where this sentence is of another one, and opens its own.
    private mutating func enter(_ timing: NMEATiming, _ origin: SentenceOrigin, at instant: MonotonicInstant) -> Entry {
        lastByte = instant
        if timing.canBegin {
            begin(
                timing.timeOfDay.map { EpochKey(timeOfDay: $0) }, at: instant,
                repeats: occurrences.has(origin.formatter, origin.talker), isVoid: timing.isVoid)
        }
        let kind = occurrences.count(origin.formatter, origin.talker, signal: timing.signal)
        guard !isLate(timing) else { return Entry(timing: timing, kind: kind, adds: false) }
        if !hasContent { open.firstByte = instant }
        hasContent = true
        if let time = timing.timeOfDay { timeOfDay = time }
        if timing.canBegin { sky.setMark() }
        if timing.canBegin, isForeignDatum { holdsForeignDatum = true }
        return Entry(timing: timing, kind: kind, adds: !ubx.hasSolution)
    }

    private mutating func leave(_ entry: Entry) {
        if let written = entry.timing.date { date = written }
        ended(with: entry.kind, canEnd: entry.timing.canEnd && (entry.timing.canBegin || knowsSilences))
    }

    /// Lets in a sentence that has no time, which is of the epoch that is open or begins the next.
    ///
    /// - Returns: Whether its values are used.
    @inline(__always)
    private mutating func enter(at instant: MonotonicInstant) -> Bool {
        lastByte = instant
        if !hasContent { open.firstByte = instant }
        hasContent = true
        return !ubx.hasSolution
    }

    /// Closes the epoch where such a sentence is the one to end it, which only a silence tells: until there was one, none
    /// of them is counted.
    @inline(__always)
    private mutating func leave(_ origin: SentenceOrigin, signal: Int = 0, canEnd: Bool = true) {
        guard knowsSilences else { return }
        let kind = occurrences.count(origin.formatter, origin.talker, signal: UInt8(clamping: signal))
        ended(with: kind, canEnd: canEnd)
    }
}

extension EpochAssembler {
    /// Says that the line was silent for longer than a receiver pauses within an epoch.
    public mutating func silence() {
        closedCount = 0
        knowsSilences = true
        boundary()
        guard holdsSolution else { return }
        close()
        closedBySilence = true
    }

    /// Closes the last epoch of a recording.
    public mutating func finish() {
        closedCount = 0
        if holdsSolution { close() }
    }
}

extension EpochAssembler {
    /// Closes the open epoch if a message with this time cannot belong to it.
    mutating func begin(_ next: EpochKey?, at instant: MonotonicInstant, repeats: Bool, isVoid: Bool) {
        let isOther: Bool
        switch (key ?? (hasContent ? nil : lastClosedKey), next) {
        case (let current?, let next?): isOther = !current.agrees(with: next) || repeats && isVoid
        // What is open has no time: a solution without one goes on until a sentence repeats; sentences that are of no
        // solution yet begin the next one, unless this is still the last one's.
        case (nil, let next?): isOther = nmea.hasStanding ? repeats && (isVoid || !isLate(next)) : !isLate(next)
        case (_, nil): isOther = repeats
        }
        let beginsAnew = key == nil && next != nil
        if isOther {
            // The learned end did not come. What followed the last time belongs to the next epoch where this receiver
            // is known to begin with sentences that have none, and as long as nothing is known.
            let upToMark = order.last == nil || beginsUntimed
            boundary()
            if holdsSolution { close(upToMark: upToMark) }
        }
        if beginsAnew, isOther || !hasContent { beginsUntimed = hasContent }
        if let next, !isLate(next) || isOther { key = key ?? next }
    }

    /// Whether a message with this time belongs to the epoch that was closed last.
    ///
    /// A clock that stands still is not late: it says the same time again an epoch later.
    @inline(__always)
    func isLate(_ next: EpochKey) -> Bool {
        guard key == nil, let closed = lastClosedKey else { return false }
        return closed.agrees(with: next) && lastByte.nanoseconds(since: closedAt) < EpochAssembler.latest
    }

    /// Nanoseconds after an epoch closed in which more of it may come.
    private static let latest: Int64 = 700_000_000

    private mutating func isLate(_ timing: NMEATiming) -> Bool {
        guard let time = timing.timeOfDay, isLate(EpochKey(timeOfDay: time)) else { return false }
        noteLateness()
        return true
    }

    mutating func noteLateness() {
        if closedBySilence { falseSilences += 1 }
        closedBySilence = false
    }

    /// Notes that what follows is of another epoch than what went before.
    private mutating func boundary() {
        if let lastKind { order.ended(with: lastKind) }
        lastKind = nil
        occurrences.removeAll()
    }

    mutating func ended(with kind: MessageKind, canEnd: Bool) {
        guard canEnd else { return }
        lastKind = kind
        if kind == order.last, holdsSolution { close() }
    }
}

extension EpochAssembler {
    mutating func close(upToMark: Bool = false) {
        concludeStanding(upToMark: upToMark)
        sky.close(into: &open, upToMark: upToMark)
        concludeTime()
        open.lastByte = lastByte
        lastClosedKey = key
        closedAt = lastByte
        closedBySilence = false
        open.moveAndClear(into: &closedStorage[closedCount])
        closedCount += 1
        key = nil
        hasContent = false
        nmea = NMEAEvidence()
        nmea.knowsDate = dates.isKnown
        ubx = UBXEvidence()
        date = nil
        timeOfDay = nil
        holdsForeignDatum = false
    }

    private mutating func concludeStanding(upToMark: Bool) {
        if ubx.hasSolution {
            ubx.conclude(&open.fix)
        } else {
            nmea.conclude(&open.fix, latched: &latchedType)
            open.fix.satellitesUsed = satellitesUsed(upToMark: upToMark)
        }
        if holdsForeignDatum {
            // Everything here is WGS 84; a position in another frame is none.
            open.fix.withdrawPosition()
            open.fix.type = .noFix
        }
    }

    /// GGA's count stops at 12 in many receivers; the satellites that GSA names do not.
    private func satellitesUsed(upToMark: Bool) -> UInt8? {
        let named = sky.usedCount(upToMark: upToMark) ?? 0
        guard named > 0 || nmea.reportedSatellites != nil else { return nil }
        return UInt8(clamping: max(named, nmea.reportedSatellites ?? 0))
    }

    private mutating func concludeTime() {
        if let time = ubx.time {
            let instant = dates.reference.mended(time.instant)
            open.fix.time = instant
            let isValidated = time.isValidated && !DateKeeper.isPlaceholder(time.instant.date)
            open.fix.isTimeValidated = isValidated
            if isValidated { dates.note(instant) }
            return
        }
        guard let timeOfDay else { return }
        let isGood = nmea.isValid && !nmea.isVoid && !(date.map(DateKeeper.isPlaceholder) ?? false)
        if let date, isGood || !dates.isValidated {
            open.fix.time = dates.resolve(timeOfDay, date: date, isValid: isGood || dates.isValidated)
            open.fix.isTimeValidated = isGood
        } else if let known = dates.resolve(timeOfDay) {
            open.fix.time = known.instant
            open.fix.isTimeValidated = known.isValidated && isGood
        }
    }
}

/// A sentence's kind and who it speaks for.
private struct SentenceOrigin {
    var formatter: NMEAFormatter
    var talker: NMEATalker

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) {
        formatter = NMEAFormatter(fields, in: bytes)
        talker = fields.talker(in: bytes)
    }
}
