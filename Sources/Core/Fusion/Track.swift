internal import SextantUnits

/// The current estimate: the plane it is in, its instant, position, motion and altitude, and whether the board rests.
struct Track: Sendable {
    private(set) var plane: TangentPlane
    private(set) var instant: MonotonicInstant
    private var bank: MotionBank
    /// The slow error (the part that lasts for minutes) of the one receiver whose slow error is modelled.
    private var slow: SlowError
    /// The noise's fraction of the last fix's variance, 0 to 1; nil where fixes are 5 s or more apart or have no
    /// Doppler velocity.
    private var evenness: Double?
    private var restingSince: MonotonicInstant?
    private var isStationary = false
    private var drift = DriftDetector()
    private var height = HeightEstimate()
    /// The number of fixes that the estimate was computed from, counted up to 1000.
    private(set) var support = 1

    init(_ fix: FilterFix, _ place: TangentPlane.Place, _ error: ReadError, at instant: MonotonicInstant) {
        plane = TangentPlane(origin: place)
        self.instant = instant
        slow = error.slow
        bank = MotionBank(position: .zero, error: error.position)
        if let doppler = fix.doppler {
            bank.measure(velocity: doppler.velocity, noise: doppler.deviation * doppler.deviation)
        }
        height.found(fix)
    }

    /// Starts a motion with a velocity that was computed from the positions of successive fixes; metres per second,
    /// Earth-fixed.
    mutating func start(velocity: SIMD3<Double>) {
        let flat = SIMD2((velocity * plane.origin.east).sum(), (velocity * plane.origin.north).sum())
        bank.start(velocity: flat, deviation: Track.roughSpeed)
    }

    /// Whether the estimate is free of not-a-numbers and infinities.
    var isSound: Bool {
        let mean = bank.mean
        return (mean.position * mean.position).sum().isFinite && mean.velocity.x.isFinite && mean.velocity.y.isFinite
            && mean.pp.isFinite && mean.vv.isFinite
    }

    /// Predicts the estimate for a later instant.
    ///
    /// - Returns: False where a day or more has passed, so that the estimate is useless.
    @discardableResult
    mutating func advance(to later: MonotonicInstant, _ hints: SensorHints) -> Bool {
        guard later > instant else { return true }
        let (nanoseconds, overflow) = later.nanoseconds.subtractingReportingOverflow(instant.nanoseconds)
        guard !overflow, nanoseconds < Track.longest else { return false }
        let interval = Double(nanoseconds) / 1e9
        bank.predict(interval: interval, lasting: durations(hints), persistence: slow.persistence)
        if interval > Track.journey {
            let reach = Track.travel * (interval - Track.journey)
            bank.addTravel(variance: reach * reach)
        }
        height.advance(interval, isStationary: isStationary)
        instant = later
        return true
    }

    /// Seconds since the board came to rest; 0 while it moves.
    private var rested: Double { restingSince.map { Double(instant.nanoseconds(since: $0)) / 1e9 } ?? 0 }

    private func durations(_ hints: SensorHints) -> MotionBank.Durations {
        let restLeft = min(900, max(60, rested))
        switch hints.isMoved {
        case true?: return MotionBank.Durations(rest: min(20, restLeft), motion: 60)
        case false?: return MotionBank.Durations(rest: 900, motion: 5)
        case nil: return MotionBank.Durations(rest: restLeft, motion: 120)
        }
    }

    /// Moves the plane's origin to the board when the board is more than 10 km away from it.
    ///
    /// - Returns: Whether the origin moved.
    mutating func moveOrigin() -> Bool {
        let now = bank.mean.position
        guard (now * now).sum() > Track.reach * Track.reach else { return false }
        let coordinate = plane.coordinate(of: now)
        let next = TangentPlane(
            origin: TangentPlane.Place(latitude: coordinate.latitude, longitude: coordinate.longitude))
        let old = plane
        bank.move { mode in
            var moved = mode
            moved.position = old.returned(mode.position - now, at: next.origin)
            moved.velocity = old.returned(mode.velocity, at: next.origin)
            return moved
        }
        plane = next
        return true
    }

    /// Improves the estimate with a fix, whose point in the plane is `point`.
    ///
    /// - Returns: False where the fix is so far from the estimate that it counts as an outlier.
    mutating func found(
        _ fix: FilterFix, _ point: SIMD2<Double>, _ place: TangentPlane.Place, _ error: ReadError
    ) -> Bool {
        let mean = bank.mean
        let fresh = point + mean.velocity * error.lag
        var position = error.position
        position.noise += error.lag * error.lag * (1 + mean.vv)
        if error.isLone {
            bank.scaleSlowError((error.slow.ratio / slow.ratio).squareRoot())
            slow = error.slow
        }
        guard bank.surprise(position: fresh, error: position) < Track.gate else { return false }
        bank.measure(position: fresh, error: position, least: minimumGains(error))
        if let doppler = fix.doppler {
            let velocity = plane.turned(doppler.velocity, at: place)
            let noise = doppler.deviation * doppler.deviation + error.lag * error.lag
            bank.loosen(by: velocity, noise: noise)
            bank.measure(velocity: velocity, noise: noise)
            drift.found(velocity, noise: noise, pace: error.pace)
            bank.doubtRest(drift.evidence)
        }
        let isTold = fix.doppler != nil && error.pace < Track.close
        evenness = isTold ? error.position.noise / error.position.variance : nil
        height.found(fix)
        judgeRest()
        support = min(support + 1, 1_000)
        return true
    }

    /// The smallest gains (weights of a fix against the estimate) with which a fix moves the estimate, at rest and in
    /// motion.
    ///
    /// They limit the averaging time, because the learned error says nothing about longer times.
    private func minimumGains(_ error: ReadError) -> (rest: Double, motion: Double) {
        guard error.isLone else { return (0, 0) }
        let turns = error.pace / slow.persistence
        return (
            1 - Logarithm.exponential(-turns / Track.memoryAtRest),
            1 - Logarithm.exponential(-turns / Track.memoryInMotion)
        )
    }

    /// Judges whether the board rests, with hysteresis: rest begins at a higher probability than the one at which it
    /// ends.
    private mutating func judgeRest() {
        let likelihood = bank.restWeight
        if likelihood > 0.5 { restingSince = restingSince ?? instant } else { restingSince = nil }
        if likelihood > 0.85 { isStationary = true } else if likelihood < 0.4 { isStationary = false }
    }

    /// The board's motion in the plane: velocity 0 at rest, otherwise the fix's Doppler velocity; nil in motion where
    /// the fix gives no velocity.
    func motion(_ fix: FilterFix, _ place: TangentPlane.Place) -> SlowErrorMeter.Motion? {
        let doppler = fix.doppler
        if isStationary { return SlowErrorMeter.Motion(velocity: .zero, variance: 0, isDoppler: doppler != nil) }
        return doppler.map {
            SlowErrorMeter.Motion(
                velocity: plane.turned($0.velocity, at: place), variance: $0.deviation * $0.deviation, isDoppler: true)
        }
    }

    /// The factor, at most 1, by which the computed variance of the position is multiplied.
    ///
    /// The computed variance is too large, because the kinds of motion allow for rare manoeuvres and for a Doppler
    /// velocity that is worse than claimed. It is too large above all where the error is mostly noise. Where fixes are
    /// far apart, the factor is 1.
    private var credit: Double {
        guard let evenness else { return 1 }
        return Track.toldOfSlow + (Track.toldOfNoise - Track.toldOfSlow) * evenness
    }

    func location(_ support: FusedLocation.Support, _ hints: SensorHints) -> FusedLocation {
        let mean = bank.mean
        let coordinate = plane.coordinate(of: mean.position)
        let place = TangentPlane.Place(latitude: coordinate.latitude, longitude: coordinate.longitude)
        let over = plane.returned(mean.velocity, at: place)
        let velocity = LocalVelocity(
            east: isStationary ? 0 : over.x, north: isStationary ? 0 : over.y, deviation: mean.vv.squareRoot())
        // The computed variance is for an error that changes smoothly; an error that changes in jumps moves the
        // estimate less, so the variance is divided by its `jumpiness`.
        let variance = mean.pp * credit / slow.jumpiness
        var location = FusedLocation(
            instant: instant, latitude: coordinate.latitude, longitude: coordinate.longitude,
            covariance: HorizontalCovariance(eastEast: variance, eastNorth: 0, northNorth: variance),
            velocity: velocity, isStationary: isStationary, support: support)
        (location.altitude, location.verticalAccuracy) = height.answer
        location.heading = hints.heading(of: velocity, at: instant)
        return location
    }

    /// If a fix's squared distance from the estimate, divided by its variance, is at least this, the fix is an outlier.
    private static let gate = 40.0
    /// The longest averaging time at rest, in multiples of the slow error's time constant.
    ///
    /// The mean of a wandering error over this time has a sixth of the error's variance. A real receiver's error has
    /// parts that last longer than the learned time constant, so a longer mean would seem more certain than it is.
    private static let memoryAtRest = 5.0
    private static let memoryInMotion = 0.8
    /// The factor (`credit`) by which the position's variance is multiplied if the whole error is slow (lasts for
    /// minutes); if the whole error is noise, the factor is `toldOfNoise`.
    ///
    /// Both were measured on simulated journeys.
    private static let toldOfSlow = 0.85
    private static let toldOfNoise = 0.5
    /// If fixes with a Doppler velocity are less than this many seconds apart, the position's computed variance is
    /// multiplied by `credit`.
    private static let close = 5.0
    /// The standard deviation of a velocity that is computed from the positions of outliers; metres per second.
    private static let roughSpeed = 5.0
    /// The plane's origin is moved once the board is more than this many metres away from it.
    private static let reach = 10_000.0
    /// An estimate that has had no fix for this many nanoseconds, a day, is discarded.
    private static let longest: Int64 = 86_400_000_000_000
    /// After this many seconds without a fix the board may be on its way unnoticed, at a speed of `travel` metres per
    /// second, which widens the position's uncertainty.
    private static let journey = 120.0
    private static let travel = 8.0
}
