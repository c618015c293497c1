import Fusion
import SextantUnits

/// Random numbers, the same ones every time.
struct Chance {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1) }

    /// From 0 up to 1.
    mutating func uniform() -> Double { random.nextUnit() }

    /// A normal number on either axis.
    mutating func normal() -> SIMD2<Double> {
        let radius = (-2 * Logarithm.natural(max(1e-300, uniform()))).squareRoot()
        let (sine, cosine) = Trigonometry.sineAndCosine(2 * .pi * uniform())
        return SIMD2(radius * cosine, radius * sine)
    }
}

/// Where the board truly is, each second: metres east and north.
struct Truth {
    var place: SIMD2<Double>
    var velocity: SIMD2<Double>

    var isStill: Bool { velocity == .zero }

    /// Stands still.
    static func stop(seconds: Int, at place: SIMD2<Double> = .zero) -> [Truth] {
        [Truth](repeating: Truth(place: place, velocity: .zero), count: seconds)
    }

    /// A car in town: it speeds up, goes, turns, brakes and waits, half of the time.
    static func drive(seconds: Int, chance: inout Chance) -> [Truth] {
        var truth: [Truth] = []
        var (place, heading, speed) = (SIMD2<Double>.zero, chance.uniform() * 6, 0.0)
        while truth.count < seconds {
            truth += stop(seconds: 10 + Int(50 * chance.uniform()), at: place)
            let top = 8 + 6 * chance.uniform()
            let cruise = 10 + Int(15 * chance.uniform())
            let turn = (chance.uniform() - 0.5) * 0.3
            for second in 0..<(cruise + 20) {
                speed = second < cruise ? min(top, speed + 1.8) : max(0, speed - 2.2)
                if second > cruise / 2 && second < cruise / 2 + 6 { heading += turn }
                let (sine, cosine) = Trigonometry.sineAndCosine(heading)
                let velocity = speed * SIMD2(sine, cosine)
                place += velocity
                truth.append(Truth(place: place, velocity: velocity))
                if speed == 0 { break }
            }
        }
        return Array(truth.prefix(seconds))
    }

    /// Walks straight on.
    static func walk(seconds: Int, velocity: SIMD2<Double>) -> [Truth] {
        (0..<seconds).map { Truth(place: Double($0) * velocity, velocity: velocity) }
    }
}

/// How a receiver errs: noise, and an Ornstein-Uhlenbeck process that wanders.
struct ReceiverErrors {
    /// Metres, one standard deviation on an axis.
    var white = 0.0
    var slow = 0.0
    /// Seconds.
    var persistence = 120.0
    private var wander = SIMD2<Double>.zero
    private var isStarted = false

    init(white: Double, slow: Double = 0) { (self.white, self.slow) = (white, slow) }

    /// Metres, 68 %, as an honest receiver would say.
    var claim: Double { 1.51 * (white * white + slow * slow).squareRoot() }

    mutating func next(after seconds: Double, _ chance: inout Chance) -> SIMD2<Double> {
        let left = isStarted ? Logarithm.exponential(-seconds / persistence) : 0
        wander = left * wander + (1 - left * left).squareRoot() * slow * chance.normal()
        isStarted = true
        return wander + white * chance.normal()
    }
}

/// A filter that is fed in metres about a place, and what came of it.
struct Run {
    var filter = LocationFilter()
    let frame: LocalFrame
    private(set) var answers: [(location: FusedLocation, place: SIMD2<Double>)] = []

    init(latitude: Double = 48.137, longitude: Double = 11.575) {
        frame = LocalFrame(latitude: latitude, longitude: longitude)
    }

    func place(_ location: FusedLocation) -> SIMD2<Double> {
        let point = frame.point(latitude: location.latitude, longitude: location.longitude)
        return SIMD2(point.east, point.north)
    }

    func fix(
        _ place: SIMD2<Double>, accuracy: Double?, velocity: SIMD2<Double>? = nil, receiver: UInt8 = 0
    ) -> FilterFix {
        let coordinate = frame.coordinate(of: LocalPoint(east: place.x, north: place.y))
        let over = velocity.map { LocalVelocity(east: $0.x, north: $0.y, deviation: 0) }
        return FilterFix(
            receiver: receiver, latitude: coordinate.latitude, longitude: coordinate.longitude,
            horizontalAccuracy: accuracy, speed: over?.speed, course: over?.courseOverGround)
    }

    /// Takes a fix so many seconds after the beginning.
    @discardableResult
    mutating func take(
        _ place: SIMD2<Double>, at seconds: Double, accuracy: Double? = 10, velocity: SIMD2<Double>? = nil,
        receiver: UInt8 = 0
    ) -> FusedLocation? {
        let answer = filter.update(
            fix(place, accuracy: accuracy, velocity: velocity, receiver: receiver), at: instant(seconds))
        if let answer { answers.append((answer, self.place(answer))) }
        return answer
    }

    /// The same for a fix that must give a location.
    mutating func taken(
        _ place: SIMD2<Double>, at seconds: Double, accuracy: Double? = 10, velocity: SIMD2<Double>? = nil,
        receiver: UInt8 = 0
    ) throws -> FusedLocation {
        struct Refused: Error {}
        guard
            let answer = take(place, at: seconds, accuracy: accuracy, velocity: velocity, receiver: receiver)
        else { throw Refused() }
        return answer
    }

    func instant(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }
}

/// The errors of a run against the truth, and those of its receiver.
struct Score {
    var raw: [Double] = []
    var fused: [Double] = []
    var rawAtRest: [Double] = []
    var fusedAtRest: [Double] = []
    private(set) var covered = 0
    var coverage: Double { Double(covered) / Double(max(1, fused.count)) }

    init() {}

    /// Drives through the truth with one fix each so many seconds.
    init(
        _ truth: [Truth], errors: ReceiverErrors, every interval: Int = 1, claim: Double? = nil, speed noise: Double?,
        skipping start: Int = 30, chance: inout Chance
    ) {
        var (run, errors) = (Run(), errors)
        for second in stride(from: 0, to: truth.count, by: interval) {
            let now = truth[second]
            let place = now.place + errors.next(after: Double(interval), &chance)
            let velocity = noise.map { now.velocity + $0 * chance.normal() }
            guard
                let answer = run.take(place, at: Double(second), accuracy: claim ?? errors.claim, velocity: velocity),
                second >= start
            else { continue }
            let error = length(run.place(answer) - now.place)
            raw.append(length(place - now.place))
            fused.append(error)
            if error <= answer.horizontalAccuracy { covered += 1 }
            guard now.isStill else { continue }
            rawAtRest.append(length(place - now.place))
            fusedAtRest.append(error)
        }
    }

    mutating func add(_ other: Score) {
        raw += other.raw
        fused += other.fused
        rawAtRest += other.rawAtRest
        fusedAtRest += other.fusedAtRest
        covered += other.covered
    }
}

func length(_ vector: SIMD2<Double>) -> Double { (vector * vector).sum().squareRoot() }

/// The value below which a part of the values lies.
func quantile(_ values: [Double], _ part: Double) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
}
