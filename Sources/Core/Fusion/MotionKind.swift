internal import SextantUnits

/// A kind of motion that the estimator tells apart.
enum MotionKind: Int, Sendable {
    case rest
    /// The board moves at a walking pace, in changing directions.
    case stroll
    /// The board moves evenly.
    case cruise
    /// The board brakes, turns or speeds up.
    case manoeuvre

    /// All kinds of motion, in an inline array so that the filter allocates no memory.
    static let all: InlineArray<4, MotionKind> = [.rest, .stroll, .cruise, .manoeuvre]

    var isRest: Bool { self == .rest }

    /// How fast the velocity becomes uncertain: the growth of its variance; (m/s)² per second.
    var agitation: Double {
        switch self {
        case .rest: 0
        case .stroll: 0.05
        case .cruise: 0.15
        case .manoeuvre: 6
        }
    }

    /// Seconds after which the predicted velocity has faded to 1/e of the estimated one.
    var persistence: Double {
        switch self {
        case .rest: 1
        case .stroll: 60
        case .cruise: 400
        case .manoeuvre: 150
        }
    }

    /// How likely the velocity is if the board strolls, relative to velocity 0; always 1 for the other kinds of motion,
    /// and nearer to 1 the shorter the `interval`, because a short time gives little evidence.
    func likelihood(of velocity: SIMD2<Double>, during interval: Double) -> Double {
        guard self == .stroll else { return 1 }
        let usual = agitation * persistence / 2
        let turns = min(1, interval / persistence)
        return Logarithm.exponential(-min(50, (velocity * velocity).sum() / (2 * usual) * turns))
    }

    /// How fast the position's variance grows, in addition to the growth that the velocity causes; m² per second.
    var drift: Double { isRest ? 0.0005 : 0.003 }

    /// The variance that the velocity gains when a board at rest starts this kind of motion; (m/s)².
    var departure: Double { self == .stroll ? 0.5 : 2 }
}

/// For each pair of kinds of motion, the probability that a board with one kind has the other after an interval.
struct MotionChanges: Sendable {
    private let leaving: Double
    private let stopping: Double
    private let swapping: Double
    private let hurrying: Double
    private let settling: Double

    /// - Parameter interval: The seconds from one estimate to the next.
    /// - Parameter lasting: The mean seconds for which a board at rest goes on resting and a moving board goes on
    ///   moving.
    init(interval: Double, lasting: MotionBank.Durations) {
        leaving = 1 - Logarithm.exponential(-interval / lasting.rest)
        stopping = 1 - Logarithm.exponential(-interval / lasting.motion)
        swapping = 1 - Logarithm.exponential(-interval / MotionChanges.evenness)
        settling = 1 - Logarithm.exponential(-interval / min(lasting.motion, MotionChanges.standing))
        hurrying = 1 - Logarithm.exponential(-interval / MotionChanges.stroll)
    }

    func likelihood(of next: MotionKind, after kind: MotionKind) -> Double {
        switch (kind, next) {
        case (.rest, .rest): 1 - leaving
        case (.rest, .stroll): leaving * MotionChanges.strolling
        case (.rest, .cruise), (.rest, .manoeuvre): leaving * (1 - MotionChanges.strolling) / 2
        case (.cruise, .rest): stopping / 2
        case (.manoeuvre, .rest): stopping
        case (.stroll, .rest): settling
        case (.stroll, .stroll): (1 - settling) * (1 - hurrying)
        case (.stroll, .cruise), (.stroll, .manoeuvre): (1 - settling) * hurrying / 2
        case (.cruise, .cruise): (1 - stopping / 2) * (1 - swapping)
        case (.cruise, .stroll): (1 - stopping / 2) * swapping * MotionChanges.slowing
        case (.cruise, .manoeuvre): (1 - stopping / 2) * swapping * (1 - MotionChanges.slowing)
        case (.manoeuvre, .manoeuvre): (1 - stopping) * (1 - swapping)
        case (.manoeuvre, .stroll): (1 - stopping) * swapping * MotionChanges.slowing
        case (.manoeuvre, .cruise): (1 - stopping) * swapping * (1 - MotionChanges.slowing)
        }
    }

    /// The mean seconds until an even motion or a manoeuvre becomes another kind of motion; changes to rest are not
    /// counted.
    private static let evenness = 8.0
    /// Seconds that a stroll lasts on average until it becomes a faster motion.
    private static let stroll = 60.0
    /// Seconds that a stroll lasts on average until the board stops.
    private static let standing = 20.0
    /// The share of starts from rest that begin a stroll.
    private static let strolling = 0.05
    /// The share of stroll among the kinds of motion that follow an even motion or a manoeuvre; rest is not counted.
    private static let slowing = 0.2
}
