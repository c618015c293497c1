public import GNSS
public import NMEA0183
public import UBX
public import Units

/// Joins the messages of one navigation solution to one epoch: one whole fix each, never a dribble of partial ones.
///
/// An epoch closes as early as the receiver's habits allow: at NAV-EOE, at the message that was learned to be its last,
/// at a silence on the line, or, failing those, when a message of the next epoch arrives. Messages belong together when
/// their UTC times of day agree to 10 ms; UBX times of week count in UTC too, so both protocols meet in one epoch.
///
/// After each call `closed` holds the epochs that it closed (none, one or two), valid until the next call.
public struct EpochAssembler: Sendable {
    private var open = Epoch()
    @usableFromInline var closedStorage = [Epoch(), Epoch()]
    private var closedCount = 0

    private var key: EpochKey?
    private var lastClosedKey: EpochKey?
    private var closedAt = MonotonicInstant.zero
    private var closedBySilence = false
    private var hasContent = false
    private var order = CycleOrder()
    /// The last message that could end the epoch, and the last that could end the one before a silence.
    private var lastKind: MessageKind?
    private var knowsSilences = false
    private var occurrences = Occurrences()
    /// Whether the last epoch began with sentences that have no time (a sky view before RMC).
    private var beginsUntimed = false

    private var nmea = NMEAEvidence()
    private var ubx = UBXEvidence()
    private var sky = SkyAssembler()
    private var dates: DateKeeper
    private var date: CivilDate?
    private var timeOfDay: Int64?
    private var latchedType: FixType?
    /// Whether the sentences now are of another datum than WGS 84, and whether some of the open epoch's were.
    private var isForeignDatum = false
    private var holdsForeignDatum = false
    private var leapMilliseconds: Int64 = 18_000
    private var lastByte = MonotonicInstant.zero

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

    /// Takes a UBX frame's payload; messages without a time of week do not concern an epoch.
    ///
    /// - Throws: What is wrong with the payload; the epoch is as if the frame had not been.
    public mutating func push(
        _ id: UBXMessageID, payload: borrowing Span<UInt8>, at instant: MonotonicInstant
    ) throws(UBXPayloadError) {
        closedCount = 0
        lastByte = instant
        guard id.messageClass == 0x01 || id == .hnrPVT else { return }
        switch id {
        case .navPVT: try add(NavPVT(payload: payload), at: instant)
        case .navSAT: try add(NavSAT(payload: payload), payload, at: instant)
        case .navSVINFO: try add(NavSVINFO(payload: payload), payload, at: instant)
        case .navDOP:
            let message = try NavDOP(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navSOL:
            let message = try NavSOL(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navSTATUS:
            let message = try NavSTATUS(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navPOSLLH:
            let message = try NavPOSLLH(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navHPPOSLLH:
            let message = try NavHPPOSLLH(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navVELNED:
            let message = try NavVELNED(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navPOSECEF:
            let message = try NavPOSECEF(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navVELECEF:
            let message = try NavVELECEF(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navTIMEUTC:
            let message = try NavTIMEUTC(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message) }
        case .navTIMEGPS:
            let message = try NavTIMEGPS(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navTIMELS:
            let message = try NavTIMELS(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant), message.areLeapSecondsValid {
                open.fix.leapSeconds = Int16(message.leapSeconds)
            }
        case .hnrPVT:
            let message = try HnrPVT(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navEOE:
            let message = try NavEOE(payload: payload)
            end(message.timeOfWeekMilliseconds, at: instant)
            lastKind = MessageKind(id)
            return
        default: return
        }
        ended(with: MessageKind(id), canEnd: true)
    }

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
    private mutating func add(_ pvt: NavPVT, at instant: MonotonicInstant) {
        let utc = pvt.utc
        if pvt.isTimeFullyResolved, pvt.isTimeValid, let utc {
            leapMilliseconds = EpochKey.leap(timeOfWeek: pvt.timeOfWeekMilliseconds, utc: utc) ?? leapMilliseconds
        }
        if join(pvt.timeOfWeekMilliseconds, at: instant) { ubx.add(pvt, utc: utc, to: &open.fix) }
    }

    private mutating func add(_ view: NavSAT, _ payload: borrowing Span<UInt8>, at instant: MonotonicInstant) {
        _ = join(view.timeOfWeekMilliseconds, at: instant)
        open.satellites.removeAll(keepingCapacity: true)
        view.append(satellitesIn: payload, to: &open.satellites, limit: SkyAssembler.capacity)
        open.hasSky = true
    }

    private mutating func add(_ view: NavSVINFO, _ payload: borrowing Span<UInt8>, at instant: MonotonicInstant) {
        _ = join(view.timeOfWeekMilliseconds, at: instant)
        guard !open.hasSky else { return }
        for index in 0..<view.count where open.satellites.count < SkyAssembler.capacity {
            guard let satellite = view.satellite(at: index, in: payload) else { continue }
            open.satellites.append(satellite)
        }
        open.hasSky = true
    }

    /// Makes the open epoch the one of this time of week.
    ///
    /// - Returns: False where that epoch is closed already, so that only its sky may still be used.
    private mutating func join(_ timeOfWeek: UInt32, at instant: MonotonicInstant) -> Bool {
        let joined = EpochKey(timeOfWeek: timeOfWeek, leapMilliseconds: leapMilliseconds)
        begin(joined, at: instant, repeats: false, isVoid: false)
        guard !isLate(joined) else {
            noteLateness()
            return false
        }
        if !hasContent { open.firstByte = instant }
        hasContent = true
        return true
    }

    /// Closes the epoch of this time of week; one of which nothing was heard is none.
    private mutating func end(_ timeOfWeek: UInt32, at instant: MonotonicInstant) {
        let ended = EpochKey(timeOfWeek: timeOfWeek, leapMilliseconds: leapMilliseconds)
        begin(ended, at: instant, repeats: false, isVoid: false)
        if isLate(ended) {
            noteLateness()
        } else if hasContent {
            close()
        } else {
            key = nil
        }
    }

    /// Closes the open epoch if a message with this time cannot belong to it.
    private mutating func begin(_ next: EpochKey?, at instant: MonotonicInstant, repeats: Bool, isVoid: Bool) {
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
    private func isLate(_ next: EpochKey) -> Bool {
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

    private mutating func noteLateness() {
        if closedBySilence { falseSilences += 1 }
        closedBySilence = false
    }

    /// Notes that what follows is of another epoch than what went before.
    private mutating func boundary() {
        if let lastKind { order.ended(with: lastKind) }
        lastKind = nil
        occurrences.removeAll()
    }

    private mutating func ended(with kind: MessageKind, canEnd: Bool) {
        guard canEnd else { return }
        lastKind = kind
        if kind == order.last, holdsSolution { close() }
    }
}

extension EpochAssembler {
    private mutating func close(upToMark: Bool = false) {
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
            open.fix.isTimeValidated = time.isValidated
            if time.isValidated { dates.note(instant) }
            return
        }
        guard let timeOfDay else { return }
        let isGood = nmea.isValid && !nmea.isVoid
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
