public import ClientProtocol
public import Fusion
public import GNSS
public import SextantJSON
public import SextantUnits

/// The board's location at present, as a value for those parts of the Engine that send it to clients.
public struct Whereabouts {
    /// Relates the receiver's time (UTC) to the board's monotonic clock.
    public let clock: FixClock
    private let reduced: ReducedAccuracy
    /// The last location that was good enough to be delivered, and the instant at which it came.
    public let last: (fix: Fix, since: MonotonicInstant)?
    /// The location fused from all fixes so far.
    public let fused: FusedLocation?

    public init(
        clock: FixClock, reduced: ReducedAccuracy, last: (fix: Fix, since: MonotonicInstant)?, fused: FusedLocation?
    ) {
        self.clock = clock
        self.reduced = reduced
        self.last = last
        self.fused = fused
    }

    /// The estimate that a client with reduced accuracy gets if it asks at this instant; nil where there is none.
    public func estimate(at instant: MonotonicInstant) -> ReducedAccuracy.Estimate? { reduced.current(at: instant) }

    /// The last location for a client with full or reduced accuracy, and the instant of its measurement; nil where its
    /// time is not validated.
    public func latest(
        isReduced: Bool, at instant: MonotonicInstant
    ) -> (fix: Fix, since: MonotonicInstant)? {
        let latest = isReduced ? estimate(at: instant).map { ($0.fix, $0.measured) } : last
        return latest.flatMap { fix, since in fix.time == nil || fix.isTimeValidated ? (fix, since) : nil }
    }

    /// A function that writes the newest location, as exactly as a client with this grant is allowed to see it; nil
    /// where there is none.
    public func newest(
        for grant: LocationGrant, source: LocationObject.Source, at instant: MonotonicInstant
    ) -> ((inout TextBuffer) -> Void)? {
        switch grant {
        case .none: return nil
        case .reduced:
            guard let estimate = estimate(at: instant) else { return nil }
            let age = instant.seconds(since: estimate.measured)
            return { LocationObject.appendMembers(reduced: .init(estimate), age: age, source: source, to: &$0) }
        case .full:
            guard let (fix, since) = last else { return nil }
            let age = instant.seconds(since: since)
            return { LocationObject.appendMembers(fix, age: age, source: source, to: &$0) }
        }
    }
}

extension LocationObject.ReducedPlace {
    public init(_ estimate: ReducedAccuracy.Estimate) { self.init(reduced: estimate.fix) }

    /// The position of a fix, as a client with reduced accuracy may see it; an already reduced fix stays as it is.
    public init(_ fix: Fix) {
        if let coarse = ReducedAccuracy.coarse(fix) {
            self.init(reduced: coarse)
            return
        }
        var cell = Fix()
        let place = ReducedAccuracy.coarse(latitude: fix.latitude ?? 0, longitude: fix.longitude ?? 0)
        (cell.time, cell.isTimeValidated) = (fix.time, fix.isTimeValidated)
        (cell.latitude, cell.longitude) = (place.latitude, place.longitude)
        cell.horizontalAccuracy = place.accuracy + (fix.horizontalAccuracy ?? 0)
        self.init(reduced: cell)
    }

    private init(reduced fix: Fix) {
        self.init(
            time: fix.isTimeValidated ? fix.time : nil, latitude: fix.latitude ?? 0, longitude: fix.longitude ?? 0,
            horizontalAccuracy: fix.horizontalAccuracy ?? 0)
    }
}
