internal import Beacons
internal import ClientProtocol
internal import ClientVocabulary
internal import Monitors
internal import Parts
internal import Power
internal import SextantJSON
internal import SextantUnits

/// The radio that hears beacons: on while a region or a ranging needs it, and off otherwise.
struct Radio: ~Copyable {
    private(set) var view: RadioView
    /// The trouble that was logged last.
    private var loggedTrouble: RadioTrouble?
    /// Whether clients were told that beacons can be heard.
    private var wasUsable = false
    /// The connection whose advertisement is sent.
    private var advertiser: ClientID?
    /// The request of that connection that is not answered before the kernel has answered; nil where none is.
    private var awaited: (connection: ClientID, id: String?)?

    init(_ configuration: EngineConfiguration) {
        view = RadioView(BeaconRadio(configuration.radio))
    }

    var deadline: MonotonicInstant? { view.radio.deadline }

    // MARK: What happens

    mutating func opened(at instant: MonotonicInstant) {
        view.hadSocket = true
        view.radio.opened(at: instant)
    }

    mutating func failed(_ detail: String, at instant: MonotonicInstant) {
        view.radio.closed(.socketFailed(detail), at: instant)
    }

    /// Ends listening and sending, because the daemon ends.
    mutating func stop() { view.radio.stop() }

    /// Takes one event of the management socket; gives what it tells of a beacon if it is an advertisement of one.
    mutating func heard(_ event: [UInt8], at instant: MonotonicInstant) -> BeaconHearing? {
        view.radio.heard(event.span, at: instant)
    }

    mutating func advance(to instant: MonotonicInstant) {
        guard let due = view.radio.deadline, due <= instant else { return }
        view.radio.advance(to: instant)
    }

    /// Has the radio listen as is needed now, and gives the commands for it.
    ///
    /// - Returns: Whether beacons can be heard now and could not the last time, or the reverse.
    mutating func settle(need timing: ScanTiming?, _ turn: inout Turn) -> Bool {
        defer { wasUsable = view.isUsable }
        view.radio.want(timing, at: turn.instant)
        for command in view.radio.takeCommands() {
            turn.actions.append(.radio(turn.bytes(command)))
        }
        tellOutcome(&turn)
        // A board that needs no beacons, and is none, need not be told that it cannot hear or send them.
        if timing != nil || advertiser != nil, view.radio.trouble != loggedTrouble {
            loggedTrouble = view.radio.trouble
            if let trouble = view.radio.trouble { turn.actions.append(.log(.radioTrouble("beacons: \(trouble)"))) }
        }
        return wasUsable != view.isUsable
    }

    // MARK: Being a beacon

    /// Sends the advertisement of a beacon for a connection, which takes the place of another's.
    mutating func serve(
        _ identity: BeaconIdentity?, measuredPower: Int8, id: String?, of connection: ClientID, _ turn: inout Turn
    ) {
        if let trouble = view.radio.trouble, identity != nil {
            return turn.send(connection) { ClientEvent.appendError("unavailable", "\(trouble)", id: id, to: &$0) }
        }
        supersede(by: connection, &turn)
        advertiser = identity == nil ? nil : connection
        view.radio.send(identity?.advertisement(measuredPower: measuredPower), at: turn.instant)
        guard identity == nil else { return awaited = (connection, id) }
        turn.send(connection) { ClientEvent.appendAdvertising(isEnabled: false, id: id, to: &$0) }
    }

    /// Tells a request that waits for the kernel, or another connection whose advertisement is sent, that a later
    /// request ends that.
    private mutating func supersede(by connection: ClientID, _ turn: inout Turn) {
        let old = awaited ?? advertiser.flatMap { $0 == connection ? nil : ($0, nil) }
        awaited = nil
        guard let old else { return }
        turn.send(old.connection) {
            ClientEvent.appendError(
                "superseded", "a later request, to advertise or to stop that, took the place of this one", id: old.id,
                to: &$0)
        }
    }

    /// Answers the request to advertise once the kernel has, and tells when the advertisement is interrupted and when
    /// it is sent again.
    private mutating func tellOutcome(_ turn: inout Turn) {
        guard let outcome = view.radio.takeOutcome() else { return }
        let id = awaited?.id
        awaited = nil
        guard let connection = advertiser else { return }
        switch outcome {
        case .sending:
            turn.send(connection) { ClientEvent.appendAdvertising(isEnabled: true, id: id, to: &$0) }
        case .interrupted(let trouble):
            turn.send(connection) {
                ClientEvent.appendAdvertising(isEnabled: false, reason: "\(trouble)", id: nil, to: &$0)
            }
        case .refused(let why):
            // An advertisement that was sent before can be refused later, as when the controller was changed.
            advertiser = nil
            turn.send(connection) { ClientEvent.appendError("unavailable", "\(why)", id: id, to: &$0) }
        }
    }

    /// Ends the advertisement of a connection that has gone.
    mutating func gone(_ connection: ClientID, at instant: MonotonicInstant) {
        guard advertiser == connection else { return }
        advertiser = nil
        awaited = nil
        view.radio.send(nil, at: instant)
    }
}

/// The radio's state and the use that its energy is charged to: for others to read.
struct RadioView: ~Copyable {
    fileprivate var radio: BeaconRadio
    /// Whether a management socket was ever given.
    fileprivate var hadSocket = false

    fileprivate init(_ radio: BeaconRadio) { self.radio = radio }

    /// Whether beacons can be heard, so that clients may ask for them.
    var isUsable: Bool { radio.isUsable }

    /// The radio's state as a value for the other parts.
    func state(at instant: MonotonicInstant) -> RadioState {
        RadioState(
            isListening: radio.isListening, listened: radio.listened(at: instant), trouble: radio.trouble,
            isHopeless: isHopeless)
    }

    /// Whether no beacon will be heard however long one waits.
    private var isHopeless: Bool {
        switch radio.trouble {
        case .noSocket, .noLowEnergy, .noMonitors: true
        case nil, .socketFailed, .noController, .blocked, .off, .refused, .silent: false
        }
    }

    /// The use to which the radio's energy is charged: the connections that range beacons, or else the clients whose
    /// beacon regions it listens for; nil while it does not listen.
    func use(rangings connections: [UInt32], regions clients: [UInt32]) -> EnergyLedger.RadioUse? {
        guard let timing = radio.timing else { return nil }
        let isRanging = !connections.isEmpty
        return EnergyLedger.RadioUse(
            window: timing.window, interval: timing.interval,
            cause: isRanging ? .beaconRanging : .beaconMonitoring,
            clients: isRanging ? connections : clients)
    }

    func status(_ needs: RadioNeeds, at instant: MonotonicInstant) -> RadioStatus? {
        guard hadSocket || needs.regions + needs.rangings > 0 else { return nil }
        var status = RadioStatus(trouble: radio.trouble.map { "\($0)" })
        status.duty = radio.timing?.duty ?? 0
        status.secondsListening = Double(radio.listened(at: instant)) * 1e-9
        status.secondsScanned = Double(radio.scanned(at: instant)) * 1e-9
        status.regions = needs.regions
        status.ranging = needs.rangings
        status.senders = needs.senders
        return status
    }
}

/// How many need the radio, for `status`.
struct RadioNeeds {
    var regions: Int
    var rangings: Int
    var senders: Int
}
