internal import Beacons
internal import ClientProtocol
internal import ClientVocabulary
internal import Parts
internal import Power
internal import SextantUnits

/// The Bluetooth radio that listens for beacons: on while a region, a ranging request or a spot needs it, otherwise
/// off.
struct Radio: ~Copyable {
    private(set) var view: RadioView
    /// The reason why the radio cannot work that was logged last; nil for none.
    private var loggedTrouble: RadioTrouble?
    /// Whether clients were last told that the board can receive beacons.
    private var wasUsable = false
    /// The connection for which the radio advertises as a beacon; nil for none.
    private var advertiser: ClientID?
    /// The request to advertise that waits for the kernel's answer; nil for none.
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

    /// Takes one event of the management socket, and returns the beacon's data if the event is a beacon's
    /// advertisement.
    mutating func heard(_ event: [UInt8], at instant: MonotonicInstant) -> BeaconHearing? {
        view.radio.heard(event.span, at: instant)
    }

    mutating func advance(to instant: MonotonicInstant) {
        guard let due = view.radio.deadline, due <= instant else { return }
        view.radio.advance(to: instant)
    }

    /// Sets the radio's scanning to the timing needed now, and appends the commands for that to the actions of `turn`.
    ///
    /// - Returns: Whether the ability to receive beacons has changed since the last call.
    mutating func settle(need timing: ScanTiming?, _ turn: inout Turn) -> Bool {
        defer { wasUsable = view.isUsable }
        view.radio.want(timing, at: turn.instant)
        for command in view.radio.takeCommands() {
            turn.actions.append(.radio(turn.bytes(command)))
        }
        tellOutcome(&turn)
        // Why the radio cannot work is logged only where beacons are needed or the board advertises as a beacon.
        if timing != nil || advertiser != nil, view.radio.trouble != loggedTrouble {
            loggedTrouble = view.radio.trouble
            if let trouble = view.radio.trouble { turn.log(.radioTrouble("beacons: \(trouble)")) }
        }
        return wasUsable != view.isUsable
    }

    // MARK: Being a beacon

    /// Starts or stops advertising as a beacon for a connection; this replaces an earlier advertisement.
    mutating func serve(
        _ identity: BeaconIdentity?, measuredPower: Int8, id: String?, of connection: ClientID, _ turn: inout Turn
    ) {
        if identity != nil { view.radio.forgetOldTrouble() }
        if let trouble = view.radio.trouble, identity != nil {
            return turn.send(connection) { ClientEvent.appendError(.unavailable, "\(trouble)", id: id, to: &$0) }
        }
        supersede(by: connection, &turn)
        advertiser = identity == nil ? nil : connection
        view.radio.send(identity?.advertisement(measuredPower: measuredPower), at: turn.instant)
        guard identity == nil else { return awaited = (connection, id) }
        turn.send(connection) { ClientEvent.appendAdvertising(isEnabled: false, id: id, to: &$0) }
    }

    /// Tells a client that its request to advertise was replaced by a later one: the client whose request still waits,
    /// otherwise the one whose connection advertises.
    private mutating func supersede(by connection: ClientID, _ turn: inout Turn) {
        let old = awaited ?? advertiser.flatMap { $0 == connection ? nil : ($0, nil) }
        awaited = nil
        guard let old else { return }
        turn.send(old.connection) {
            ClientEvent.appendError(
                .superseded, "a later request, to advertise or to stop that, took the place of this one", id: old.id,
                to: &$0)
        }
    }

    /// Answers the request to advertise once the kernel has answered, and reports when advertising is interrupted or
    /// resumed.
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
            // The kernel can refuse an advertisement that was already sent, as after a change of the Bluetooth
            // controller.
            advertiser = nil
            turn.send(connection) { ClientEvent.appendError(.unavailable, "\(why)", id: id, to: &$0) }
        }
    }

    mutating func gone(_ connection: ClientID, at instant: MonotonicInstant) {
        guard advertiser == connection else { return }
        advertiser = nil
        awaited = nil
        view.radio.send(nil, at: instant)
    }
}

/// The radio's state, and what its energy is used for, for other parts of the Engine to read.
struct RadioView: ~Copyable {
    fileprivate var radio: BeaconRadio
    /// Whether the management socket was ever open.
    fileprivate var hadSocket = false

    fileprivate init(_ radio: BeaconRadio) { self.radio = radio }

    /// Whether the board can receive beacons, so that clients may ask for them.
    var isUsable: Bool { radio.isUsable }

    func state(at instant: MonotonicInstant) -> RadioState {
        RadioState(
            isListening: radio.isListening, listened: radio.listened(at: instant), trouble: radio.trouble,
            isHopeless: isHopeless)
    }

    /// Whether no beacon can ever be received, because the board, the kernel or the installation lacks something.
    private var isHopeless: Bool {
        switch radio.trouble {
        case .noSocket, .noLowEnergy, .noMonitors: true
        case nil, .socketFailed, .noController, .blocked, .off, .refused, .silent: false
        }
    }

    /// What the radio's energy is charged to: the connections that range beacons, or, without any, the clients with
    /// beacon regions; nil while the radio does not listen.
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

/// For `status`: the number of beacon regions, of ranging requests, and of Bluetooth addresses from which beacons were
/// received in the last 10 s.
struct RadioNeeds {
    var regions: Int
    var rangings: Int
    var senders: Int
}
