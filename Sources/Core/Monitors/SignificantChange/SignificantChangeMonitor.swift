public import GNSS
public import SextantUnits

/// Finds the significant changes of the board's place for one client: the place at the client's request, then each
/// place 500 m or more from the last one notified.
///
/// Two notifications are at least 5 minutes apart, on the monotonic clock. A change that is found sooner waits until
/// then, and is dropped if the board comes back. The accuracy and the distance filter of the client's other requests
/// have no influence. Source of both bounds: Core Location, startMonitoringSignificantLocationChanges().
public struct SignificantChangeMonitor: Sendable, Equatable {
    /// The least distance of a significant change from the place last notified; metres.
    public static let distance = 500.0
    /// The least time between two notifications; nanoseconds.
    public static let interval: Int64 = 300_000_000_000

    /// A move must exceed the least distance by this many times the combined 68 % radius of both places.
    ///
    /// A 68 % radius is 1.51 standard deviations of one axis, so this margin is 4.5 standard deviations. Two fixes with
    /// 5 m accuracy that are 499 m apart are not seen as a change within an hour at 1 Hz; two that are 600 m apart are,
    /// even with 20 m accuracy.
    public static let margin = 3.0
    /// The largest part, in metres, of the notified place's accuracy radius that counts when the next change is judged.
    ///
    /// If the whole radius of a very inaccurate first place counted, a move away from it would stay hidden for good.
    /// This limit delays a change by 100 m at most, and at worst causes one notification too many.
    public static let countedAccuracy = 100 / margin

    private struct Change: Sendable, Equatable {
        let fix: Fix
        let place: NotifiedPlace
        let instant: MonotonicInstant
    }

    public private(set) var isMonitoring = false
    /// The place that the client was last notified of, to be stored for use after a restart; nil if there is none yet.
    public private(set) var notified: NotifiedPlace?
    private var notifiedAt: MonotonicInstant?
    /// When the fix of the last notification came; nil before the first notification, and after a restart.
    public private(set) var measuredAt: MonotonicInstant?
    /// The newest change, which waits until 5 minutes have passed since the last notification; nil where none waits.
    private var owed: Change?

    public init() {}

    /// Starts monitoring because the client asks for changes.
    ///
    /// - Parameters:
    ///   - latest: The newest fix known, however old; nil makes the next fix the first event.
    ///   - isCoarse: Whether the fix is the middle of a grid cell, for a client of reduced accuracy.
    /// - Returns: The fix of the first event; nil if there is none yet, or if changes were monitored already.
    public mutating func start(latest: Fix?, isCoarse: Bool, at instant: MonotonicInstant) -> Fix? {
        guard !isMonitoring else { return nil }
        self = SignificantChangeMonitor()
        isMonitoring = true
        guard let latest else { return nil }
        return found(latest, isCoarse: isCoarse, at: instant)
    }

    /// Stops monitoring because the client withdraws its request.
    public mutating func stop() { self = SignificantChangeMonitor() }

    /// Continues monitoring after a restart of the daemon.
    ///
    /// The time of the last notification is not known on this boot's clock, so the 5 minutes until the next one count
    /// from `instant`.
    public mutating func restore(_ place: NotifiedPlace?, at instant: MonotonicInstant) {
        self = SignificantChangeMonitor()
        isMonitoring = true
        notified = place
        notifiedAt = place == nil ? nil : instant
    }

    /// Handles a fix, even one for which another client had the receiver switched on.
    ///
    /// - Parameter isCoarse: Whether the fix is the middle of a grid cell; a client of reduced accuracy gets only such
    ///   fixes, because an event's time reveals the board's place just as its content does.
    /// - Returns: The fix to report to the client now; nil for none.
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

    /// Notifies the client of a waiting change, if it is due by this instant.
    ///
    /// - Returns: The fix to report to the client now; nil for none.
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

    /// Metres by which position errors can make two places seem farther apart than they are: `margin` times the
    /// combined 68 % radius.
    private static func doubt(between notified: NotifiedPlace, and place: NotifiedPlace) -> Double {
        let before = min(notified.accuracy, countedAccuracy)
        return margin * (before * before + place.accuracy * place.accuracy).squareRoot()
    }
}
