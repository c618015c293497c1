public import Units

/// Whether a client's use of locations must be seen.
public struct IndicatorUse: Sendable, Equatable {
    public var isBackground: Bool
    /// Whether a watch of it goes on in the background; one within the grace after the foreground does not.
    public var updatesContinuously: Bool
    public var status: AuthorizationStatus
    /// Whether it wants to be seen although always authorized.
    public var showsIndicator: Bool
    public var holdsActiveBackgroundActivity: Bool

    public init(
        isBackground: Bool, updatesContinuously: Bool, status: AuthorizationStatus, showsIndicator: Bool,
        holdsActiveBackgroundActivity: Bool
    ) {
        self.isBackground = isBackground
        self.updatesContinuously = updatesContinuously
        self.status = status
        self.showsIndicator = showsIndicator
        self.holdsActiveBackgroundActivity = holdsActiveBackgroundActivity
    }

    /// Only in the background, where nothing else shows that it runs.
    public var mustShow: Bool {
        guard isBackground else { return false }
        let isHidden = status == .authorizedAlways && !showsIndicator
        return holdsActiveBackgroundActivity || updatesContinuously && !isHidden
    }
}

/// The light that shows that somebody follows the board from the background.
///
/// It goes on at once, and off when the last such use has ended and a second has passed since the last location was
/// delivered to one: two deliveries of 1 Hz never blink, and 2 s after the end it is off whatever came since.
public struct Indicator: Sendable, Equatable {
    /// Nanoseconds after the last delivery.
    public static let hold: Int64 = 1_000_000_000

    public private(set) var isOn = false
    /// When it goes off; nil while it is needed, or off.
    public private(set) var deadline: MonotonicInstant?
    private var lastDelivery: MonotonicInstant?

    public init() {}

    /// Says whether any client's use must be seen, after whatever may have changed it.
    ///
    /// - Returns: How it is to be now, where that is a change.
    public mutating func update(isNeeded: Bool, at instant: MonotonicInstant) -> Bool? {
        guard isNeeded else { return end(at: instant) }
        deadline = nil
        guard !isOn else { return nil }
        isOn = true
        lastDelivery = nil
        return true
    }

    /// A location was delivered to a client whose use must be seen.
    public mutating func delivered(at instant: MonotonicInstant) {
        guard isOn, deadline == nil else { return }
        lastDelivery = instant
    }

    /// Lets time pass.
    ///
    /// - Returns: How it is to be now, where that is a change.
    public mutating func advance(to instant: MonotonicInstant) -> Bool? {
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
