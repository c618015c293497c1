internal import Units

/// How far a receiver's error wanders within half a minute, against what its claims lead to expect.
///
/// It shows while the board rests, and while the Doppler shift tells how it moves.
struct ErrorWander: Sendable {
    /// The slow error's variance in the one expected.
    private(set) var ratio = 1.0
    /// Samples it was learned from, of half a minute each.
    private(set) var experience = 0.0
    private var seen = 0.0
    private var expected = 0.0
    /// The receiver's places less the way the board has made, four seconds apart.
    private var places = InlineArray<8, SIMD2<Double>>(repeating: .zero)
    /// How fast the board was there.
    private var speeds = InlineArray<8, SIMD2<Double>>(repeating: .zero)
    private var instants = InlineArray<8, MonotonicInstant>(repeating: .zero)
    /// Seconds that the places have spanned of late.
    private var meanSpan = ErrorWander.usualSpan
    private var count = 0
    private var next = 0
    private var way = SIMD2<Double>.zero
    /// The sum of the places since the last that was kept, and how many they are.
    private var sum = SIMD2<Double>.zero
    private var summed = 0.0
    private var velocity = SIMD2<Double>.zero
    private var isDoppler = false
    private var last: MonotonicInstant?
    private var lastPlace: MonotonicInstant?

    /// By how much the ratio is too large because the fixes came slower, and the places spanned more than half a minute.
    ///
    /// An estimate that is smooth can bear that; its accuracy is told without.
    var overreach: Double {
        max(1, ErrorWander.renewed(in: meanSpan) / ErrorWander.renewed(in: ErrorWander.usualSpan))
    }

    init() {}

    /// Begins with what was learned before; nil where it cannot have been.
    init?(ratio: Double, experience: Double) {
        guard ratio >= ErrorWander.least, ratio <= ErrorWander.most, experience >= 0,
            experience <= ErrorWander.memory
        else { return nil }
        self.ratio = ratio
        self.experience = experience
        (seen, expected) = (ratio * ErrorWander.plain, ErrorWander.plain)
    }

    /// How the board moves, by anything but the positions.
    struct Motion: Sendable {
        /// Metres per second.
        var velocity: SIMD2<Double>
        /// Whether the Doppler shift told it; else the board rests.
        var isDoppler: Bool
    }

    /// Takes a fix.
    ///
    /// - Parameter motion: How the board moves; nil where nothing tells.
    /// - Parameter noise: The variance of the fix's noise; m².
    /// - Parameter usual: The variance of the slow error by the claims; m².
    mutating func take(
        _ point: SIMD2<Double>, motion: Motion?, noise: Double, usual: Double, at instant: MonotonicInstant
    ) {
        let interval = last.map { Double(instant.nanoseconds(since: $0)) / 1e9 } ?? 0
        guard let motion, interval >= 0, interval < 6, count == 0 || motion.isDoppler == isDoppler else {
            return forgetPlaces()
        }
        last = instant
        way += (velocity + motion.velocity) * (interval / 2)
        (velocity, isDoppler) = (motion.velocity, motion.isDoppler)
        sum += point - way
        summed += 1
        guard Double(instant.nanoseconds(since: lastPlace ?? instant)) / 1e9 > 3.5 || count == 0 else { return }
        lastPlace = instant
        let place = sum / summed
        if count == places.count {
            compare(place - places[next], noise / summed + doubt(speeds[next]), usual)
            let span = Double(instant.nanoseconds(since: instants[next])) / 1e9
            meanSpan += ErrorWander.weight * (span - meanSpan)
        }
        (sum, summed) = (.zero, 0)
        places[next] = place
        speeds[next] = velocity
        instants[next] = instant
        next = (next + 1) % places.count
        count = min(count + 1, places.count)
    }

    mutating func forgetPlaces() {
        count = 0
        next = 0
        last = nil
        lastPlace = nil
        way = .zero
        velocity = .zero
        sum = .zero
        summed = 0
    }

    /// The variance, halved, of the way by the Doppler shift: its noise, its lag and its scale; m².
    private func doubt(_ first: SIMD2<Double>) -> Double {
        guard isDoppler else { return 0 }
        let change = velocity - first
        return ErrorWander.dopplerNoise + 0.02 * (change * change).sum() + 0.006 * (velocity * velocity).sum()
    }

    private mutating func compare(_ moved: SIMD2<Double>, _ noise: Double, _ usual: Double) {
        let share = 2 * ErrorWander.renewed(in: ErrorWander.usualSpan)
        let most = 9 * (2 * noise + share * usual * ratio)
        let square = min((moved * moved).sum() / 2, most)
        experience = min(experience + ErrorWander.weight, ErrorWander.memory)
        let habit = ErrorWander.weight / (experience + ErrorWander.weight)
        seen += habit * ((square - 2 * noise) / share - seen)
        expected += habit * (usual - expected)
        let prior = ErrorWander.prior
        ratio = (experience * seen + prior * expected) / max(1e-9, (experience + prior) * expected)
        // Without the Doppler shift a slow walk may pass for rest and its way for error: that must not feed itself.
        ratio = min(isDoppler ? ErrorWander.most : 4, max(ErrorWander.least, ratio))
    }

    /// How much of the slow error is renewed in so many seconds.
    private static func renewed(in span: Double) -> Double {
        1 - Logarithm.exponential(-span / SlowError.usualPersistence)
    }

    /// Seconds, at a fix a second.
    private static let usualSpan = 32.0
    private static let dopplerNoise = 1.5
    /// A comparison shares seven eighths of its time with the next.
    private static let weight = 0.125
    private static let least = 0.05
    private static let most = 8.0
    private static let prior = 1.0
    /// The slow error's variance of a plain receiver; m².
    private static let plain = 10.0
    private static let memory = 30.0
}
