internal import SextantUnits

/// Learns how large the slow part of a receiver's error is and how long it lasts, relative to what the receiver's
/// claimed accuracy implies.
///
/// The slow error can be measured while the board rests, and while the Doppler velocity tells how the board moves: the
/// receiver's positions minus the board's own displacement then change by the error alone. For an Ornstein-Uhlenbeck
/// process of the variance σ² and the time constant τ, the variance of the change within a time h is 2 σ² (1 -
/// exp(-h/τ)) on each axis. Changes within 12 s and within a minute give both σ and τ; σ is also learned from the fixes
/// before and after a pause in which the accelerometer felt no motion. The lengths of the changes are averaged as
/// logarithms and not as squares: between buildings a few errors are many times larger than the others, and the
/// accuracy radius must hold two thirds of all errors.
struct SlowErrorMeter: Sendable {
    /// The average change of the receiver's error within 12 s, relative to the slow error's expected standard
    /// deviation; `longChange` is the average change within a minute.
    private(set) var shortChange = Change(mean: renewed(in: short, usualPersistence))
    private(set) var longChange = Change(mean: renewed(in: long, usualPersistence))
    /// How many minutes of fixes `shortChange` and `longChange` were learned from.
    private(set) var experience = 0.0
    /// The slow error's learned variance divided by the variance that the receiver's claimed accuracy implies.
    private(set) var ratio = 1.0
    /// Seconds after which the slow error has faded to 1/e.
    private(set) var persistence = SlowErrorMeter.usualPersistence

    /// How strongly the error jumps from one value to another, 1 to 1.6; 1 for a normally distributed error.
    ///
    /// The mean square of the changes within 12 s is divided by the mean square of normally distributed changes that
    /// have the same mean logarithm.
    var jumpiness: Double {
        let ratio = shortChange.meanSquare / max(1e-9, shortChange.variance)
        // The `ratio` of a very small error is mere chance, so it is used only if the error's learned variance exceeds
        // a threshold.
        return experience > 1 && longChange.variance > SlowErrorMeter.told
            ? min(SlowErrorMeter.maximumJumpiness, max(1, ratio - SlowErrorMeter.evenness))
            : 1
    }

    /// The receiver's positions minus the board's displacement since the first of them, averaged over four seconds
    /// each.
    private var places = InlineArray<16, SIMD2<Double>>(repeating: .zero)
    /// The board's velocity at the time of each element of `places`.
    private var speeds = InlineArray<16, SIMD2<Double>>(repeating: .zero)
    private var instants = InlineArray<16, MonotonicInstant>(repeating: .zero)
    private var count = 0
    private var next = 0
    private var way = SIMD2<Double>.zero
    /// The sum of the positions (minus the board's displacement) that came after the last element of `places`; `summed`
    /// is their number.
    private var sum = SIMD2<Double>.zero
    private var summed = 0.0
    private var velocity = SIMD2<Double>.zero
    /// The mean variance of the velocities of the last minute; (m/s)².
    private var velocityNoise = 0.0
    private var isDoppler = true
    /// The last fix that came while the accelerometer felt no motion.
    private var restingPlace: RestingPlace?
    private var last: MonotonicInstant?
    private var lastPlace: MonotonicInstant?

    init() {}

    /// Restores what was learned before a restart; nil where the values are impossible.
    ///
    /// - Parameter shortChange: The variance, on one axis, of the error's change within 12 s, divided by twice the slow
    ///   error's expected variance.
    /// - Parameter longChange: The same ratio for the change within a minute.
    init?(shortChange: Double, longChange: Double, experience: Double) {
        let plausible = 0...SlowErrorMeter.maximumChange * SlowErrorMeter.maximumChange
        guard plausible.contains(shortChange), plausible.contains(longChange),
            (0...SlowErrorMeter.memory).contains(experience)
        else { return nil }
        self.shortChange = Change(mean: shortChange)
        self.longChange = Change(mean: longChange)
        self.experience = experience
        conclude()
    }

    /// How the board moves: with its Doppler velocity, or with velocity 0 where it rests.
    struct Motion: Sendable {
        /// The velocity east and north in metres per second.
        var velocity: SIMD2<Double>
        /// The variance of the velocity on an axis; (m/s)², 0 for a board that rests.
        var variance: Double
        /// Whether the fix has a Doppler velocity; without one, rest is known from the positions alone.
        var isDoppler: Bool
    }

    /// Learns from a fix.
    ///
    /// - Parameter motion: The board's motion; nil where it is not known.
    /// - Parameter noise: The variance of the fix's noise; m².
    /// - Parameter usual: The variance of the slow error that the receiver's claimed accuracy implies; m².
    mutating func found(
        _ point: SIMD2<Double>, motion: Motion?, noise: Double, usual: Double, at instant: MonotonicInstant
    ) {
        let interval = last.map { Double(instant.nanoseconds(since: $0)) / 1e9 } ?? 0
        guard let motion, interval >= 0, interval < 6, count == 0 || motion.isDoppler == isDoppler else {
            return breakOff()
        }
        last = instant
        way += (velocity + motion.velocity) * (interval / 2)
        if count == 0 { isDoppler = motion.isDoppler }
        velocity = motion.velocity
        velocityNoise += (motion.variance - velocityNoise) * min(1, interval / SlowErrorMeter.long)
        sum += point - way
        summed += 1
        guard Double(instant.nanoseconds(since: lastPlace ?? instant)) / 1e9 > 3.5 || count == 0 else { return }
        let place = sum / summed
        let average = noise / summed
        let sample = Double(instant.nanoseconds(since: lastPlace ?? instant)) / 1e9 / 60
        lastPlace = instant
        if count == places.count {
            compare(place, places.count, average, usual, at: instant, sample: sample)
            compare(place, SlowErrorMeter.shortSteps, average, usual, at: instant, sample: sample)
            experience = min(experience + sample, SlowErrorMeter.memory)
            conclude()
        }
        (sum, summed) = (.zero, 0)
        places[next] = place
        speeds[next] = velocity
        instants[next] = instant
        next = (next + 1) % places.count
        count = min(count + 1, places.count)
    }

    /// Learns from a fix while the accelerometer reports rest: after a pause, the fix differs from the previous one by
    /// the receiver's error alone.
    ///
    /// - Parameter since: The instant since which the board has rested.
    /// - Parameter noise: The variance of the fix's noise; m².
    /// - Parameter usual: The variance of the slow error that the receiver's claimed accuracy implies; m².
    mutating func rested(
        _ point: SIMD2<Double>, since: MonotonicInstant, noise: Double, usual: Double, at instant: MonotonicInstant
    ) {
        defer { restingPlace = RestingPlace(point: point, noise: noise, instant: instant) }
        guard let before = restingPlace, before.instant >= since else { return }
        let span = Double(instant.nanoseconds(since: before.instant)) / 1e9
        let moved = point - before.point
        // If the accelerometer missed a journey, the distance travelled must not count as an error.
        guard span >= SlowErrorMeter.pause, (moved * moved).sum() < SlowErrorMeter.journey * SlowErrorMeter.journey
        else { return }
        let renewed = SlowErrorMeter.renewed(in: span, persistence)
        let habit = renewed / (SlowErrorMeter.prior + experience + renewed)
        let square = (moved * moved).sum() / usual
        let other = (noise + before.noise) / usual
        // A fix after a pause shows how large the error is but not how long it lasts, so the changes within 12 s and
        // within a minute are scaled alike.
        let long = SlowErrorMeter.renewed(in: SlowErrorMeter.long, persistence) / renewed
        let short = SlowErrorMeter.renewed(in: SlowErrorMeter.short, persistence) / renewed
        longChange.found(min(SlowErrorMeter.maximumChange, (square * long).squareRoot()), other: other * long, habit)
        shortChange.found(min(SlowErrorMeter.maximumChange, (square * short).squareRoot()), other: other * short, habit)
        experience = min(experience + renewed, SlowErrorMeter.memory)
        conclude()
    }

    mutating func forgetPlaces() {
        breakOff()
        restingPlace = nil
    }

    /// Discards the stored places, so that changes are measured only between fixes that are still to come.
    private mutating func breakOff() {
        count = 0
        next = 0
        last = nil
        lastPlace = nil
        way = .zero
        velocity = .zero
        sum = .zero
        summed = 0
    }

    /// Learns the error's change between `place` and the place stored `steps` steps before it.
    private mutating func compare(
        _ place: SIMD2<Double>, _ steps: Int, _ noise: Double, _ usual: Double, at instant: MonotonicInstant,
        sample: Double
    ) {
        let index = (next + places.count - steps) % places.count
        let moved = place - places[index]
        let span = Double(instant.nanoseconds(since: instants[index])) / 1e9
        let isLong = steps == places.count
        let nominal = isLong ? SlowErrorMeter.long : SlowErrorMeter.short
        // When fixes come more slowly, the same number of places spans a longer time, so the change is scaled down to
        // the nominal time.
        let share = SlowErrorMeter.renewed(in: nominal, persistence) / SlowErrorMeter.renewed(in: span, persistence)
        let other = 2 * noise + doubt(speeds[index], span)
        let most = isDoppler ? SlowErrorMeter.maximumChange : SlowErrorMeter.maximumAtRest
        let length = min(most, ((moved * moved).sum() * share / usual).squareRoot())
        let habit = sample / (SlowErrorMeter.prior + experience + sample)
        if isLong {
            longChange.found(length, other: other * share / usual, habit)
        } else {
            shortChange.found(length, other: other * share / usual, habit)
        }
    }

    /// The variance of the board's computed displacement, due to noise, lag and scale error of the Doppler velocity;
    /// m².
    private func doubt(_ first: SIMD2<Double>, _ span: Double) -> Double {
        guard isDoppler else { return 0 }
        let change = velocity - first
        return velocityNoise * span + 0.02 * (change * change).sum() + 0.006 * (velocity * velocity).sum()
    }

    /// Derives the error's size and time constant from its changes within 12 s and within a minute; both stay close to
    /// the usual values until much was learned.
    private mutating func conclude() {
        let long = longChange.variance
        let usual = isDoppler ? SlowErrorMeter.usualPersistence : SlowErrorMeter.persistenceAtRest
        let time = Logarithm.natural(
            SlowErrorMeter.persistence(shortChange.meanSquare / max(1e-9, longChange.meanSquare))
                / usual)
        persistence =
            usual * Logarithm.exponential(believed(time, SlowErrorMeter.timeScatter))
        let share = SlowErrorMeter.renewed(in: SlowErrorMeter.long, persistence)
        let size = Logarithm.natural(max(SlowErrorMeter.least, long / share))
        ratio = min(
            SlowErrorMeter.most,
            max(SlowErrorMeter.least, Logarithm.exponential(believed(size, SlowErrorMeter.sizeScatter))))
    }

    /// Moves a measured logarithm nearer to 0; the shorter the measurement, the nearer, because the result of a short
    /// measurement can be chance.
    ///
    /// A minute of a wandering error is hardly more than one independent sample; an accuracy radius from a few samples
    /// would hold too few errors at one time and too many at another.
    ///
    /// - Parameter scatter: The variance that chance gives the logarithm when it is measured for one minute.
    private func believed(_ logarithm: Double, _ scatter: Double) -> Double {
        let chance = scatter / max(0.1, experience)
        let square = logarithm * logarithm
        return logarithm * square / max(1e-9, square + chance)
    }

    /// The time constant of a process whose change within 12 s has `proportion` times the variance of its change within
    /// a minute, found by bisection.
    private static func persistence(_ proportion: Double) -> Double {
        var (low, high) = (shortest, longest)
        for _ in 0..<8 {
            let middle = (low * high).squareRoot()
            if renewed(in: short, middle) / renewed(in: long, middle) > proportion {
                low = middle
            } else {
                high = middle
            }
        }
        return (low * high).squareRoot()
    }

    /// The share of an error that has been replaced by a new one after `span` seconds: 0 at once, 1 in the end.
    private static func renewed(in span: Double, _ persistence: Double) -> Double {
        1 - Logarithm.exponential(-span / persistence)
    }

    private struct RestingPlace {
        var point: SIMD2<Double>
        var noise: Double
        var instant: MonotonicInstant
    }

    /// If two fixes are at least this many seconds apart, a pause lies between them.
    private static let pause = 30.0
    /// If two fixes are at least this many metres apart, the board is taken to have moved.
    private static let journey = 200.0
    /// The time in seconds over which the short changes of the error are measured, where a fix comes every second.
    private static let short = 12.0
    private static let long = 64.0
    private static let shortSteps = 3
    /// The usual time constant of a receiver's slow error, in seconds; `shortest` is the smallest and `longest` the
    /// largest time constant that can be learned.
    private static let usualPersistence = 60.0
    /// The usual time constant for a receiver that stands still and gives no velocity, as measured; seconds.
    private static let persistenceAtRest = 180.0
    private static let shortest = 25.0
    private static let longest = 200.0
    private static let least = 0.005
    private static let told = 0.3
    private static let maximumJumpiness = 1.6
    private static let evenness = 0.2
    private static let most = 3000.0
    private static let maximumChange = 200.0
    /// The largest change that is learned without Doppler velocity, where a slow walk can look like an error at rest;
    /// relative to the slow error's expected standard deviation.
    private static let maximumAtRest = 4.0
    /// The weight of the usual values when they are averaged with measured ones, in minutes of measurement.
    private static let prior = 1.0
    /// The variance that chance alone gives the logarithm of the error's size in one minute of measurement;
    /// `timeScatter` is the variance that chance gives the logarithm of the time constant.
    private static let sizeScatter = 2.5
    private static let timeScatter = 6.0
    /// The largest weight of the measurements, in minutes, however long they have lasted.
    private static let memory = 30.0
}

extension SlowErrorMeter {
    /// How much a receiver's positions change on average within a given time, and how much of that change is not due to
    /// the slow error (the error that drifts over minutes).
    struct Change: Sendable {
        /// The mean natural logarithm of the changes' lengths, each divided by the slow error's expected deviation.
        private var logarithm: Double
        /// The mean square of the changes' lengths, each divided by the slow error's expected deviation.
        private var square: Double
        private var other = 0.0

        /// - Parameter mean: What `variance` returns until the first change is measured.
        init(mean: Double) {
            logarithm = Logarithm.natural(max(1e-9, 2 * mean)) / 2 + Change.meanLogarithm
            square = 4 * mean
        }

        /// Half the variance of the change on one axis, without noise, computed from the mean square.
        var meanSquare: Double { max(0, square / 2 - other) / 2 }

        /// Half the variance of the change on one axis, without noise, computed from the mean logarithm so that a few
        /// large changes do not dominate.
        var variance: Double {
            max(0, (Logarithm.exponential(2 * (logarithm - Change.meanLogarithm)) - other) / 2)
        }

        /// `variance` rounded to the precision in which it is stored, so that storing it again gives the same value.
        var kept: Double { Double(Float(max(1e-6, variance))) }

        mutating func found(_ length: Double, other: Double, _ habit: Double) {
            logarithm += habit * (Logarithm.natural(max(1e-3, length)) - logarithm)
            square += habit * (length * length - square)
            self.other += habit * (other - self.other)
        }

        /// The mean logarithm of a length whose two components are normal with standard deviation 1 (a Rayleigh
        /// distribution): (ln 2 - γ) / 2, with Euler's constant γ.
        private static let meanLogarithm = 0.057_965_757_8
    }
}
