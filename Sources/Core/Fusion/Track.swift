internal import Units

/// The estimate as it goes along: where it is anchored, when it holds, and how long the board has rested.
struct Track: Sendable {
    private(set) var plane: TangentPlane
    private(set) var instant: MonotonicInstant
    private var origin: (latitude: Double, longitude: Double)
    private var bank: MotionBank
    private var slow: SlowError
    private var restingSince: MonotonicInstant?
    private var isStationary = false
    private var height = HeightEstimate()

    init(_ fix: FilterFix, _ place: TangentPlane.Place, noise: Double, bias: SlowError, at instant: MonotonicInstant) {
        plane = TangentPlane(origin: place)
        origin = (fix.latitude, fix.longitude)
        self.instant = instant
        slow = bias
        bank = MotionBank(position: .zero, noise: noise, bias: bias.variance)
        if let doppler = fix.doppler {
            bank.measure(velocity: doppler.velocity, noise: doppler.deviation * doppler.deviation)
        }
        height.take(fix)
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
        bank.predict(interval: interval, changes: changes(hints), bias: slow)
        if interval > Track.journey {
            let reach = Track.travel * (interval - Track.journey)
            bank.addTravel(variance: reach * reach)
        }
        height.advance(interval, isStationary: isStationary)
        instant = later
        return true
    }

    private func changes(_ hints: SensorHints) -> MotionBank.Changes {
        let rested = restingSince.map { Double(instant.nanoseconds(since: $0)) / 1e9 } ?? 0
        let restLeft = min(900, max(20, rested))
        switch hints.isMoved {
        case true?: return MotionBank.Changes(restLeft: min(20, restLeft), motionLeft: 60)
        case false?: return MotionBank.Changes(restLeft: 900, motionLeft: 5)
        case nil: return MotionBank.Changes(restLeft: restLeft, motionLeft: 30)
        }
    }

    /// Keeps the origin within 2 km of what is going on.
    mutating func moveOrigin(near place: TangentPlane.Place) {
        let now = bank.mean.position
        guard (now * now).sum() > Track.reach * Track.reach else { return }
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
        origin = coordinate
    }

    /// Takes a fix at its point of the plane.
    ///
    /// - Parameter isSecondOpinion: Whether the fix before was refused.
    /// - Returns: False where it is too far off to be true.
    mutating func take(
        _ fix: FilterFix, _ point: SIMD2<Double>, _ place: TangentPlane.Place, _ error: ReadError,
        isSecondOpinion: Bool
    ) -> Bool {
        let mean = bank.mean
        let fresh = point + mean.velocity * error.lag
        let noise = error.noise + error.lag * error.lag * (1 + mean.vv)
        if error.isLone {
            bank.addBias(variance: max(0, error.slow.variance - slow.variance))
            slow = error.slow
        }
        guard bank.surprise(position: fresh, noise: noise) < Track.gate else { return false }
        bank.measure(position: fresh, noise: noise)
        if let doppler = fix.doppler {
            bank.measure(
                velocity: plane.turned(doppler.velocity, at: place),
                noise: doppler.deviation * doppler.deviation + error.lag * error.lag)
        }
        height.take(fix)
        judgeRest()
        return true
    }

    /// Resting begins and ends with room between.
    private mutating func judgeRest() {
        let likelihood = bank.restLikelihood
        if likelihood > 0.5 { restingSince = restingSince ?? instant } else { restingSince = nil }
        if likelihood > 0.85 { isStationary = true } else if likelihood < 0.4 { isStationary = false }
    }

    func location(_ standing: FusedLocation.Standing, _ hints: SensorHints) -> FusedLocation {
        let mean = bank.mean
        let coordinate = plane.coordinate(of: mean.position)
        let place = TangentPlane.Place(latitude: coordinate.latitude, longitude: coordinate.longitude)
        let over = plane.returned(mean.velocity, at: place)
        let velocity = LocalVelocity(
            east: isStationary ? 0 : over.x, north: isStationary ? 0 : over.y, deviation: mean.vv.squareRoot())
        var location = FusedLocation(
            instant: instant, latitude: coordinate.latitude, longitude: coordinate.longitude,
            covariance: HorizontalCovariance(eastEast: mean.pp, eastNorth: 0, northNorth: mean.pp),
            velocity: velocity, isStationary: isStationary, standing: standing)
        (location.altitude, location.verticalAccuracy) = height.answer
        location.heading = hints.heading(of: velocity, at: instant)
        return location
    }

    /// The squared distance, in variances, from which on a fix is not believed at once.
    private static let gate = 40.0
    /// Metres.
    private static let reach = 2_000.0
    /// Nanoseconds: after a day without a fix nothing is known.
    private static let longest: Int64 = 86_400_000_000_000
    /// Seconds after which a board may have gone anywhere, and how fast; metres per second.
    private static let journey = 120.0
    private static let travel = 8.0
}
