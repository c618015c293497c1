internal import Access
internal import SextantUnits

/// A client's use of locations, as far as it decides whether the indicator must show it.
struct IndicatorUse: Sendable, Equatable {
    var isBackground: Bool
    /// Whether the client watches locations in the background; the grace after the foreground does not count.
    var updatesContinuously: Bool
    var status: AuthorizationStatus
    /// Whether the client wants the indicator although it is always authorized.
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

    /// Whether the indicator must show this use: only in the background, where nothing else shows that the client runs.
    var mustShow: Bool {
        guard isBackground else { return false }
        let isHidden = status == .authorizedAlways && !showsIndicator
        return holdsActiveBackgroundActivity || updatesContinuously && !isHidden
    }
}

/// The light that shows that a client follows the board's location from the background.
///
/// The light goes on at once. It goes off when the last such use has ended and a second has passed since such a client
/// last got a location: deliveries at 1 Hz never make it blink, and 2 s after the end it is off in any case.
struct Indicator: Sendable, Equatable {
    /// Nanoseconds for which the light stays on after the last delivery.
    static let hold: Int64 = 1_000_000_000

    private(set) var isOn = false
    /// The instant at which the light goes off; nil while it is needed, or off.
    private(set) var deadline: MonotonicInstant?
    private var lastDelivery: MonotonicInstant?

    init() {}

    /// Takes whether any client's use must be shown; to be called after every change that may matter.
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

    /// Notes that a location was delivered to a client whose use must be shown.
    mutating func delivered(at instant: MonotonicInstant) {
        guard isOn, deadline == nil else { return }
        lastDelivery = instant
    }

    /// Lets time pass.
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
