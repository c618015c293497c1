internal import ClientProtocol
internal import Epochs
internal import Fusion
internal import GNSS
internal import GPSDProtocol
internal import Monitors
public import Power
internal import Sessions
public import Units

/// The reducer: everything that happens goes in, everything to be done comes out.
///
/// It is a pure function of its inputs: no clock, no log, no randomness, and nothing iterated in an order that is not
/// its own. The same inputs give the same outputs to the byte, in the daemon, in a replay and in a test.
///
/// It is a list of parts that do not know each other, and the order in which an input passes them, which stands here and
/// in `Engine+Inputs`.
public struct Engine: ~Copyable {
    let configuration: EngineConfiguration
    var reception: Reception
    var positioning = Positioning()
    var access: Access
    var monitoring = Monitoring()
    var headings: Headings
    var delivery: Delivery
    var power: ReceiverPower
    var outbox: Outbox

    /// What all clients together need of the receiver.
    public var demand: Demand { power.demand }

    public init(_ configuration: EngineConfiguration) {
        self.configuration = configuration
        reception = Reception(configuration)
        access = Access(userID: configuration.userID)
        headings = Headings(configuration)
        delivery = Delivery(configuration)
        power = ReceiverPower(configuration)
        outbox = Outbox(source: configuration.source)
    }

    /// Takes one input.
    ///
    /// - Parameter outputs: What is to be done, in order; what it held before is forgotten.
    public mutating func handle(_ input: Input, at instant: MonotonicInstant, into outputs: inout Outputs) {
        if case .bytes(let bytes) = input { return handle(bytes: bytes.span, at: instant, into: &outputs) }
        begin(at: instant, &outputs)
        take(input, at: instant, into: &outputs)
        finish(at: instant, into: &outputs)
    }

    /// Takes what a line of a client came to.
    mutating func handle(
        _ request: Result<ClientRequest, RefusedRequest>, of id: ClientID, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        begin(at: instant, &outputs)
        serve(id, request, at: instant, into: &outputs)
        finish(at: instant, into: &outputs)
    }

    /// Takes what a line of a client of the gpsd port came to.
    mutating func handle(
        _ request: Result<GPSDRequest, GPSDRequestError>, of id: ClientID, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        begin(at: instant, &outputs)
        serve(id, request, into: &outputs)
        finish(at: instant, into: &outputs)
    }

    private func begin(at instant: MonotonicInstant, _ outputs: inout Outputs) {
        outputs.removeAll()
        power.manager?.hostRuns(at: instant)
    }

    private mutating func finish(at instant: MonotonicInstant, into outputs: inout Outputs) {
        settle(at: instant, into: &outputs)
        access.showCalibration(headings.isCalibrationShown, into: &outputs)
        headings.settle(at: instant, into: &outputs)
        settlePower(at: instant, into: &outputs)
        outputs.wake = deadline
    }

    /// Takes bytes that the receiver sent, in a piece of any size.
    ///
    /// - Parameters:
    ///   - bytes: Lent for the call.
    ///   - instant: When they were read.
    public mutating func handle(
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
        // What is still under way from a receiver at rest is none that falls silent later.
        if hadMessage, !power.isResting {
            reception.noteMessage(isManaged: power.manager != nil, at: instant, into: &outputs)
        }
        reception.flush(into: &outputs)
        power.manager?.heardBytes(at: instant)
        settle(at: instant, into: &outputs)
        settlePower(at: instant, into: &outputs)
        outputs.wake = deadline
    }

    /// The next instant at which time alone changes something.
    private var deadline: MonotonicInstant? {
        let grants = access.grants
        let device: MonotonicInstant? = .earlier(power.deadline, reception.deadline)
        let clients: MonotonicInstant? = .earlier(delivery.deadline, .earlier(access.deadline, outbox.deadline))
        let estimates =
            delivery.hearsEstimates || monitoring.hearsEstimates(grants) ? positioning.estimateDeadline : nil
        let places: MonotonicInstant? = .earlier(
            .earlier(estimates, monitoring.changeDeadline(grants)), isSomebodyServed ? monitoring.pathDeadline : nil)
        return .earlier(.earlier(device, .earlier(clients, places)), headings.deadline)
    }

    /// Whether anybody asks where the board is, and may be told: for nobody else anything is followed or kept.
    var isSomebodyServed: Bool { access.grants.servicesEnabled && power.demand.accuracy != nil }
}

// MARK: An epoch's way

extension Engine {
    /// The line was silent: what was begun will not go on.
    mutating func endBurst(at instant: MonotonicInstant, into outputs: inout Outputs) {
        while reception.abandonPartialMessage() { drain(at: instant, into: &outputs) }
        reception.foundSilence()
        publishClosedEpochs(at: instant, into: &outputs)
    }

    private mutating func drain(at instant: MonotonicInstant, into outputs: inout Outputs) {
        while reception.advance(to: power.manager, at: instant) { publishClosedEpochs(at: instant, into: &outputs) }
    }

    private mutating func publishClosedEpochs(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for index in reception.closedEpochs { publish(reception.closed(index), at: instant, into: &outputs) }
    }

    /// An epoch closed: where the board is, whether that is good enough to be told, and who is told.
    private mutating func publish(_ epoch: Epoch, at instant: MonotonicInstant, into outputs: inout Outputs) {
        reception.note(epoch, at: instant)
        let (fix, location) = positioning.locate(epoch.fixWithAccuracy, at: instant)
        let isWanted = power.take(
            fix, strongestSignal: epoch.strongestSignal, jumps: positioning.jumpCount,
            excess: positioning.errorInClaims, at: instant, into: &outputs)
        delivery.publishToWatchers(epoch, into: &outputs)
        if fix.hasPosition { delivery.answerWaits(fix, at: instant, into: &outputs) }
        delivery.tellPauses(.fix(fix), context(at: instant), into: &outputs)
        if isWanted, Positioning.accepts(fix) { found(fix, location, at: instant, into: &outputs) }
        delivery.publishToGPSD(epoch, speaksUBX: reception.speaksUBX, into: &outputs)
    }

    /// A location was found that may be told.
    private mutating func found(
        _ fix: Fix, _ location: FusedLocation?, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let grants = access.grants
        let estimate = positioning.found(fix, at: instant)
        delivery.endLosses(at: instant)
        if let estimate { deliver(estimate, at: instant, into: &outputs) }
        monitoring.found(fix, isCoarse: false, grants, at: instant, into: &outputs)
        followMonitoring(at: instant, into: &outputs)
        delivery.deliver(fix, context(at: instant), into: &outputs)
        settleNeeds()
        guard let location, isSomebodyServed else { return }
        monitoring.follow(location, positioning.clock, grants, at: instant, into: &outputs)
        followMonitoring(at: instant, into: &outputs)
        positioning.keepTrack(of: fix, at: instant, into: &outputs)
    }

    /// An estimate is due for all who may see no more.
    mutating func deliver(
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

// MARK: What follows

extension Engine {
    /// How often the parts may ask and answer one another within one input.
    ///
    /// An event asks whether its client may be started, which may ask a user, which may change who sees what: three
    /// rounds. More would be a circle, which every test would end at.
    static let maximumRounds = 4

    /// What an input changed goes on to the parts that it concerns, in this order, until nothing changes any more.
    private mutating func settle(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for _ in 0..<Engine.maximumRounds {
            followMonitoring(at: instant, into: &outputs)
            followAccess(at: instant, into: &outputs)
            guard access.isStale else { return settleNeeds() }
            settleAccess(at: instant, into: &outputs)
        }
        assert(!access.isStale, "access changes in a circle")
        settleNeeds()
    }

    /// Everybody is held to what may be seen now, and told of it.
    private mutating func settleAccess(at instant: MonotonicInstant, into outputs: inout Outputs) {
        access.settle(watchers: delivery.watchersInBackground, at: instant, into: &outputs)
        followAccess(at: instant, into: &outputs)
        monitoring.follow(access.grants, positioning.whereabouts, at: instant, into: &outputs)
        followMonitoring(at: instant, into: &outputs)
        access.tellChanges(into: &outputs)
        let context = context(at: instant)
        delivery.follow(access.connectionGrants, gpsd: access.grants.gpsd, context, into: &outputs)
        outbox.follow(events(at: instant), into: &outputs)
        access.answerAccuracy(into: &outputs)
        delivery.settleIndicator(at: instant, into: &outputs)
        delivery.welcome(context, into: &outputs)
        headings.locationGrants = delivery.sessionGrants
        reception.readers = delivery.readers
    }

    /// What was decided goes to those who tell.
    private mutating func followAccess(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for client in outbox.takeDue() { access.decide(.eventDue(client: client), at: instant, into: &outputs) }
        for news in access.takeNews() {
            switch news {
            case .changed(let client):
                outbox.reconsiderWaking(client, access.grants, into: &outputs)
                delivery.reconsiderDeferred(client, access.grants, into: &outputs)
            case .eventDecided(let client, let mayDeliver):
                outbox.decided(client, mayDeliver: mayDeliver, access.grants, at: instant, into: &outputs)
            case .cameIntoUse(let client): outbox.cameIntoUse(client)
            }
        }
    }

    /// What was found for clients goes to the outbox.
    mutating func followMonitoring(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for effect in monitoring.takeEffects() {
            switch effect {
            case .post(let kind, let client, let isWanted):
                outbox.post(kind, for: client, isWanted: isWanted, events(at: instant), into: &outputs)
            case .withdraw(let service, let key, let client):
                outbox.withdraw(service, key, of: client, access.grants, into: &outputs)
            case .want(let service, let connection, let known):
                outbox.want(service, on: connection, known: known, events(at: instant), into: &outputs)
            }
        }
    }

    /// What is needed of the receiver, after somebody came, went, asked, was answered or paused.
    private mutating func settleNeeds() {
        let (delivers, monitors) = (delivery.takeNewNeeds(), monitoring.takeNewNeeds())
        guard delivers || monitors else { return }
        power.need(delivery.needs + monitoring.needs(access.grants), gpsd: delivery.gpsdConnections)
    }

    /// Has the receiver woken, rested and configured as is needed now.
    private mutating func settlePower(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for consequence in power.settle(at: instant, into: &outputs) { heed(consequence, into: &outputs) }
        if let isResting = power.takeTurn() {
            delivery.receiverTurned(isOn: !isResting, context(at: instant), into: &outputs)
            settleNeeds()
            for consequence in power.settle(at: instant, into: &outputs) { heed(consequence, into: &outputs) }
        }
        delivery.outage(since: power.outageSince)
        power.account(at: instant)
    }

    private mutating func heed(_ consequence: ManagedReceiver.Consequence, into outputs: inout Outputs) {
        switch consequence {
        case .baud(let rate): reception.ordered(baud: rate)
        case .asleep: reception.rested()
        case .ready(let baud):
            if reception.proved(baud: baud, into: &outputs) { delivery.announce(reception.gpsdDevice, into: &outputs) }
        }
    }
}
