internal import Units

/// The estimate as it goes along: where it is anchored, when it holds, and how long the board has rested.
struct Track: Sendable {
    private(set) var plane: TangentPlane
    private(set) var instant: MonotonicInstant
    private var bank: MotionBank
    /// The slow error of the receiver that it follows.
    private var slow: SlowError
    /// The part of noise in the last fix's error, where the Doppler shift tells the way between fixes in close order;
    /// else nil.
    private var evenness: Double?
    private var restingSince: MonotonicInstant?
    private var isStationary = false
    private var drift = DriftDetector()
    private var height = HeightEstimate()
    /// How many fixes it rests on.
    private(set) var support = 1

    init(_ fix: FilterFix, _ place: TangentPlane.Place, _ error: ReadError, at instant: MonotonicInstant) {
        plane = TangentPlane(origin: place)
        self.instant = instant
        slow = error.slow
        bank = MotionBank(position: .zero, error: error.position)
        if let doppler = fix.doppler {
            bank.measure(velocity: doppler.velocity, noise: doppler.deviation * doppler.deviation)
        }
        height.take(fix)
    }

    /// Takes a velocity that the fixes themselves show; metres per second, Earth-fixed.
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

    /// Carries it on.
    ///
    /// - Returns: False where so much time has passed that nothing is left of it.
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

    /// Seconds since the board has come to rest.
    private var rested: Double { restingSince.map { Double(instant.nanoseconds(since: $0)) / 1e9 } ?? 0 }

    private func durations(_ hints: SensorHints) -> MotionBank.Durations {
        let restLeft = min(900, max(60, rested))
        switch hints.isMoved {
        case true?: return MotionBank.Durations(rest: min(20, restLeft), motion: 60)
        case false?: return MotionBank.Durations(rest: 900, motion: 5)
        case nil: return MotionBank.Durations(rest: restLeft, motion: 120)
        }
    }

    /// Keeps the origin within 10 km of what is going on.
    ///
    /// - Returns: Whether it moved.
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

    /// Takes a fix at its point of the plane.
    ///
    /// - Returns: False where it is too far off to be true.
    mutating func take(
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
        bank.measure(position: fresh, error: position, least: leastGains(error))
        if let doppler = fix.doppler {
            let velocity = plane.turned(doppler.velocity, at: place)
            let noise = doppler.deviation * doppler.deviation + error.lag * error.lag
            bank.loosen(by: velocity, noise: noise)
            bank.measure(velocity: velocity, noise: noise)
            drift.take(velocity, noise: noise, pace: error.pace)
            bank.doubtRest(drift.evidence)
        }
        let isTold = fix.doppler != nil && error.pace < Track.close
        evenness = isTold ? error.position.noise / error.position.variance : nil
        height.take(fix)
        judgeRest()
        support = min(support + 1, 1_000)
        return true
    }

    /// The least part of a fix's distance that moves the estimate, at rest and in motion, so that no mean is longer than
    /// its error is understood.
    private func leastGains(_ error: ReadError) -> (rest: Double, motion: Double) {
        guard error.isLone else { return (0, 0) }
        let turns = error.pace / slow.persistence
        return (
            1 - Logarithm.exponential(-turns / Track.memoryAtRest),
            1 - Logarithm.exponential(-turns / Track.memoryInMotion)
        )
    }

    /// Resting begins and ends with room between.
    private mutating func judgeRest() {
        let likelihood = bank.restWeight
        if likelihood > 0.5 { restingSince = restingSince ?? instant } else { restingSince = nil }
        if likelihood > 0.85 { isStationary = true } else if likelihood < 0.4 { isStationary = false }
    }

    /// How the board moves by anything but the positions, in the plane; nil where nothing tells.
    func motion(_ fix: FilterFix, _ place: TangentPlane.Place) -> SlowErrorMeter.Motion? {
        let doppler = fix.doppler
        if isStationary { return SlowErrorMeter.Motion(velocity: .zero, variance: 0, isDoppler: doppler != nil) }
        return doppler.map {
            SlowErrorMeter.Motion(
                velocity: plane.turned($0.velocity, at: place), variance: $0.deviation * $0.deviation, isDoppler: true)
        }
    }

    /// The part of the position's variance that is there in truth.
    ///
    /// The kinds of motion allow for manoeuvres that a board hardly makes, and for a Doppler shift that is worse than it
    /// says; noise averages out better than that most of all. Where fixes are far apart nothing is taken off.
    private var credit: Double {
        guard let evenness else { return 1 }
        return Track.toldOfSlow + (Track.toldOfNoise - Track.toldOfSlow) * evenness
    }

    func location(_ standing: FusedLocation.Standing, _ hints: SensorHints) -> FusedLocation {
        let mean = bank.mean
        let coordinate = plane.coordinate(of: mean.position)
        let place = TangentPlane.Place(latitude: coordinate.latitude, longitude: coordinate.longitude)
        let over = plane.returned(mean.velocity, at: place)
        let velocity = LocalVelocity(
            east: isStationary ? 0 : over.x, north: isStationary ? 0 : over.y, deviation: mean.vv.squareRoot())
        // A jump of the error moves the estimate less than the covariance of a normal error allows for.
        let variance = mean.pp * credit / slow.jumpiness
        var location = FusedLocation(
            instant: instant, latitude: coordinate.latitude, longitude: coordinate.longitude,
            covariance: HorizontalCovariance(eastEast: variance, eastNorth: 0, northNorth: variance),
            velocity: velocity, isStationary: isStationary, standing: standing)
        (location.altitude, location.verticalAccuracy) = height.answer
        location.heading = hints.heading(of: velocity, at: instant)
        return location
    }

    /// The squared distance, in variances, from which on a fix is not believed at once.
    private static let gate = 40.0
    /// Times of the slow error's persistence over which the estimate averages at most.
    ///
    /// The mean of a wandering error over so long has a sixth of its variance. A real receiver's error has parts that
    /// last longer than what is learned of it: a longer mean would be told surer than it is.
    private static let memoryAtRest = 5.0
    private static let memoryInMotion = 0.8
    /// The part of the variance that is true where all the error is slow, and where all is noise, as measured on simulated
    /// ways.
    private static let toldOfSlow = 0.85
    private static let toldOfNoise = 0.5
    /// Seconds between fixes in close order.
    private static let close = 5.0
    /// Metres per second: how well the places of outliers tell a velocity.
    private static let roughSpeed = 5.0
    /// Metres.
    private static let reach = 10_000.0
    /// Nanoseconds: after a day without a fix nothing is known.
    private static let longest: Int64 = 86_400_000_000_000
    /// Seconds after which a board may have gone anywhere, and how fast; metres per second.
    private static let journey = 120.0
    private static let travel = 8.0
}
