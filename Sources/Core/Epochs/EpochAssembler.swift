public import GNSS
public import NMEA0183
public import SextantUnits

/// Joins the messages of one navigation solution into one epoch, so that it gives one complete fix and not several
/// partial ones.
///
/// An epoch closes as early as the receiver's habits allow: at NAV-EOE, at the message that was learned to be its last,
/// at a silence on the serial line, or, failing those, when a message of the next epoch arrives. In a recording, where
/// nothing is won by closing early, it closes at NAV-EOE or at the next epoch's first message with a time. Messages
/// belong to the same epoch when their UTC times of day agree to 10 ms, unless a sentence of the same kind already came
/// with another time. UBX times of week are converted to UTC, so that both protocols can share an epoch. `UntimedOrder`
/// decides to which epoch the sentences without a time belong.
///
/// After each call, `closed` gives the epochs that the call closed (none, one or two), valid until the next call.
public struct EpochAssembler: Sendable {
    private let source: EpochSource
    /// The open epoch's values, whose storage is used again for every epoch.
    var open = Epoch()
    var current = OpenEpoch(knowsDate: false)
    @usableFromInline var closedStorage = [Epoch(), Epoch()]
    var closedCount = 0

    /// The epoch that was closed last: its time of day, when it was closed, and whether a silence on the serial line
    /// closed it.
    var lastClosed: (key: EpochKey?, at: MonotonicInstant, bySilence: Bool) = (nil, .zero, false)
    var order = CycleOrder()
    private var occurrences = Occurrences()
    var untimed = UntimedSentences()
    private var untimedOrder = UntimedOrder()
    /// The dilutions that the receiver sent last; an RMC that begins an epoch clears them, as in gpsd.
    private var dilutionInForce = DilutionOfPrecision()

    var sky = SkyAssembler()
    var dates: DateKeeper
    var latchedType: FixType?
    /// When a DTM sentence last named another datum than WGS 84; nil where the last one named WGS 84.
    private var foreignDatumInstant: MonotonicInstant?
    var leapMilliseconds: Int64 = 18_000
    /// GPS time minus UTC in seconds, as the receiver sent it most recently.
    var leapSeconds: Int16?
    var lastByte = MonotonicInstant.zero

    /// - Parameters:
    ///   - reference: What is known of the date, to correct dates whose week or century wrapped.
    ///   - source: Whether the messages come from a serial line or from a recording.
    public init(reference: DateReference, source: EpochSource) {
        self.source = source
        dates = DateKeeper(reference: reference)
        for index in closedStorage.indices { closedStorage[index].satellites.reserveCapacity(SkyAssembler.capacity) }
        open.satellites.reserveCapacity(SkyAssembler.capacity)
    }

    /// Replaces what is known of the date, by which later dates are corrected, for example when the host has learned
    /// the time.
    public mutating func setReference(_ reference: DateReference) {
        dates.reference = reference
    }

    /// The indices of the epochs that the last call closed, to be given to `closed`.
    public var closedEpochs: Range<Int> { 0..<closedCount }

    /// An epoch that the last call closed.
    @inlinable @inline(__always)
    public func closed(_ index: Int) -> Epoch { closedStorage[index] }

    /// The number of epochs for which messages came after a silence had closed them, because the caller reported the
    /// silence too early.
    public private(set) var falseSilences = 0

    /// Whether an epoch has begun that is not closed yet.
    public var isOpen: Bool { current.hasContent }

    /// Whether the open epoch holds more than a sky view or GSA sentences, which can also belong to the next solution.
    private var holdsSolution: Bool {
        current.hasContent
            && (current.key != nil || current.nmea.hasFixStatus || current.ubx.hasSolution || holdsAttitudeAlone)
    }

    /// Whether the device has sent nothing but attitude: it is a compass, whose sentences have no time.
    private var holdsAttitudeAlone: Bool { !untimedOrder.hasTimes && untimed.attitude != nil }
}

extension EpochAssembler {
    /// Takes a sentence whose checksum is correct.
    ///
    /// - Throws: The error of a field; the open epoch is then unchanged.
    public mutating func push(
        _ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>, at instant: MonotonicInstant
    ) throws(NMEAFieldError) {
        closedCount = 0
        let origin = SentenceOrigin(fields, in: bytes)
        // The most frequent sentences go to the epoch directly, not by way of `NMEAMessage`.
        switch origin.formatter {
        case .gsv:
            let view = try GSV(fields, in: bytes)
            enter(at: instant)
            untimed.add(view)
            sky.push(view, dilutionInForce, talker: origin.talker, fields: fields, in: bytes)
            leave(origin, signal: view.signalID ?? 0, canEnd: view.sentenceNumber >= view.sentenceCount)
        case .gsa:
            let active = try GSA(fields, in: bytes)
            enter(at: instant)
            sky.push(active, talker: origin.talker, fields: fields, in: bytes)
            untimed.add(active)
            dilutionInForce.position = active.positionDilution ?? dilutionInForce.position
            dilutionInForce.horizontal = active.horizontalDilution ?? dilutionInForce.horizontal
            dilutionInForce.vertical = active.verticalDilution ?? dilutionInForce.vertical
            leave(origin)
        case .gga:
            let gga = try GGA(fields, in: bytes)
            let entry = enter(NMEATiming(gga), origin, at: instant)
            if entry.adds { current.nmea.add(gga, to: &open.fix) }
            dilutionInForce.horizontal = gga.horizontalDilution ?? dilutionInForce.horizontal
            leave(entry)
        case .rmc:
            let rmc = try RMC(fields, in: bytes)
            let entry = enter(NMEATiming(rmc), origin, at: instant)
            if entry.adds { current.nmea.add(rmc, to: &open.fix) }
            if entry.begins { dilutionInForce = DilutionOfPrecision() }
            leave(entry)
        case .gll:
            let gll = try GLL(fields, in: bytes)
            let entry = enter(NMEATiming(gll), origin, at: instant)
            if entry.adds { current.nmea.add(gll, to: &open.fix) }
            leave(entry)
        case .vtg:
            let vtg = try VTG(fields, in: bytes)
            enter(at: instant)
            untimed.add(vtg)
            leave(origin)
        case .gns, .zda, .gst, .gbs, .txt, .dtm, .pubx00, .psti030, .pgrme, .pgrmz, .pgrmf, .psrfepe,
            .ashtechPosition, .hdt, .ths, .hdg, .hdm, .rot, .psti036, .ptnthtm, .ohpr, .pashr, .pmtk001, .pair001,
            .pcas, .other:
            heard(try NMEAMessage(fields, in: bytes), origin, at: instant)
        }
    }

    /// Takes a sentence of the less frequent kinds.
    private mutating func heard(_ message: NMEAMessage, _ origin: SentenceOrigin, at instant: MonotonicInstant) {
        let timing = NMEATiming(message)
        guard timing.isNavigation else {
            lastByte = instant
            return
        }
        let entry = enter(timing, origin, at: instant)
        switch message {
        case .dtm(let datum): foreignDatumInstant = datum.isWGS84 ? nil : instant
        case .attitude(let sentence): untimed.add(sentence)
        case .pgrme(let errors): untimed.add(NMEAEvidence.errors(of: errors))
        case .pgrmz(let altitude): untimed.add(altitude)
        case .gns(let gns): dilutionInForce.horizontal = gns.horizontalDilution ?? dilutionInForce.horizontal
        case .zda(let zda): tellTime(zda, as: entry)
        default: break
        }
        if entry.adds { current.nmea.add(message, to: &open) }
        leave(entry)
    }

    /// Notes that a ZDA gave date and time, unless its date is that of a receiver clock that was never set.
    private mutating func tellTime(_ zda: ZDA, as entry: Entry) {
        guard entry.belongs, zda.timeOfDay != nil, let date = zda.date, !DateKeeper.isPlaceholder(date) else { return }
        open.hasToldTime = true
    }

    /// How a sentence that is being processed relates to the open epoch.
    private struct Entry {
        var timing: NMEATiming
        var kind: MessageKind
        /// Whether the sentence belongs to the open epoch and not to an epoch that is already closed.
        var belongs = true
        /// Whether the sentence is its epoch's first with a time.
        var begins = false
        /// Whether the sentence's values are used; false where its epoch is already closed, or where UBX messages gave
        /// the solution with more digits.
        var adds: Bool
    }

    /// Closes the open epoch where a sentence belongs to another epoch, and then opens the epoch of the sentence.
    private mutating func enter(_ timing: NMEATiming, _ origin: SentenceOrigin, at instant: MonotonicInstant) -> Entry {
        lastByte = instant
        let isKeyed = current.key != nil
        if timing.canBegin {
            begin(
                timing.timeOfDay.map { EpochKey(timeOfDay: $0) }, at: instant,
                repeats: occurrences.repetition(origin.formatter, origin.talker, timeOfDay: timing.timeOfDay),
                hasFix: timing.hasFix)
        } else if timing.isAttitude, holdsAttitudeAlone,
            occurrences.repetition(origin.formatter, origin.talker, timeOfDay: nil).isAny
        {
            boundary()
            close()
        }
        let kind = occurrences.count(
            origin.formatter, origin.talker, signal: timing.signal, timeOfDay: timing.timeOfDay)
        guard !isLate(timing) else { return Entry(timing: timing, kind: kind, belongs: false, adds: false) }
        enter(at: instant)
        if let time = timing.timeOfDay { current.timeOfDay = time }
        if timing.canBegin { join() }
        if timing.canBegin, isForeignDatum(at: instant) { open.isInForeignDatum = true }
        current.yieldToUBX()
        let begins = current.key != nil && (!isKeyed || closedCount > 0)
        return Entry(timing: timing, kind: kind, begins: begins, adds: !current.ubx.hasSolution)
    }

    /// Whether positions at an instant use another datum than WGS 84.
    ///
    /// A receiver repeats its datum with its positions (IEC 61162-1, DTM); a datum that is not repeated for 10 s is no
    /// longer in use.
    private func isForeignDatum(at instant: MonotonicInstant) -> Bool {
        guard let told = foreignDatumInstant else { return false }
        return instant.nanoseconds(since: told) < EpochAssembler.datumLasts
    }

    /// Nanoseconds for which a datum holds after a DTM sentence.
    private static let datumLasts: Int64 = 10_000_000_000

    private mutating func leave(_ entry: Entry) {
        if let written = entry.timing.date { current.date = written }
        ended(with: entry.kind, canEnd: entry.timing.canEnd && (entry.timing.canBegin || canEndUntimed))
    }

    /// Notes that a sentence with a time, and the sentences without a time before it, belong to the open epoch.
    private mutating func join() {
        sky.setMark()
        moveUntimed()
    }

    mutating func moveUntimed() {
        guard !untimed.isEmpty else { return }
        if current.ubx.hasSolution {
            untimed.moveAttitude(to: &open)
            untimed = UntimedSentences()
        } else {
            current.yieldToUBX()
            untimed.move(to: &current.nmea, &open)
        }
    }

    /// Whether an epoch can end with a sentence that has no time.
    private var canEndUntimed: Bool { source == .line && untimedOrder.canEndEpoch }

    /// Begins an epoch if none is open, and notes that it got content.
    @inline(__always)
    mutating func enter(at instant: MonotonicInstant) {
        lastByte = instant
        if !current.hasContent { open.firstByte = instant }
        current.hasContent = true
    }

    /// Closes the epoch if this sentence, which has no time, is of the kind that ends epochs; does nothing for a
    /// receiver whose epochs end with a sentence that has a time.
    @inline(__always)
    private mutating func leave(_ origin: SentenceOrigin, signal: Int = 0, canEnd: Bool = true) {
        guard canEndUntimed else { return }
        let kind = occurrences.count(
            origin.formatter, origin.talker, signal: UInt8(clamping: signal), timeOfDay: nil)
        ended(with: kind, canEnd: canEnd)
    }
}

extension EpochAssembler {
    /// Notes that the serial line was silent for longer than a receiver pauses within an epoch.
    public mutating func silence() {
        closedCount = 0
        untimedOrder.silence(isBehindUntimed: holdsSolution && !untimed.isEmpty)
        boundary()
        guard holdsSolution else { return }
        close()
        lastClosed.bySilence = true
    }

    /// Closes the last epoch of a recording.
    public mutating func finish() {
        closedCount = 0
        sky.abandonOpenGroup()
        // A sky view after the last sentence with a time can belong to a further epoch, whose other sentences the
        // recording lacks; then it is left out of the last epoch.
        if holdsSolution { close(upToMark: !untimedOrder.areTrailing && sky.holdsViewUpToMark) }
    }
}

extension EpochAssembler {
    /// Closes the open epoch if a message with this time cannot belong to it.
    ///
    /// - Parameter hasFix: True where the message says that there is a fix, false where it denies one, nil otherwise.
    mutating func begin(_ next: EpochKey?, at instant: MonotonicInstant, repeats: Repetition, hasFix: Bool?) {
        untimedOrder.heardTime(after: untimed, isFirst: current.key == nil)
        let isOther: Bool
        switch (current.key ?? (current.hasContent ? nil : lastClosed.key), next) {
        case (let key?, let next?):
            isOther = !key.agrees(with: next) || repeats == .otherTime || repeats.isAny && hasFix == false
        // The open epoch has a solution without a time. It ends at a sentence of a kind that it already has, and at the
        // first sentence that reports a fix after others reported none. A sentence that has the time of the previous
        // epoch, however, ends it only if it is of such a kind and reports no fix.
        case (nil, let next?) where current.nmea.hasFixStatus:
            let isFirstFix = hasFix == true && current.nmea.isVoid && !current.nmea.isValid
            isOther = repeats.isAny && hasFix == false || (isFirstFix || repeats.isAny) && !isLate(next)
        // The open epoch has neither solution nor time: its sentences belong to the solution that this time begins,
        // unless the time is that of the previous epoch.
        case (nil, let next?): isOther = !isLate(next)
        case (_, nil): isOther = repeats.isAny
        }
        if isOther {
            boundary()
            if holdsSolution { closeAtNext() }
        }
        if let next, !isLate(next) || isOther { current.key = current.key ?? next }
    }

    /// Closes the epoch because the next epoch's first sentence with a time came.
    private mutating func closeAtNext() {
        untimedOrder.compare(current.nmea)
        untimedOrder.wait(untimed, behind: current.nmea)
        close(upToMark: !untimedOrder.areTrailing)
    }

    /// Whether a message with this time belongs to the epoch that was closed last.
    ///
    /// A receiver whose clock stands still repeats the same time an epoch later; its messages are not late.
    @inline(__always)
    func isLate(_ next: EpochKey) -> Bool {
        guard current.key == nil, let closed = lastClosed.key else { return false }
        return closed.agrees(with: next) && lastByte.nanoseconds(since: lastClosed.at) < EpochAssembler.latest
    }

    /// Nanoseconds after an epoch's closing within which a further message of that epoch counts as late.
    private static let latest: Int64 = 700_000_000

    private mutating func isLate(_ timing: NMEATiming) -> Bool {
        guard let time = timing.timeOfDay, isLate(EpochKey(timeOfDay: time)) else { return false }
        noteLateness()
        return true
    }

    mutating func noteLateness() {
        if lastClosed.bySilence { falseSilences += 1 }
        lastClosed.bySilence = false
    }

    /// Notes that the messages from now on belong to another epoch.
    private mutating func boundary() {
        order.boundary()
        occurrences.removeAll()
    }

    mutating func ended(with kind: MessageKind, canEnd: Bool) {
        guard canEnd, source == .line else { return }
        if order.heard(kind), holdsSolution { close() }
    }
}

/// A sentence's formatter and talker.
private struct SentenceOrigin {
    var formatter: NMEAFormatter
    var talker: NMEATalker

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) {
        formatter = NMEAFormatter(fields, in: bytes)
        talker = fields.talker(in: bytes)
    }
}
