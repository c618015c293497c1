internal import Beacons
internal import ClientProtocol
internal import Epochs
internal import Fusion
internal import GNSS
internal import GPSDProtocol
internal import Monitors
public import Power
internal import Receivers
public import Sessions
public import SextantUnits

/// The reducer: it takes everything that happens as an input, and gives everything to be done as outputs.
///
/// It is a pure function of its inputs: it reads no clock, writes no log, uses no randomness, and iterates over nothing
/// whose order is undefined. The same inputs give the same outputs to the byte, in the daemon, in a replay and in a
/// test.
///
/// The Engine consists of parts that do not know each other. This file and `Engine+Inputs` define the order in which an
/// input passes through them.
///
/// A class, of which nobody makes a second reference, although its parts are structs that cannot be copied: the compiler
/// checks such a struct by every field within its fields, at every place that touches it. For all parts together that
/// was four fifths of the time that this module took to compile.
public final class Engine {
    let configuration: EngineConfiguration
    var reception: Reception
    var positioning = Positioning()
    var access: Access
    var monitoring = Monitoring()
    var headings: Headings
    var delivery: Delivery
    var radio: Radio
    var spots: Spots
    var power: ReceiverPower
    var outbox: Outbox
    var statusReaders = StatusReaders()

    /// What all clients together need from the receiver.
    public var demand: Demand { power.demand }

    /// The name of the client that a connection belongs to; nil where no manifest applies.
    public func client(of id: ClientID) -> String? { access.client(of: id) }

    public init(_ configuration: EngineConfiguration) {
        self.configuration = configuration
        reception = Reception(configuration)
        access = Access(userID: configuration.userID)
        headings = Headings(configuration)
        delivery = Delivery(configuration)
        radio = Radio(configuration)
        spots = Spots(configuration)
        power = ReceiverPower(configuration)
        outbox = Outbox(source: configuration.source)
    }

    /// Handles one input.
    ///
    /// - Parameter outputs: The actions to be done, in order; actions of an earlier input are removed first.
    public func handle(_ input: Input, at instant: MonotonicInstant, into outputs: inout Outputs) {
        if case .bytes(let bytes) = input { return handle(bytes: bytes.span, at: instant, into: &outputs) }
        begin(at: instant, &outputs)
        take(input, at: instant, into: &outputs)
        finish(at: instant, into: &outputs)
    }

    /// Handles the request that was decoded from a local client's line.
    func handle(
        _ request: Result<ClientRequest, RefusedRequest>, of id: ClientID, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        begin(at: instant, &outputs)
        serve(id, request, at: instant, into: &outputs)
        finish(at: instant, into: &outputs)
    }

    /// Handles the request that was decoded from a line of a gpsd client.
    func handle(
        _ request: Result<GPSDRequest, GPSDRequestError>, of id: ClientID, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        begin(at: instant, &outputs)
        serve(gpsd: id, request, at: instant, into: &outputs)
        finish(at: instant, into: &outputs)
    }

    private func begin(at instant: MonotonicInstant, _ outputs: inout Outputs) {
        outputs.removeAll()
        power.manager?.hostRuns(at: instant)
        monitoring.sense(radio.standing(at: instant))
    }

    private func finish(at instant: MonotonicInstant, into outputs: inout Outputs) {
        settle(at: instant, into: &outputs)
        settleSpots(at: instant, into: &outputs)
        if !isSomebodyServed { positioning.keepNow(mayStore: access.grants.servicesEnabled, into: &outputs) }
        access.showCalibration(headings.isCalibrationShown, into: &outputs)
        headings.settle(at: instant, into: &outputs)
        settleRadio(at: instant, into: &outputs)
        settlePower(at: instant, into: &outputs)
        tellStatus(at: instant, into: &outputs)
        holdLines(into: &outputs)
        outputs.wake = deadline
    }

    /// Handles bytes from the receiver, in a piece of any size.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, borrowed for the call.
    ///   - instant: When the bytes were read.
    public func handle(
        bytes: borrowing Span<UInt8>, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        begin(at: instant, &outputs)
        if reception.isNewBurst(at: instant, byteCount: bytes.count) { endBurst(at: instant, into: &outputs) }
        let before = reception.messageCount
        var offset = 0
        while offset < bytes.count {
            offset += reception.append(bytes.extracting(offset...))
            drain(at: instant, into: &outputs)
        }
        let hadMessage = reception.messageCount != before
        let foundRate = reception.heard(bytes.count, hadMessage: hadMessage, at: instant, into: &outputs)
        if foundRate { delivery.announce(reception.gpsdDevice, into: &outputs) }
        // Bytes still in flight when the receiver was put to sleep must not restart the silence timer.
        if hadMessage, !power.isResting {
            reception.noteMessage(isManaged: power.manager != nil, at: instant, into: &outputs)
        }
        reception.flush(into: &outputs)
        power.manager?.heardBytes(at: instant)
        finish(at: instant, into: &outputs)
    }

    /// The next instant at which time alone changes something.
    private var deadline: MonotonicInstant? {
        let grants = access.grants
        let device: MonotonicInstant? = .earlier(
            .earlier(power.deadline, reception.deadline), .earlier(radio.deadline, statusReaders.deadline))
        let told: MonotonicInstant? = .earlier(delivery.deadline, monitoring.beaconDeadline)
        let clients: MonotonicInstant? = .earlier(told, .earlier(access.deadline, outbox.deadline))
        let estimates =
            delivery.hearsEstimates || monitoring.hearsEstimates(grants) ? positioning.estimateDeadline : nil
        let path: MonotonicInstant? = .earlier(
            .earlier(.earlier(estimates, positioning.keepingDeadline), monitoring.changeDeadline(grants)),
            isSomebodyServed ? monitoring.pathDeadline : nil)
        let stays: MonotonicInstant? = .earlier(path, spots.deadline)
        return .earlier(.earlier(device, .earlier(clients, stays)), headings.deadline)
    }

    /// Whether any client asks for positions and may receive them.
    ///
    /// Otherwise the board's path is neither followed nor stored.
    var isSomebodyServed: Bool { access.grants.servicesEnabled && power.demand.accuracy != nil }
}

// MARK: From epoch to client

extension Engine {
    /// Ends a burst of bytes after the receiver's line fell silent: a message that is not complete by then never will
    /// be.
    func endBurst(at instant: MonotonicInstant, into outputs: inout Outputs) {
        while reception.abandonPartialMessage() { drain(at: instant, into: &outputs) }
        reception.foundSilence()
        publishClosedEpochs(at: instant, into: &outputs)
    }

    private func drain(at instant: MonotonicInstant, into outputs: inout Outputs) {
        while reception.advance(to: power.manager, at: instant) { publishClosedEpochs(at: instant, into: &outputs) }
    }

    private func publishClosedEpochs(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for index in reception.closedEpochs { publish(reception.closed(index), at: instant, into: &outputs) }
    }

    /// Handles a closed epoch: computes the location, judges whether it is good enough, and delivers it.
    private func publish(_ epoch: Epoch, at instant: MonotonicInstant, into outputs: inout Outputs) {
        reception.note(epoch, at: instant)
        let (fix, location) = positioning.locate(epoch.fixWithAccuracy, at: instant)
        let isWanted = power.take(
            fix, strongestSignal: epoch.strongestSignal, jumps: positioning.jumpCount,
            excess: positioning.errorInClaims, at: instant, into: &outputs)
        delivery.publishToWatchers(epoch, at: instant, into: &outputs)
        if fix.hasPosition { delivery.answerWaits(fix, at: instant, into: &outputs) }
        delivery.tellPauses(.fix(fix), context(at: instant), into: &outputs)
        if Positioning.accepts(fix) { spots.located(fix, at: instant) }
        if isWanted, Positioning.accepts(fix) {
            found(fix, location, at: instant, into: &outputs)
        } else if !power.isNeeded {
            // A receiver that cannot rest sends fixes that nobody asked for; those who only look on see them.
            delivery.deliver(fix, context(at: instant), into: &outputs)
        }
        delivery.publishToGPSD(epoch, speaksUBX: reception.speaksUBX, into: &outputs)
    }

    /// Delivers a fix that is good enough for clients.
    private func found(
        _ fix: Fix, _ location: FusedLocation?, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let grants = access.grants
        // Asked before the delivery, which may answer the only request.
        let isServed = isSomebodyServed
        let estimate = positioning.found(fix, at: instant)
        delivery.endLosses(at: instant)
        if let estimate { deliver(estimate, at: instant, into: &outputs) }
        monitoring.found(fix, isCoarse: false, grants, at: instant, into: &outputs)
        followMonitoring(at: instant, into: &outputs)
        delivery.deliver(fix, context(at: instant), into: &outputs)
        settleNeeds()
        guard let location, isServed else { return }
        monitoring.follow(location, positioning.clock, grants, at: instant, into: &outputs)
        followMonitoring(at: instant, into: &outputs)
        positioning.keepTrack(of: fix, at: instant, into: &outputs)
    }

    /// Delivers a reduced-accuracy estimate to the clients that may not see more.
    func deliver(
        _ estimate: ReducedAccuracy.Estimate, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        delivery.deliver(estimate, at: instant, into: &outputs)
        monitoring.found(estimate.fix, isCoarse: true, access.grants, at: instant, into: &outputs)
        followMonitoring(at: instant, into: &outputs)
    }

    func context(at instant: MonotonicInstant) -> DeliveryContext {
        DeliveryContext(
            instant: instant, whereabouts: positioning.whereabouts, clock: reception.clock,
            isReceiverOpen: reception.isOpen, isReceiverOn: !power.isResting,
            outageReason: power.outageReason(isReceiving: reception.isReceiving))
    }

    func events(at instant: MonotonicInstant) -> EventContext {
        EventContext(grants: access.grants, clock: reception.clock, instant: instant)
    }
}

// MARK: Consequences of an input

extension Engine {
    /// The most rounds in which the parts may react to one another within one input.
    ///
    /// Three rounds are needed: an event asks whether its client may be started, which may ask a user, which may change
    /// what clients may see. More rounds would mean an endless circle, which the assertion in `settle` reports.
    static let maximumRounds = 4

    /// Passes an input's changes to the other parts, in a fixed order, until nothing changes any more.
    private func settle(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for _ in 0..<Engine.maximumRounds {
            followMonitoring(at: instant, into: &outputs)
            followAccess(at: instant, into: &outputs)
            guard access.isStale else { return settleNeeds() }
            settleAccess(at: instant, into: &outputs)
        }
        assert(!access.isStale, "access changes in a circle")
        settleNeeds()
    }

    /// Applies what each client may see now to all parts, and tells the clients whose access changed.
    private func settleAccess(at instant: MonotonicInstant, into outputs: inout Outputs) {
        access.settle(watchers: delivery.watchersInBackground, at: instant, into: &outputs)
        followAccess(at: instant, into: &outputs)
        monitoring.follow(access.grants, positioning.whereabouts, at: instant, into: &outputs)
        followMonitoring(at: instant, into: &outputs)
        access.tellChanges(into: &outputs)
        let context = context(at: instant)
        delivery.follow(access.connectionGrants, context, into: &outputs)
        let grants = access.grants
        for connection in access.gpsd { delivery.grant(grants.grant(of: connection), toGPSD: connection.id) }
        outbox.follow(events(at: instant), into: &outputs)
        access.answerAccuracy(into: &outputs)
        delivery.settleIndicator(at: instant, into: &outputs)
        delivery.welcome(context, into: &outputs)
        let rangings = access.connectionGrants.map { grant in
            RangingGrant(grant, isOperator: access.isOperator(grant.connection))
        }
        delivery.ranging.follow(rangings)
        headings.locationGrants = delivery.sessionGrants
        reception.readers = delivery.readers
    }

    /// Passes decisions about access to the outbox and to delivery.
    private func followAccess(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for client in outbox.takeDue() { access.decide(.eventDue(client: client), at: instant, into: &outputs) }
        for news in access.takeNews() {
            switch news {
            case .changed(let client):
                outbox.forgetOldChanges(of: client, events(at: instant), into: &outputs)
                outbox.reconsiderWaking(client, access.grants, into: &outputs)
                delivery.reconsiderDeferred(client, access.grants, into: &outputs)
            case .eventDecided(let client, let mayDeliver):
                outbox.decided(client, mayDeliver: mayDeliver, access.grants, at: instant, into: &outputs)
            case .cameIntoUse(let client): outbox.cameIntoUse(client)
            }
        }
    }

    /// Passes events that monitoring found for clients to the outbox.
    func followMonitoring(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for effect in monitoring.takeEffects() {
            switch effect {
            case .post(let kind, let client, let isWanted):
                outbox.post(kind, for: client, isWanted: isWanted, events(at: instant), into: &outputs)
            case .cross(let region, let event, let client):
                outbox.crossed(region, event, of: client, access.grants, at: instant, into: &outputs)
            case .withdraw(let service, let key, let client):
                outbox.withdraw(service, key, of: client, access.grants, into: &outputs)
            case .delayed(let errorCode, let client):
                let reason = power.outageReason(isReceiving: reception.isReceiving)
                outbox.tellDelayed(client, errorCode: errorCode, reason: reason, into: &outputs)
            case .want(let service, let connection, let known):
                outbox.want(service, on: connection, known: known, events(at: instant), into: &outputs)
            }
        }
    }

    /// Recomputes what clients need from the receiver, after a client connected, left, asked, was answered or paused.
    private func settleNeeds() {
        let (delivers, monitors) = (delivery.takeNewNeeds(), monitoring.takeNewNeeds())
        guard delivers || monitors else { return }
        if delivers { spots.tellAgain() }
        if monitors { power.manager?.monitors(for: monitoring.payers(access.grants)) }
        let needs = spots.unsatisfied(delivery.needs + monitoring.needs(access.grants))
        power.need(needs, gpsd: delivery.gpsdConnections)
    }

    /// Has the radio listen as clients need it now, and tells them what became of it.
    private func settleRadio(at instant: MonotonicInstant, into outputs: inout Outputs) {
        radio.settle(need: radioNeed(at: instant), at: instant, into: &outputs)
        let standing = radio.standing(at: instant)
        delivery.ranging.follow(standing, at: instant, into: &outputs)
        monitoring.follow(standing, at: instant)
        let use = radio.use(rangings: delivery.ranging.connections, regions: monitoring.radioPayers)
        power.manager?.accountFor(use, at: instant)
        if radio.takeTurn() { access.announce(capabilities, into: &outputs) }
    }

    /// How the radio must listen for regions and rangings; nil where it need not.
    private func radioNeed(at instant: MonotonicInstant) -> ScanTiming? {
        guard !delivery.ranging.isNeeded else { return BeaconScanPolicy.continuous }
        let (regions, stays) = (monitoring.radioNeed(at: instant), spots.radioNeed(at: instant))
        guard let regions, let stays else { return regions ?? stays }
        return regions.duty >= stays.duty ? regions : stays
    }

    /// Follows the spots that are marked by beacons: what they satisfy needs no receiver, and is told from them.
    private func settleSpots(at instant: MonotonicInstant, into outputs: inout Outputs) {
        if spots.settle(at: instant, into: &outputs) {
            delivery.hasNewNeeds = true
            settleNeeds()
        }
        guard let fix = spots.takeFix(positioning.clock, at: instant) else { return }
        let (known, location) = positioning.locate(fix, receiver: Spots.receiver, at: instant)
        guard Positioning.accepts(known) else { return }
        delivery.answerWaits(known, at: instant, into: &outputs)
        found(known, location, at: instant, into: &outputs)
        settle(at: instant, into: &outputs)
    }

    /// Wakes, rests and configures the receiver as clients need it now.
    private func settlePower(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for order in power.settle(at: instant, into: &outputs) { follow(order, into: &outputs) }
        if let isResting = power.takeTurn() {
            delivery.receiverTurned(isOn: !isResting, context(at: instant), into: &outputs)
            settleNeeds()
            for order in power.settle(at: instant, into: &outputs) { follow(order, into: &outputs) }
        }
        delivery.outage(since: power.outageSince)
        monitoring.outage(since: power.outageSince)
        power.account(at: instant)
    }

    /// Passes what an order to the receiver changes on its serial line to reception.
    private func follow(_ order: ReceiverOrder, into outputs: inout Outputs) {
        switch order {
        case .port(.setBaud(let rate)): reception.ordered(baud: rate)
        case .report(.asleep(let kind)) where kind != .cyclic: reception.rested()
        case .report(.ready):
            guard reception.proved(baud: power.manager?.controller.baud, into: &outputs) else { return }
            delivery.announce(reception.gpsdDevice, into: &outputs)
        case .port, .setLine, .report: break
        }
    }
}
