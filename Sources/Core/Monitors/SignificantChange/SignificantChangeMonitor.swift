public import GNSS
public import SextantUnits

/// The significant changes of one client: the place it is at when it asks, then each that lies 500 m or more away.
///
/// Two notifications are 5 minutes apart at least, on the monotonic clock. A change that is seen sooner waits until
/// then, and is dropped if the board comes back. The accuracy and the distance that the client otherwise asks for have
/// no influence. Source of both bounds: Core Location, startMonitoringSignificantLocationChanges().
public struct SignificantChangeMonitor: Sendable, Equatable {
    /// The least distance of a significant change from the last place notified; metres.
    public static let distance = 500.0
    /// Nanoseconds between two notifications.
    public static let interval: Int64 = 300_000_000_000

    /// The number of combined 68 % radii of both places by which a move must exceed the distance.
    ///
    /// A 68 % radius is 1.51 standard deviations of one axis, so these are 4.5 of them: two fixes of 5 m that are 499 m
    /// apart are not seen as a change within an hour at 1 Hz, and 600 m are one even between two fixes of 20 m.
    public static let margin = 3.0
    /// Metres of the notified place's accuracy that count at most.
    ///
    /// Were a coarse first place to count in full, a move away from it would be hidden for good; this limit delays the
    /// change by 100 m at most, and costs a notification too many at worst.
    public static let countedAccuracy = 100 / margin

    private struct Change: Sendable, Equatable {
        let fix: Fix
        let place: NotifiedPlace
        let instant: MonotonicInstant
    }

    public private(set) var isMonitoring = false
    /// The last place notified, which must be durable to measure from it after a restart; nil before the first.
    public private(set) var notified: NotifiedPlace?
    private var notifiedAt: MonotonicInstant?
    /// When the last notified fix came; nil before the first, and after a restart.
    public private(set) var measuredAt: MonotonicInstant?
    /// The newest change that waits for the end of the interval.
    private var owed: Change?

    public init() {}

    /// Starts monitoring because the client asks for changes.
    ///
    /// - Parameters:
    ///   - latest: The newest fix known, however old; nil makes the next fix the first event.
    ///   - isCoarse: Whether the fix is the middle of a cell, for a client of reduced accuracy.
    /// - Returns: The first event, as it was measured; nil also where changes are being monitored already.
    public mutating func start(latest: Fix?, isCoarse: Bool, at instant: MonotonicInstant) -> Fix? {
        guard !isMonitoring else { return nil }
        self = SignificantChangeMonitor()
        isMonitoring = true
        guard let latest else { return nil }
        return found(latest, isCoarse: isCoarse, at: instant)
    }

    /// Stops monitoring because the client withdraws its request.
    public mutating func stop() { self = SignificantChangeMonitor() }

    /// Goes on after the daemon was started anew.
    ///
    /// The time of the last notification is not known on this boot's clock, so the interval counts from `instant`.
    public mutating func restore(_ place: NotifiedPlace?, at instant: MonotonicInstant) {
        self = SignificantChangeMonitor()
        isMonitoring = true
        notified = place
        notifiedAt = place == nil ? nil : instant
    }

    /// Takes a fix, even one that the receiver was switched on for another client's sake.
    ///
    /// - Parameter isCoarse: Whether the fix is the middle of a cell; a client of reduced accuracy gets only such
    ///   fixes, because the time of an event reveals where the board is as its content does.
    /// - Returns: The fix that the client is to be told now; nil for none.
    public mutating func found(_ fix: Fix, isCoarse: Bool, at instant: MonotonicInstant) -> Fix? {
        guard isMonitoring, let place = NotifiedPlace(fix, isCoarse: isCoarse) else { return nil }
        let change = Change(fix: fix, place: place, instant: instant)
        guard let notified else { return notify(change, at: instant) }
        let moved = notified.distance(to: place)
        if moved >= SignificantChangeMonitor.distance + SignificantChangeMonitor.doubt(between: notified, and: place) {
            owed = change
        } else if moved < SignificantChangeMonitor.distance {
            owed = nil
        }
        return advance(to: instant)
    }

    /// When the waiting change is due; nil where no change waits.
    public var deadline: MonotonicInstant? {
        guard owed != nil, let notifiedAt else { return nil }
        return notifiedAt.advanced(byNanoseconds: SignificantChangeMonitor.interval)
    }

    /// Lets time pass.
    ///
    /// - Returns: The fix that the client is to be told now; nil for none.
    public mutating func advance(to instant: MonotonicInstant) -> Fix? {
        guard let deadline, deadline <= instant, let owed else { return nil }
        return notify(owed, at: instant)
    }

    private mutating func notify(_ change: Change, at instant: MonotonicInstant) -> Fix {
        notified = change.place
        notifiedAt = instant
        measuredAt = change.instant
        owed = nil
        return change.fix
    }

    /// Metres by which two places may seem further apart than they are.
    private static func doubt(between notified: NotifiedPlace, and place: NotifiedPlace) -> Double {
        let before = min(notified.accuracy, countedAccuracy)
        return margin * (before * before + place.accuracy * place.accuracy).squareRoot()
    }
}
