internal import ClientProtocol
internal import ClientVocabulary
internal import GNSS
internal import Parts
internal import Power
internal import SextantUnits

/// A client's session that gets location reports: its settings, and whether it is paused, deferred or without a fix.
struct LocationSession: Sendable, Equatable {
    /// The session number 0, which stands for a connection's whole epochs, and for requests that name no session.
    static let epochs: UInt8 = 0

    /// The number by which the client names the session.
    let number: UInt8
    private(set) var settings: LocationSettings
    var options: WatchOptions
    /// The key under which the session's deferred fixes are kept.
    private(set) var key: DeferredKey
    /// The accuracy with which the session is allowed to see positions now, never finer than its connection's.
    var grant = LocationGrant.none
    let beganInUse: Bool
    private var filter: DeliveryFilter
    /// Decides about pauses; nil where the client does not want to be paused.
    private(set) var pause: PauseMonitor?
    /// The deferral in progress; nil where nothing is held back.
    var term: DeferralTerm?
    /// The time of the last fix that was held back for the session and then delivered; nil if there has been none.
    var lastHeld: UTCInstant?
    /// The reasons why a session with live updates gets no locations, as the session was last told them.
    var toldDiagnostics: SessionDiagnostics?
    /// Decides when the session is told that no position is available.
    var loss: FixLoss

    init(
        _ settings: LocationSettings, number: UInt8 = LocationSession.epochs, options: WatchOptions = WatchOptions(),
        key: DeferredKey, beganInUse: Bool = true, at instant: MonotonicInstant
    ) {
        self.number = number
        self.settings = settings
        self.options = options
        self.key = key
        self.beganInUse = beganInUse
        filter = DeliveryFilter(settings)
        pause = LocationSession.monitor(settings, isSought: true, at: instant)
        loss = FixLoss(receiverIsOn: true, at: instant)
    }

    /// - Parameter isSought: Whether a position is sought now; not while the receiver sleeps by plan.
    private static func monitor(
        _ settings: LocationSettings, isSought: Bool, at instant: MonotonicInstant
    ) -> PauseMonitor? {
        guard settings.pausesAutomatically else { return nil }
        return PauseMonitor(
            activity: settings.activity, accuracy: settings.effectiveAccuracy, isReceiverOn: isSought, at: instant)
    }

    /// Restarts the reports with other settings; the distance filter still compares the next fix with the last one
    /// delivered.
    ///
    /// - Returns: Whether the restart ended a pause.
    mutating func restart(
        _ settings: LocationSettings, key: DeferredKey, isSought: Bool, at instant: MonotonicInstant
    ) -> Bool {
        let wasPaused = isPaused
        self.settings = settings
        self.key = key
        filter.change(to: settings)
        pause = LocationSession.monitor(settings, isSought: isSought, at: instant)
        return wasPaused
    }

    /// Changes the settings without a restart; only a change that concerns pauses restarts the pause monitor.
    ///
    /// - Returns: Whether the pause monitor was restarted.
    mutating func change(to settings: LocationSettings, isSought: Bool, at instant: MonotonicInstant) -> Bool {
        let old = self.settings
        self.settings = settings
        self.settings.deferral = old.deferral
        filter.change(to: settings)
        let isSame =
            old.pausesAutomatically == settings.pausesAutomatically && old.activity == settings.activity
            && old.effectiveAccuracy == settings.effectiveAccuracy
        guard !isSame, !isPaused || !settings.pausesAutomatically else { return false }
        pause = LocationSession.monitor(settings, isSought: isSought, at: instant)
        return true
    }

    /// Whether reports are paused; never with reduced accuracy, where a pause would reveal when the board moves.
    var isPaused: Bool { grant != .reduced && pause?.isPaused ?? false }

    /// What the session needs from the receiver; nil where the session is allowed no position, or is passive.
    func request(of client: ClientID) -> AccuracyRequest? {
        guard !options.isPassive else { return nil }
        let state = pause?.state ?? .running
        switch grant {
        case .none: return nil
        case .reduced: return AccuracyRequest(client: client.rawValue, .standard(.reduced))
        case .full: return AccuracyRequest(client: client.rawValue, .standard(settings), state: state)
        }
    }

    /// Passes an event, such as motion, to the pause monitor; does nothing without full accuracy or without a monitor.
    mutating func sensed(_ event: PauseEvent, at instant: MonotonicInstant) -> PauseOutcome? {
        grant == .full ? pause?.handle(event, at: instant) : nil
    }

    /// Whether the client is sent this fix.
    mutating func takes(_ fix: Fix, at instant: MonotonicInstant) -> Bool {
        grant == .full && !isPaused && filter.passes(fix, at: instant)
    }

    /// Whether the session's fixes are held back now.
    func holds(isForeground: Bool) -> Bool {
        guard let term else { return false }
        return !term.onlyInBackground || !isForeground
    }

    /// The reason why a deferral cannot begin now; nil where it can.
    var refusal: DeferralEnd? {
        if grant == .none || isPaused || options.isPassive { return .notUpdating }
        if grant == .reduced { return .accuracyTooLow }
        return DeferralEnd.refusal(of: settings)
    }

    /// Begins reports at this instant; what happened before does not count for a pause or for a loss of the fix.
    mutating func begin(receiverIsOn: Bool, isSought: Bool, at instant: MonotonicInstant) {
        pause = LocationSession.monitor(settings, isSought: isSought, at: instant)
        loss = FixLoss(receiverIsOn: receiverIsOn, at: instant)
    }

    /// Whether the session gets reports: it is allowed to, and it is not paused.
    var isRunning: Bool { grant > .none && !isPaused }

    /// Whether the lack of positions counts as a loss: the session gets reports and is not passive.
    var awaitsPositions: Bool { isRunning && !options.isPassive }

    /// The next instant at which a pause, the deferral's end or a loss of the fix is due; nil for none.
    var deadline: MonotonicInstant? {
        .earlier(
            .earlier(grant == .full ? pause?.deadline : nil, term?.deadline), awaitsPositions ? loss.deadline : nil)
    }
}
