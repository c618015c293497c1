public import GNSS
public import SextantUnits

/// The position that clients with reduced accuracy are allowed to see: rounded to about 5 km, and new every 15 minutes.
///
/// All clients share one estimate, so that asking again, in another session or after a pause, does not bring another
/// estimate. An estimate is the middle of the cell that the fix lies in, with the fix's own time. The next estimate
/// comes 15 minutes later or with the first fix after that, whether the cell has changed or not. So an estimate's
/// position and time do not show how the board moves within a cell. Only an estimate without a time is followed by
/// another one sooner: by the first fix that has a time.
/// Source: Core Location, CLAccuracyAuthorization.reducedAccuracy, with a few estimates an hour, each at most 20
/// minutes old and accurate to 1 to 20 km.
public struct ReducedAccuracy: Sendable, Equatable {
    /// A position that a client with reduced accuracy is allowed to see.
    public struct Estimate: Sendable, Equatable {
        /// A fix with a position, a horizontal accuracy and, where the receiver tells it, a time, and nothing else.
        public let fix: Fix
        /// When the board was at the position, on the monotonic clock.
        public let measured: MonotonicInstant

        public init(fix: Fix, measured: MonotonicInstant) {
            (self.fix, self.measured) = (fix, measured)
        }
    }

    /// The shortest time between two estimates, in nanoseconds.
    public static let interval: Int64 = 900_000_000_000
    /// The greatest age at which an estimate is still sent to a client; nanoseconds.
    public static let maximumAge: Int64 = 1_200_000_000_000
    /// The greatest age of a fix when an estimate is made from it; nanoseconds.
    ///
    /// An estimate of an older fix would expire before the next one is due, and requests would have no answer.
    public static let maximumAgeWhenTold = maximumAge - interval
    /// The worst horizontal accuracy of a fix from which an estimate is made; metres.
    public static let worstAccuracy = 10_000.0

    private var last: Estimate?
    private var next: Estimate?
    private var due: MonotonicInstant?

    public init() {}

    /// Takes a fix, no matter for which client the receiver was switched on.
    ///
    /// - Returns: The new estimate for every client with reduced accuracy; nil where none is due.
    public mutating func found(_ fix: Fix, at instant: MonotonicInstant) -> Estimate? {
        guard let coarse = ReducedAccuracy.coarse(fix) else { return nil }
        next = Estimate(fix: coarse, measured: instant)
        return advance(to: instant)
    }

    /// When the next estimate is due; nil where a new fix must come first.
    public var deadline: MonotonicInstant? { next == nil ? nil : due }

    /// Makes the estimate that is due at this instant from the newest fix.
    ///
    /// - Returns: The new estimate for every client with reduced accuracy; nil where none is due.
    public mutating func advance(to instant: MonotonicInstant) -> Estimate? {
        guard let estimate = next else { return nil }
        // Programs that need a time cannot use an estimate without one, such as that of a first, incomplete epoch.
        let isCompletion = last != nil && last?.fix.time == nil && estimate.fix.time != nil
        if let due, instant < due, !isCompletion { return nil }
        next = nil
        guard instant.nanoseconds(since: estimate.measured) <= ReducedAccuracy.maximumAgeWhenTold else { return nil }
        last = estimate
        due = instant.advanced(byNanoseconds: ReducedAccuracy.interval)
        return estimate
    }

    /// The newest estimate, for a client that asks now; nil where the estimate is older than 20 minutes.
    public func current(at instant: MonotonicInstant) -> Estimate? {
        guard let last, instant.nanoseconds(since: last.measured) <= ReducedAccuracy.maximumAge else { return nil }
        return last
    }

    /// The newest estimate, however old, and the instant at which the next one is due; nil if there is no estimate yet.
    public var told: (estimate: Estimate, nextDue: MonotonicInstant)? {
        guard let last, let due else { return nil }
        return (last, due)
    }

    /// Restores the last estimate after a restart, so that the next estimate comes no sooner than it would have without
    /// the restart.
    ///
    /// Does nothing where an estimate was already made since the restart.
    public mutating func restore(_ estimate: Estimate, nextDue: MonotonicInstant) {
        guard last == nil else { return }
        (last, due) = (estimate, nextDue)
    }

    /// A fix reduced to what a client with reduced accuracy is allowed to see; nil where the fix is too inaccurate.
    ///
    /// Every fix within a cell gives the same position. The accuracy is that of the whole cell; if the fix's own
    /// accuracy is worse than 1 km, it is rounded up to whole kilometres and added. A fix that is reduced already stays
    /// as it is.
    public static func coarse(_ fix: Fix) -> Fix? {
        let accuracy = fix.horizontalAccuracy ?? 0
        guard DeliveryFilter.isValid(fix), let latitude = fix.latitude, let longitude = fix.longitude
        else { return nil }
        let place = coarse(latitude: latitude, longitude: longitude)
        let isCoarse = (latitude, longitude) == (place.latitude, place.longitude) && accuracy >= place.accuracy
        guard isCoarse || accuracy <= worstAccuracy else { return nil }
        var coarse = Fix()
        coarse.type = .twoD
        coarse.time = fix.time
        coarse.isTimeValidated = fix.isTimeValidated
        coarse.latitude = place.latitude
        coarse.longitude = place.longitude
        let doubt = accuracy > 1000 ? (accuracy / 1000).rounded(.up) * 1000 : 0
        coarse.horizontalAccuracy = isCoarse ? accuracy : place.accuracy + doubt
        return coarse
    }

    /// A time rounded down to a multiple of 15 minutes.
    ///
    /// A client with reduced accuracy gets this in place of the exact times at which the board came to a place and left
    /// it.
    public static func coarse(_ time: UTCInstant) -> UTCInstant {
        let remainder = time.nanoseconds % interval
        return time.advanced(byNanoseconds: -(remainder < 0 ? remainder + interval : remainder))
    }

    /// The middle (degrees) and accuracy (metres) of the grid cell in which a place lies.
    public static func coarse(
        latitude: Double, longitude: Double
    ) -> (latitude: Double, longitude: Double, accuracy: Double) {
        let cell = CoarseCell(latitude: latitude, longitude: longitude)
        return (cell.latitude, cell.longitude, CoarseCell.radius)
    }
}
