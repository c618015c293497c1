public import GNSS
public import Power
public import Units

/// The reports that one client watches: what it asked for, and how they stand.
public struct LocationSession: Sendable, Equatable {
    public private(set) var settings: LocationSettings
    /// Under which its deferred fixes are kept.
    public private(set) var key: DeferredKey
    private var filter: DeliveryFilter
    /// Nil where the client does not want to be paused.
    public private(set) var pause: PauseMonitor?
    /// Nil where nothing is held back.
    public var term: DeferralTerm?

    public init(_ settings: LocationSettings, key: DeferredKey, at instant: MonotonicInstant) {
        self.settings = settings
        self.key = key
        filter = DeliveryFilter(settings)
        pause = LocationSession.monitor(settings, at: instant)
    }

    private static func monitor(_ settings: LocationSettings, at instant: MonotonicInstant) -> PauseMonitor? {
        guard settings.pausesAutomatically else { return nil }
        return PauseMonitor(activity: settings.activity, accuracy: settings.effectiveAccuracy, at: instant)
    }

    /// Asks for other reports; the filter goes on from what was delivered last.
    ///
    /// - Returns: Whether this ended a pause.
    public mutating func change(
        to settings: LocationSettings, key: DeferredKey, at instant: MonotonicInstant
    ) -> Bool {
        let wasPaused = isPaused
        self.settings = settings
        self.key = key
        filter.change(to: settings)
        pause = LocationSession.monitor(settings, at: instant)
        return wasPaused
    }

    public var isPaused: Bool { pause?.isPaused ?? false }

    public var standing: AccuracyRequest.Standing { pause?.standing ?? .running }

    /// Tells the monitor of pauses, where there is one.
    public mutating func handle(_ event: PauseEvent, at instant: MonotonicInstant) -> PauseOutcome? {
        pause?.handle(event, at: instant)
    }

    /// Whether a fix is for the client.
    public mutating func takes(_ fix: Fix, at instant: MonotonicInstant) -> Bool {
        !isPaused && filter.passes(fix, at: instant)
    }

    /// When time alone may change something.
    public var deadline: MonotonicInstant? {
        guard let first = pause?.deadline, let second = term?.deadline else { return pause?.deadline ?? term?.deadline }
        return min(first, second)
    }
}
