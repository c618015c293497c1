public import ClientProtocol
public import GNSS
public import Power
public import Units

/// The reports that one session watches: what it asked for, and how they stand.
public struct LocationSession: Sendable, Equatable {
    /// The client's number for it.
    public let number: UInt8
    public private(set) var settings: LocationSettings
    public var options: WatchOptions
    /// Under which its deferred fixes are kept.
    public private(set) var key: DeferredKey
    /// What it may see now: never more than its connection.
    public var grant = LocationGrant.none
    /// Whether it began while the client was in use.
    public let beganInUse: Bool
    private var filter: DeliveryFilter
    /// Nil where the client does not want to be paused.
    public private(set) var pause: PauseMonitor?
    /// Nil where nothing is held back.
    public var term: DeferralTerm?
    /// Why it is silent, as it was told last where it is live.
    public var toldDiagnostics: SessionDiagnostics?
    /// Whether it lacks a position.
    public var loss: FixLoss

    public init(
        _ settings: LocationSettings, number: UInt8 = 0, options: WatchOptions = WatchOptions(), key: DeferredKey,
        beganInUse: Bool = true, at instant: MonotonicInstant
    ) {
        self.number = number
        self.settings = settings
        self.options = options
        self.key = key
        self.beganInUse = beganInUse
        filter = DeliveryFilter(settings)
        pause = LocationSession.monitor(settings, at: instant)
        loss = FixLoss(receiverIsOn: true, at: instant)
    }

    private static func monitor(_ settings: LocationSettings, at instant: MonotonicInstant) -> PauseMonitor? {
        guard settings.pausesAutomatically else { return nil }
        return PauseMonitor(activity: settings.activity, accuracy: settings.effectiveAccuracy, at: instant)
    }

    /// Begins the watch anew, with other settings; the filter goes on from what was delivered last.
    ///
    /// - Returns: Whether this ended a pause.
    public mutating func restart(
        _ settings: LocationSettings, key: DeferredKey, at instant: MonotonicInstant
    ) -> Bool {
        let wasPaused = isPaused
        self.settings = settings
        self.key = key
        filter.change(to: settings)
        pause = LocationSession.monitor(settings, at: instant)
        return wasPaused
    }

    /// Takes other settings, and goes on: what decides about pauses begins anew only where it was changed.
    public mutating func change(to settings: LocationSettings, at instant: MonotonicInstant) {
        let old = self.settings
        self.settings = settings
        self.settings.deferral = old.deferral
        filter.change(to: settings)
        let isSame =
            old.pausesAutomatically == settings.pausesAutomatically && old.activity == settings.activity
            && old.effectiveAccuracy == settings.effectiveAccuracy
        if !isSame, !isPaused || !settings.pausesAutomatically {
            pause = LocationSession.monitor(settings, at: instant)
        }
    }

    public var isPaused: Bool { pause?.isPaused ?? false }

    /// What it needs positions for; nil where it may see none.
    func request(of client: ClientID) -> AccuracyRequest? {
        let standing = pause?.standing ?? .running
        switch grant {
        case .none: return nil
        case .reduced: return AccuracyRequest(client: client.rawValue, .standard(.reduced), standing: standing)
        case .full: return AccuracyRequest(client: client.rawValue, .standard(settings), standing: standing)
        }
    }

    /// Tells the monitor of pauses, where there is one.
    public mutating func handle(_ event: PauseEvent, at instant: MonotonicInstant) -> PauseOutcome? {
        grant == .none ? nil : pause?.handle(event, at: instant)
    }

    /// Whether a fix is for the client.
    public mutating func takes(_ fix: Fix, at instant: MonotonicInstant) -> Bool {
        grant == .full && !isPaused && filter.passes(fix, at: instant)
    }

    /// Whether what it takes is held back.
    public func holds(isForeground: Bool) -> Bool {
        guard let term else { return false }
        return !term.onlyInBackground || !isForeground
    }

    /// Why a deferral cannot begin now; nil where it can.
    public var refusal: DeferralEnd? {
        if grant == .none || isPaused { return .notUpdating }
        if grant == .reduced { return .accuracyTooLow }
        return DeferralEnd.refusal(of: settings)
    }

    /// Lets reports begin now; events from before cause neither a pause nor a loss of the fix.
    public mutating func begin(receiverIsOn: Bool, at instant: MonotonicInstant) {
        pause = LocationSession.monitor(settings, at: instant)
        loss = FixLoss(receiverIsOn: receiverIsOn, at: instant)
    }

    /// Whether its reports come, as far as it is its own business.
    public var isRunning: Bool { grant > .none && !isPaused }

    /// When time alone may change something.
    public var deadline: MonotonicInstant? {
        let deadlines = [
            grant == .none ? nil : pause?.deadline, term?.deadline, isRunning ? loss.deadline : nil,
        ]
        return deadlines.lazy.compactMap { $0 }.min()
    }
}
