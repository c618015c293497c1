internal import ClientProtocol
internal import Epochs
internal import GNSS
internal import GPSDProtocol
internal import Parts
internal import Receivers
internal import SextantUnits

/// Reception from the receiver: reopens a lost device, finds its rate, and decodes its bytes into epochs.
///
/// It keeps the last epoch for later requests, and passes the receiver's own messages on to the gpsd clients that asked
/// for them.
struct Reception: ~Copyable {
    /// All values that other parts of the Engine read from reception, except `deadline`.
    private(set) var view: ReceptionView
    private let fixedBaud: Int?
    private var supervisor = DeviceSupervisor()
    private var passthrough = Passthrough()
    /// Which gpsd clients read the receiver's own messages, and in which form.
    private var readers: [PassthroughReader] = []
    private var epochCount: UInt64 = 0
    /// The number of epochs with a position since the daemon started, for each fix type (its raw value is the index).
    private var fixCounts = [UInt64](repeating: 0, count: FixType.allCases.count)
    /// The last sky view, and when it came.
    private var sky: [Satellite] = []
    private var skyAt: MonotonicInstant?
    /// When a position was last withheld because of its datum; nil where none was, or a minute has passed since.
    private var foreignDatumAt: MonotonicInstant?
    /// Why the device is not open; nil while it is.
    private var failure: String?

    init(_ configuration: EngineConfiguration) {
        view = ReceptionView(device: configuration.device, line: ReceiverLine(configuration))
        fixedBaud = configuration.fixedBaud
    }

    /// The next instant at which the device must be opened again or silence on its line must be handled; nil for none.
    var deadline: MonotonicInstant? { .earlier(supervisor.deadline, view.line.deadline) }

    func describe(_ status: inout DaemonStatus, _ counters: inout StatusCounters, at instant: MonotonicInstant) {
        status.device = view.device
        status.state = view.line.state
        status.detail = failure ?? (foreignDatumAt == nil ? nil : Reception.foreignDatum)
        status.baud = view.line.rate
        let stream = view.line.decoder.stream.counters
        status.bytes = stream.bytes
        status.sentences = stream.sentences
        status.frames = stream.frames
        status.checksumFailures = stream.checksumFailures
        status.skippedBytes = stream.skippedBytes
        status.epochs = epochCount
        status.secondsSinceEpoch = view.lastEpochAt.map { instant.seconds(since: $0) }
        status.time = view.lastEpochAt == nil ? nil : view.lastEpoch.fix.time
        describe(&counters, at: instant)
    }
}

/// The receiver's serial line and its last epoch, for other parts of the Engine to read.
struct ReceptionView: ~Copyable {
    fileprivate let device: String
    fileprivate let line: ReceiverLine
    /// The last epoch, and when it closed.
    fileprivate var lastEpoch = Epoch()
    fileprivate var lastEpochAt: MonotonicInstant?
    /// When the device was opened, by the host's clock; nil where that clock was not known to be right.
    fileprivate var openedAt: UTCInstant?

    fileprivate init(device: String, line: ReceiverLine) {
        self.device = device
        self.line = line
    }

    var isOpen: Bool { line.isOpen }

    /// The line's rate in bits per second; nil for a device without one, such as a pseudo-terminal.
    var rate: Int? { line.rate }

    var isReceiving: Bool { line.state == .receiving }

    var speaksUBX: Bool { line.speaksUBX }

    /// The clock by which the ages of fixes are computed.
    var clock: ReceiverClock { ReceiverClock(time: lastEpoch.fix.time, closedAt: lastEpochAt) }

    /// The last epoch; nil before the first.
    var knownEpoch: Epoch? { lastEpochAt == nil ? nil : lastEpoch }

    var gpsdDevice: GPSDDevice {
        var described = GPSDDevice(path: device, isActive: line.isOpen)
        described.activated = openedAt
        described.isUBX = line.speaksUBX
        described.baud = line.rate
        described.cycleSeconds = line.cycle.seconds
        return described
    }

    /// Whether bytes that were read now begin a new burst.
    func isNewBurst(at instant: MonotonicInstant, byteCount: Int) -> Bool {
        line.isNewBurst(at: instant, byteCount: byteCount)
    }

    func isSilenceOver(at instant: MonotonicInstant) -> Bool { line.isSilenceOver(at: instant) }

    /// The number of NMEA sentences and UBX frames since the daemon started.
    var messageCount: UInt64 {
        let counters = line.decoder.stream.counters
        return counters.sentences &+ counters.frames
    }

    /// The numbers by which `closed` returns the epochs that have just closed.
    var closedEpochs: Range<Int> { line.decoder.closedEpochs }

    func closed(_ index: Int) -> Epoch { line.decoder.closed(index) }
}

// MARK: Counters

extension Reception {
    /// Nanoseconds for which a sky view counts as the present one; some receivers send one every five seconds.
    private static let skyIsNew: Int64 = 10_000_000_000

    private func describe(_ counters: inout StatusCounters, at instant: MonotonicInstant) {
        counters.fixes = fixCounts
        if view.lastEpoch.fix.hasPosition { counters.horizontalAccuracy = view.lastEpoch.fix.horizontalAccuracy }
        guard let skyAt, instant.nanoseconds(since: skyAt) <= Reception.skyIsNew else { return }
        counters.sky = Constellation.allCases.compactMap { constellation in
            // The sky view has one entry for each signal of a satellite, so satellites are counted by their different
            // numbers.
            let all = sky.filter { $0.id.constellation == constellation }
            guard !all.isEmpty else { return nil }
            return StatusCounters.Sky(
                constellation, used: Set(all.filter { $0.isUsed }.map { $0.id.number }).count,
                visible: Set(all.map { $0.id.number }).count, signals: all.compactMap { $0.carrierToNoise })
        }
    }
}

// MARK: The device

extension Reception {
    /// Asks for the device to be opened.
    func begin(_ turn: inout Turn) { turn.actions.append(.openDevice(baud: view.line.rate)) }

    mutating func opened(_ link: ReceiverLink, time: UTCInstant?, _ turn: inout Turn) {
        supervisor.opened()
        failure = nil
        view.openedAt = time
        view.line.opened(link)
        turn.log(.deviceOpened(path: view.device, baud: view.line.rate))
    }

    /// Notes that the device could not be opened or was lost, and logs a new reason.
    ///
    /// - Returns: Whether the device was open until now.
    mutating func failed(_ absence: DeviceSupervisor.Absence, _ detail: String, _ turn: inout Turn) -> Bool {
        let wasOpen = view.line.isOpen
        supervisor.failed(absence, at: turn.instant)
        view.line.closed()
        // A retry that fails for the same reason is not logged again.
        if failure != detail { turn.log(.deviceFailed(detail: detail)) }
        failure = detail
        view.openedAt = nil
        return wasOpen
    }

    mutating func appeared(_ turn: inout Turn) {
        if supervisor.appeared() { begin(&turn) }
    }

    /// Asks for the device to be opened again when a retry is due, and logs once that the receiver has fallen silent.
    mutating func advance(_ turn: inout Turn) {
        if supervisor.timePassed(to: turn.instant) { begin(&turn) }
        guard let seconds = view.line.fellSilent(at: turn.instant) else { return }
        turn.log(.silent(path: view.device, seconds: seconds))
    }

    /// Handles what the receiver's controller has ordered or found out, as far as the serial line is concerned.
    ///
    /// Three cases matter: the controller changed the receiver's rate; it put the receiver to sleep, after which silence
    /// is no fault; or it found the rate at which the receiver answers, which is stored if it is new.
    ///
    /// - Parameter baud: The rate at which the controller talks to the receiver now.
    /// - Returns: Whether that rate differs from the last known one.
    func heard(_ order: ReceiverOrder, baud: Int?, _ turn: inout Turn) -> Bool {
        switch order {
        case .port(.setBaud(let rate)): view.line.ordered(baud: rate)
        case .report(.asleep(let kind)) where kind != .cyclic: view.line.rested()
        case .report(.ready):
            guard view.line.proved(baud: baud), let baud else { return false }
            turn.actions.append(.remember(baud: baud))
            return true
        case .port, .setLine, .report: break
        }
        return false
    }
}

// MARK: Bytes

extension Reception {
    /// Takes as many bytes as the decoder has room for.
    ///
    /// - Returns: The number of bytes taken.
    func append(_ bytes: borrowing Span<UInt8>) -> Int { view.line.decoder.append(bytes) }

    /// Handles silence on the line: drops the first byte of an incomplete message; if there is no such message, closes
    /// the open epoch.
    ///
    /// - Returns: Whether a byte was dropped, so that the bytes after it must be decoded before the next call.
    func heardSilence() -> Bool {
        if view.line.decoder.abandonPartialMessage() { return true }
        view.line.decoder.silence()
        view.line.foundSilence()
        return false
    }

    /// Decodes the receiver's bytes until an epoch closes.
    ///
    /// - Parameter power: Gets every message, if the receiver's power is managed.
    /// - Returns: Whether one or more epochs closed.
    mutating func advance(to power: borrowing ReceiverPower, at instant: MonotonicInstant) -> Bool {
        guard power.view.isManaged || !readers.isEmpty else { return view.line.decoder.advance(at: instant) }
        return Reception.advance(view.line, &passthrough, readers, power, at: instant)
    }

    private static func advance(
        _ line: ReceiverLine, _ passthrough: inout Passthrough, _ readers: [PassthroughReader],
        _ power: borrowing ReceiverPower, at instant: MonotonicInstant
    ) -> Bool {
        line.decoder.advance(at: instant) { message, fields, bytes in
            power.heard(message, fields: fields, bytes: bytes, at: instant)
            passthrough.heard(message, bytes, for: readers)
        }
    }

    /// Keeps a complete epoch as the last one, and counts it.
    mutating func found(_ epoch: Epoch, _ turn: inout Turn) {
        epochCount += 1
        noteDatum(epoch, &turn)
        view.line.noteEpoch(epoch)
        view.lastEpoch.assign(epoch)
        view.lastEpochAt = turn.instant
        if epoch.fix.hasPosition { fixCounts[Int(epoch.fix.type.rawValue)] += 1 }
        guard epoch.hasSky else { return }
        sky.removeAll(keepingCapacity: true)
        sky.append(contentsOf: epoch.satellites)
        skyAt = turn.instant
    }

    /// Logs once that positions are withheld because of their datum, and once that this has not happened for a minute.
    private mutating func noteDatum(_ epoch: Epoch, _ turn: inout Turn) {
        if epoch.isInForeignDatum {
            if foreignDatumAt == nil {
                turn.log(.foreignDatum(path: view.device, detail: Reception.foreignDatum))
            }
            foreignDatumAt = turn.instant
        } else if let last = foreignDatumAt, turn.instant.nanoseconds(since: last) > Reception.datumRecurs {
            foreignDatumAt = nil
            turn.log(.datumIsOurs(path: view.device))
        }
    }

    /// Nanoseconds after the last position in another datum than WGS 84 until the receiver counts as using WGS 84
    /// again.
    private static let datumRecurs: Int64 = 60_000_000_000

    /// A sentence that says why positions in another datum are withheld, and what to do.
    private static let foreignDatum =
        "its positions are in another datum than WGS 84, as its DTM sentences say, and are withheld, because they may "
        + "be off by hundreds of metres; set the receiver's datum to WGS 84 (W84)"

    /// Notes that bytes were read, which can show that the line's rate is right or wrong.
    ///
    /// - Returns: Whether the rate was found.
    func heard(_ byteCount: Int, hadMessage: Bool, _ turn: inout Turn) -> Bool {
        let advice = view.line.heard(byteCount, hadMessage: hadMessage, at: turn.instant)
        defer { if let until = advice.restUntil { turn.actions.append(.rest(until: until)) } }
        switch advice.hunt {
        case .nothing: break
        case .found:
            guard let rate = view.line.rate else { return true }
            turn.log(.rateFound(rate))
            turn.actions.append(.remember(baud: rate))
            return true
        case .changed:
            guard let rate = view.line.rate else { return false }
            turn.log(.tryingRate(rate))
            turn.actions.append(.port(.setBaud(rate)))
        case .unintelligible:
            turn.log(.unintelligible(path: view.device, fixedBaud: fixedBaud))
        }
        return false
    }

    /// Notes a message from a receiver that was not put to sleep.
    ///
    /// - Parameter isManaged: Whether the daemon manages the receiver's power; then the receiver's controller logs that
    ///   it answers.
    func noteMessage(isManaged: Bool, _ turn: inout Turn) {
        if view.line.noteMessage(at: turn.instant), !isManaged {
            turn.log(.receiving(path: view.device))
        }
    }

    /// Sets which gpsd clients are sent the receiver's own messages from now on.
    mutating func settle(_ readers: [PassthroughReader]) { self.readers = readers }

    /// Sends the collected messages of the receiver to the gpsd clients that read them.
    mutating func flush(_ turn: inout Turn) { passthrough.flush(to: readers, &turn) }
}
