internal import Access
internal import Beacons
internal import ClientProtocol
internal import ClientVocabulary
internal import Delivery
internal import GNSS
internal import GPSDProtocol
internal import Monitoring
internal import Monitors
internal import Outbox
public import Parts
public import Power
public import SextantUnits

/// The core of the daemon: takes everything that happens as an input, and returns everything to be done as actions.
///
/// It is a pure function of its inputs: it reads no clock, writes no log, uses no randomness, and iterates over nothing
/// whose order is undefined. The same inputs give the same outputs to the byte, in the daemon, in a replay and in a
/// test.
///
/// The Engine consists of parts that do not know each other. This file and `Engine+Inputs` define the order in which an
/// input passes through them.
///
/// The Engine is a class only to save compile time; there is only one reference to it. Its parts are noncopyable
/// structs, and wherever such a struct is used, the compiler checks all its fields, with the fields nested in them.
/// With all parts in one struct, these checks took four fifths of the module's compile time.
public final class Engine {
    let configuration: EngineConfiguration
    var reception: Reception
    var motion: Motion
    var positioning = Positioning()
    var access: Access
    var monitoring = Monitoring()
    var headings: Headings
    var delivery: Delivery
    var ranging = Ranging()
    var radio: Radio
    var knownBeacons = KnownBeacons()
    var spots: Spots
    var power: ReceiverPower
    var outbox: Outbox
    var hostSleeping: HostSleeping
    var timekeeping = Timekeeping()
    var reporting = Reporting()

    /// The demand of all clients together on the receiver.
    public var demand: Demand { power.view.demand }

    /// The name of the client that a connection belongs to; nil where no client's manifest applies to the connection.
    public func client(of id: ClientID) -> String? { access.view.client(of: id) }

    public init(_ configuration: EngineConfiguration) {
        self.configuration = configuration
        reception = Reception(configuration)
        motion = Motion(configuration)
        access = Access(userID: configuration.userID)
        headings = Headings(configuration)
        delivery = Delivery(source: configuration.source, device: configuration.device)
        radio = Radio(configuration)
        spots = Spots(configuration)
        power = ReceiverPower(configuration)
        outbox = Outbox(source: configuration.source)
        hostSleeping = HostSleeping(configuration)
    }

    /// Handles one input.
    ///
    /// - Parameter turn: Receives the actions to be done, in order; those of the previous input are removed first.
    public func handle(_ input: Input, at instant: MonotonicInstant, into turn: inout Turn) {
        if case .bytes(let bytes) = input { return handle(bytes: bytes.span, at: instant, into: &turn) }
        begin(&turn, at: instant)
        pass(input, &turn)
        finish(&turn)
    }

    /// Handles the request that was decoded from a local client's line.
    func handle(
        _ request: Result<ClientRequest, RefusedRequest>, of id: ClientID, at instant: MonotonicInstant,
        into turn: inout Turn
    ) {
        begin(&turn, at: instant)
        serve(id, request, &turn)
        finish(&turn)
    }

    /// Handles the request that was decoded from a line of a gpsd client.
    func handle(
        _ request: Result<GPSDRequest, GPSDRequestError>, of id: ClientID, at instant: MonotonicInstant,
        into turn: inout Turn
    ) {
        begin(&turn, at: instant)
        serve(gpsd: id, request, &turn)
        finish(&turn)
    }

    private func begin(_ turn: inout Turn, at instant: MonotonicInstant) {
        turn.begin(at: instant)
        power.begin(at: turn.instant)
        monitoring.sensed(radio.view.state(at: turn.instant))
    }

    private func finish(_ turn: inout Turn) {
        settle(&turn)
        settleSpots(&turn)
        if !isSomebodyServed { positioning.keepNow(mayStore: access.view.grants.servicesEnabled, &turn) }
        access.tell(.calibration(isShown: headings.view.isCalibrationShown), &turn)
        headings.settle(&turn)
        motion.settle(&turn)
        let radioUse = settleRadio(&turn)
        settlePower(radioUse, &turn)
        settleHost(&turn)
        tellStatus(&turn)
        holdLines(&turn)
        turn.wake = .earlier(deadline, hostSleeping.deadline(at: turn.instant))
    }

    /// Handles bytes from the receiver, in a piece of any size.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, borrowed for the call.
    ///   - instant: When the bytes were read.
    public func handle(bytes: borrowing Span<UInt8>, at instant: MonotonicInstant, into turn: inout Turn) {
        begin(&turn, at: instant)
        if reception.view.isNewBurst(at: turn.instant, byteCount: bytes.count) { endBurst(&turn) }
        let before = reception.view.messageCount
        var offset = 0
        while offset < bytes.count {
            offset += reception.append(bytes.extracting(offset...))
            drain(&turn)
        }
        let hadMessage = reception.view.messageCount != before
        let foundRate = reception.heard(bytes.count, hadMessage: hadMessage, &turn)
        if foundRate { delivery.tellGPSD(reception.view.gpsdDevice, &turn) }
        // A message in flight when the receiver was put to sleep must not restart the timer of the receiver's silence.
        if hadMessage, !power.view.isResting {
            reception.noteMessage(isManaged: power.view.isManaged, &turn)
        }
        reception.flush(&turn)
        power.sensed(.bytes, at: turn.instant)
        finish(&turn)
    }

    /// The next instant at which the Engine has something to do, if no input comes before; nil for none.
    private var deadline: MonotonicInstant? {
        let grants = access.view.grants
        let device: MonotonicInstant? = .earlier(
            .earlier(power.deadline, reception.deadline), .earlier(radio.deadline, reporting.deadline))
        let clients: MonotonicInstant? = .earlier(telling, .earlier(access.deadline, outbox.deadline))
        let hearsEstimates = delivery.view.hearsEstimates || monitoring.view.hearsEstimates(grants)
        let path = positioning.deadline(hearsEstimates: hearsEstimates)
        let stays: MonotonicInstant? = .earlier(path, spots.deadline)
        let own: MonotonicInstant? = .earlier(.earlier(headings.deadline, motion.deadline), timekeeping.deadline)
        return .earlier(.earlier(device, .earlier(clients, stays)), own)
    }

    /// The next instant at which a client must be notified of something that needs no new fix, such as a dwell.
    var telling: MonotonicInstant? {
        .earlier(
            .earlier(delivery.deadline, ranging.deadline),
            monitoring.deadline(access.view.grants, isServed: isSomebodyServed))
    }

    /// Whether any client asks for positions and is allowed them.
    ///
    /// While no client does, the board's path is neither followed nor stored.
    var isSomebodyServed: Bool { access.view.grants.servicesEnabled && power.view.asked.accuracy != nil }
}

// MARK: From epoch to client

extension Engine {
    /// Ends a burst of bytes after the receiver's line fell silent: a message that is still incomplete then is given
    /// up.
    func endBurst(_ turn: inout Turn) {
        while reception.heardSilence() { drain(&turn) }
        publishClosedEpochs(&turn)
    }

    private func drain(_ turn: inout Turn) {
        while reception.advance(to: power, at: turn.instant) { publishClosedEpochs(&turn) }
    }

    private func publishClosedEpochs(_ turn: inout Turn) {
        for index in reception.view.closedEpochs { publish(reception.view.closed(index), &turn) }
    }

    /// Handles a complete epoch of the receiver: computes the location, judges whether it is good enough, and delivers
    /// it.
    private func publish(_ epoch: Epoch, _ turn: inout Turn) {
        reception.found(epoch, &turn)
        timekeeping.heard(epoch, &turn)
        let located = positioning.locate(epoch.fixWithAccuracy, from: .receiver, at: turn.instant)
        let fix = located.fix
        let isWanted = power.found(fix, strongestSignal: epoch.strongestSignal, located.doubt, &turn)
        delivery.heard(epoch, fix, context, &turn)
        if DeliveryFilter.isValid(fix) { spots.located(fix, at: turn.instant) }
        if isWanted, DeliveryFilter.isValid(fix) {
            found(located, &turn)
        } else if !power.view.isNeeded {
            // A receiver that is always on sends fixes that no client asked for. They go to passive sessions, which get
            // locations but never switch the receiver on.
            delivery.found(fix, isNeeded: false, context, &turn)
        }
        delivery.tellGPSD(epoch, speaksUBX: reception.view.speaksUBX, &turn)
    }

    /// Delivers a fix that is good enough for clients.
    private func found(_ located: LocatedFix, _ turn: inout Turn) {
        let fix = located.fix
        let grants = access.view.grants
        // Whether any client is served is read before the fix is delivered: the delivery ends a request for one
        // position, which can be the only request.
        let isServed = isSomebodyServed
        let estimate = positioning.found(fix, at: turn.instant)
        if let estimate { deliver(estimate, &turn) }
        monitoring.found(fix, isCoarse: false, grants, &turn)
        postFound(&turn)
        delivery.found(fix, isNeeded: true, context, &turn)
        settleNeeds(&turn)
        carryOut(hostSleeping.found(fix, &turn), &turn)
        guard let location = located.location, isServed else { return }
        monitoring.found(location, positioning.whereabouts.clock, grants, &turn)
        postFound(&turn)
        positioning.keepTrack(of: fix, &turn)
    }

    /// Delivers a reduced-accuracy estimate to the clients that are allowed only reduced accuracy.
    func deliver(_ estimate: ReducedAccuracy.Estimate, _ turn: inout Turn) {
        delivery.found(estimate, &turn)
        monitoring.found(estimate.fix, isCoarse: true, access.view.grants, &turn)
        postFound(&turn)
    }

    var context: DeliveryContext {
        DeliveryContext(
            whereabouts: positioning.whereabouts, clock: reception.view.clock,
            isReceiverOpen: reception.view.isOpen, isReceiverOn: !power.view.isResting,
            outageReason: outageReason)
    }

    var events: EventContext {
        EventContext(grants: access.view.grants, clock: reception.view.clock, outageReason: outageReason)
    }

    private var outageReason: FailureReason? { power.view.outageReason(isReceiving: reception.view.isReceiving) }
}

// MARK: Consequences of an input

extension Engine {
    /// The largest number of rounds in which the parts react to one another within one input.
    ///
    /// Three rounds are needed: an event leads to the decision whether its client is started, this decision can lead to
    /// a question to the user, and the question can change what clients are allowed to see. More rounds would mean an
    /// endless loop, which the assertion in `settle` reports.
    static let maximumRounds = 4

    /// Passes an input's changes from part to part of the Engine, in a fixed order, until nothing changes any more.
    private func settle(_ turn: inout Turn) {
        for _ in 0..<Engine.maximumRounds {
            postFound(&turn)
            tellNews(&turn)
            guard turn.changes.contains(.access) else { return settleNeeds(&turn) }
            settleAccess(&turn)
        }
        assert(!turn.changes.contains(.access), "access changes in a circle")
        settleNeeds(&turn)
    }

    /// Applies each client's present access to all parts, and tells the clients whose access changed.
    private func settleAccess(_ turn: inout Turn) {
        access.settle(watchers: delivery.view.watchersInBackground, &turn)
        tellNews(&turn)
        monitoring.settle(access.view.grants, positioning.whereabouts, &turn)
        postFound(&turn)
        access.tell(.changes, &turn)
        let context = context
        let grants = access.view.connectionGrants
        delivery.settle(grants, port: access.view.portGrants, context, &turn)
        outbox.settle(events, &turn)
        access.tell(.accuracyAnswers, &turn)
        delivery.welcome(context, &turn)
        let view = access.view
        ranging.settle(grants.lazy.map { RangingGrant($0, isOperator: view.isOperator($0.connection)) })
        reception.settle(delivery.view.readers)
    }

    /// Passes each fact in `turn.news` to the parts that must know of it, together with the facts that these parts add.
    private func tellNews(_ turn: inout Turn) {
        var index = 0
        while index < turn.news.count {
            let news = turn.news[index]
            access.heard(news, &turn)
            outbox.heard(news, events, &turn)
            delivery.heard(news, &turn) { access.view.grants.isLimited($0) }
            index += 1
        }
        turn.news.removeAll(keepingCapacity: true)
    }

    /// Passes the events that monitoring found for clients to the outbox, which delivers them.
    func postFound(_ turn: inout Turn) {
        var index = 0
        while index < turn.found.count {
            outbox.found(turn.found[index], events, &turn)
            index += 1
        }
        turn.found.removeAll(keepingCapacity: true)
    }

    /// Recomputes what clients need from the receiver, after a client connected, left, asked, was answered or paused.
    private func settleNeeds(_ turn: inout Turn) {
        let (delivers, monitors) = (turn.changes.contains(.deliveryNeeds), turn.changes.contains(.monitoringNeeds))
        guard delivers || monitors else { return }
        turn.changes.subtract([.deliveryNeeds, .monitoringNeeds])
        let all = delivery.view.needs + monitoring.view.needs(access.view.grants)
        let needs = spots.need(all, areNew: delivers)
        let forTime = timekeeping.isWanted && access.view.grants.servicesEnabled
        let payers = monitors ? monitoring.view.payers(access.view.grants) : nil
        power.need(needs, monitoringFor: payers, gpsd: delivery.view.gpsdConnections, forTime: forTime)
        if hostSleeping.view.isConfigured { noteHolders(of: all) }
    }

    /// Sets the Bluetooth radio's scanning by what clients need now, and tells ranging and monitoring the radio's
    /// state.
    ///
    /// - Returns: What the radio is used for, and the clients to which its energy is charged from now on; nil while the
    ///   radio does not scan.
    private func settleRadio(_ turn: inout Turn) -> EnergyLedger.RadioUse? {
        let rangings = ranging.view
        let isOtherwiseUsable = radio.settle(need: radioNeed(rangings, at: turn.instant), &turn)
        let state = radio.view.state(at: turn.instant)
        ranging.settle(state, &turn)
        let payers = monitoring.settle(state, at: turn.instant)
        if isOtherwiseUsable { access.tell(.capabilities(capabilities), &turn) }
        return radio.view.use(rangings: rangings.connections, regions: payers)
    }

    /// The scan timing that beacon regions, ranging requests and spots need of the radio; nil where it need not scan.
    private func radioNeed(_ rangings: Ranging.View, at instant: MonotonicInstant) -> ScanTiming? {
        let others = ScanTiming.longer(monitoring.radioNeed(at: instant), spots.view.radioNeed(at: instant))
        guard !rangings.connections.isEmpty else { return others }
        let duty = rangings.isOneSilent ? nil : configuration.radio.rangingDuty
        return .longer(BeaconScanPolicy.ranging(duty: duty ?? 1), others)
    }

    /// Follows the spots, which are places marked by beacons: at a spot, requests are answered without the receiver.
    private func settleSpots(_ turn: inout Turn) {
        if spots.settle(positioning.whereabouts.clock, &turn) {
            turn.tell(.deliveryNeeds)
            settleNeeds(&turn)
        }
        guard let fix = spots.takeFix(positioning.whereabouts.clock, at: turn.instant) else { return }
        let located = positioning.locate(fix, from: .spots, at: turn.instant)
        guard DeliveryFilter.isValid(located.fix) else { return }
        delivery.answer(with: located.fix, &turn)
        found(located, &turn)
        settle(&turn)
    }

    /// Wakes the receiver, puts it to sleep or configures it, as clients need now.
    private func settlePower(_ radioUse: EnergyLedger.RadioUse?, _ turn: inout Turn) {
        orderReceiver(&turn)
        if let isResting = power.restChanged() {
            delivery.sensed(.receiver(isOn: !isResting), context, &turn)
            settleNeeds(&turn)
            orderReceiver(&turn)
        }
        delivery.outage(since: power.view.outageSince)
        monitoring.outage(since: power.view.outageSince)
        power.account(radio: radioUse, at: turn.instant)
    }

    /// Carries out the orders that wake, stop or configure the receiver, and passes them to the code for its serial
    /// line.
    private func orderReceiver(_ turn: inout Turn) {
        for order in power.settle(&turn) {
            let isOtherRate = reception.heard(order, baud: power.view.baud, &turn)
            if isOtherRate { delivery.tellGPSD(reception.view.gpsdDevice, &turn) }
        }
    }
}
