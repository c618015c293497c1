internal import Units

/// The estimate as it goes along: where it is anchored, when it holds, and how long the board has rested.
struct Track: Sendable {
    private(set) var plane: TangentPlane
    private(set) var instant: MonotonicInstant
    private var bank: MotionBank
    private var slow: SlowError
    /// The slow error's variance by the fixes of the last seconds; m².
    private var recent: Double
    /// The variance of the last fix's noise; m².
    private var noise: Double
    /// Seconds from the last fix but one to the last, and since then.
    private var pace = 0.0
    private var idle = 0.0
    private var restingSince: MonotonicInstant?
    private var isStationary = false
    /// Whether the last fix gave a velocity.
    private var hearsDoppler = false
    private var creep = Creep()
    private var height = HeightEstimate()
    /// How many fixes it rests on.
    private(set) var support = 1

    init(_ fix: FilterFix, _ place: TangentPlane.Place, noise: Double, bias: SlowError, at instant: MonotonicInstant) {
        plane = TangentPlane(origin: place)
        self.instant = instant
        slow = bias
        recent = bias.variance
        self.noise = noise
        bank = MotionBank(position: .zero, noise: noise, slow: bias)
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

    /// Whether every number of it is one.
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
        bank.predict(interval: interval, lasting: durations(hints), slow: slow, hearsDoppler: hearsDoppler)
        if interval > Track.journey {
            let reach = Track.travel * (interval - Track.journey)
            bank.addTravel(variance: reach * reach)
        }
        height.advance(interval, isStationary: isStationary)
        idle += interval
        instant = later
        return true
    }

    /// Seconds since the board has come to rest.
    private var rested: Double { restingSince.map { Double(instant.nanoseconds(since: $0)) / 1e9 } ?? 0 }

    private func durations(_ hints: SensorHints) -> MotionBank.Durations {
        let restLeft = min(900, max(20, rested))
        switch hints.isMoved {
        case true?: return MotionBank.Durations(rest: min(20, restLeft), motion: 60)
        case false?: return MotionBank.Durations(rest: 900, motion: 5)
        case nil: return MotionBank.Durations(rest: restLeft, motion: 30)
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
            moved.bias = old.returned(mode.bias, at: next.origin)
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
        let noise = error.noise + error.lag * error.lag * (1 + mean.vv)
        if error.isLone {
            follow(error.slow)
        }
        guard bank.surprise(position: fresh, noise: noise) < Track.gate else { return false }
        bank.measure(position: fresh, noise: noise)
        if let doppler = fix.doppler {
            let velocity = plane.turned(doppler.velocity, at: place)
            let noise = doppler.deviation * doppler.deviation + error.lag * error.lag
            bank.loosen(by: velocity)
            bank.measure(velocity: velocity, noise: noise)
            creep.take(velocity, noise: noise, pace: error.pace)
            bank.doubtRest(creep.evidence)
        }
        hearsDoppler = fix.doppler != nil
        (pace, idle) = (idle, 0)
        self.noise = error.noise
        height.take(fix)
        judgeRest()
        support = min(support + 1, 1_000)
        return true
    }

    /// The slow error changes slowly; but a receiver that gets much worse, or much better, is so at once, and so is one
    /// that has just found its position and gets better with each fix.
    private mutating func follow(_ next: SlowError) {
        recent *= Logarithm.exponential(Track.freshness * Logarithm.natural(next.variance / recent))
        if next.variance > 3 * slow.variance {
            bank.addBias(variance: next.variance - slow.variance)
            slow = next
        } else {
            let old = slow.variance
            let isBetter = next.variance * (support < Track.finding ? 1 : Track.muchBetter) < old
            let part = isBetter ? 1 : Track.habit
            slow.variance += part * (next.variance - old)
            bank.scaleBias((slow.variance / old).squareRoot())
            if isBetter { bank.scaleUnseen(slow.variance / old) }
            slow.claimed += part * (next.claimed - slow.claimed)
            slow.expected += part * (next.expected - slow.expected)
            slow.persistence = next.persistence
            (slow.haste, slow.overreach) = (next.haste, next.overreach)
        }
    }

    /// Resting begins and ends with room between.
    private mutating func judgeRest() {
        let likelihood = bank.restWeight
        if likelihood > 0.5 { restingSince = restingSince ?? instant } else { restingSince = nil }
        if likelihood > 0.85 { isStationary = true } else if likelihood < 0.4 { isStationary = false }
    }

    /// How the board moves by anything but the positions, in the plane; nil where nothing tells.
    func motion(_ fix: FilterFix, _ place: TangentPlane.Place) -> ErrorWander.Motion? {
        if let doppler = fix.doppler {
            return ErrorWander.Motion(velocity: plane.turned(doppler.velocity, at: place), isDoppler: true)
        }
        return isStationary ? ErrorWander.Motion(velocity: .zero, isDoppler: false) : nil
    }

    private var candour: Candour {
        Candour(
            slow: slow, recent: recent, noise: noise, hearsDoppler: hearsDoppler, pace: max(pace, idle),
            restWeight: bank.restWeight, rested: rested)
    }

    func location(_ standing: FusedLocation.Standing, _ hints: SensorHints) -> FusedLocation {
        let mean = bank.mean
        let coordinate = plane.coordinate(of: mean.position)
        let place = TangentPlane.Place(latitude: coordinate.latitude, longitude: coordinate.longitude)
        let over = plane.returned(mean.velocity, at: place)
        let velocity = LocalVelocity(
            east: isStationary ? 0 : over.x, north: isStationary ? 0 : over.y, deviation: mean.vv.squareRoot())
        let variance = candour.variance(position: mean.pp, unseen: mean.unseen)
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
    /// The part of a change of claims that a fix brings in.
    private static let habit = 0.05
    /// How much less the slow error's variance is of a receiver that got much better.
    private static let muchBetter = 9.0
    /// Fixes within which a receiver gets better that has just found its position.
    private static let finding = 20
    /// The part of a change of the logarithm of claims that is of the last seconds.
    private static let freshness = 0.2
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
