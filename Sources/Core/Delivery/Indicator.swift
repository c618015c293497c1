internal import ClientVocabulary
internal import SextantUnits

/// What decides whether the indicator light must show that a client uses locations.
struct IndicatorUse: Sendable, Equatable {
    var isBackground: Bool
    /// Whether the client has a location session that gets reports in the background; the first 5 s after the client
    /// left the foreground do not count.
    var updatesContinuously: Bool
    var status: AuthorizationStatus
    /// Whether the client asks for the indicator light; a client with the authorization Always is not shown unless it
    /// asks.
    var showsIndicator: Bool
    var holdsActiveBackgroundActivity: Bool

    init(
        isBackground: Bool, updatesContinuously: Bool, status: AuthorizationStatus, showsIndicator: Bool,
        holdsActiveBackgroundActivity: Bool
    ) {
        self.isBackground = isBackground
        self.updatesContinuously = updatesContinuously
        self.status = status
        self.showsIndicator = showsIndicator
        self.holdsActiveBackgroundActivity = holdsActiveBackgroundActivity
    }

    /// Whether the indicator light must show that the client uses locations: only while the client is in the
    /// background, where nothing else shows it.
    var mustShow: Bool {
        guard isBackground else { return false }
        let isHidden = status == .authorizedAlways && !showsIndicator
        return holdsActiveBackgroundActivity || updatesContinuously && !isHidden
    }
}

/// The light that shows that a client follows the board's location from the background.
///
/// The light goes on at once. It goes off when no client follows the location from the background any more and a second
/// has passed since such a client last got a location. So deliveries at 1 Hz never make the light blink, and it is off
/// within the 2 s that requirement BG-12 allows after the last client has ended.
struct Indicator: Sendable, Equatable {
    /// Nanoseconds for which the light stays on after the last location was delivered.
    static let hold: Int64 = 1_000_000_000

    private(set) var isOn = false
    /// When the light goes off; nil while a client needs it, or while it is off.
    private(set) var deadline: MonotonicInstant?
    private var lastDelivery: MonotonicInstant?

    init() {}

    /// Takes whether any client's use must be shown; to be called after every change on which that depends.
    ///
    /// - Returns: The light's new state; nil where it does not change.
    mutating func settle(isNeeded: Bool, at instant: MonotonicInstant) -> Bool? {
        guard isNeeded else { return end(at: instant) }
        deadline = nil
        guard !isOn else { return nil }
        isOn = true
        lastDelivery = nil
        return true
    }

    /// Records that a location was delivered to a client whose use must be shown.
    mutating func delivered(at instant: MonotonicInstant) {
        guard isOn, deadline == nil else { return }
        lastDelivery = instant
    }

    /// Switches the light off if the time for that has come.
    ///
    /// - Returns: The light's new state; nil where it does not change.
    mutating func advance(to instant: MonotonicInstant) -> Bool? {
        guard let deadline, deadline <= instant else { return nil }
        self.deadline = nil
        isOn = false
        return false
    }

    private mutating func end(at instant: MonotonicInstant) -> Bool? {
        guard isOn else { return nil }
        if deadline == nil { deadline = lastDelivery?.advanced(byNanoseconds: Indicator.hold) ?? instant }
        return advance(to: instant)
    }
}
