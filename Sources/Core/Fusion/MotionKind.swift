internal import Units

/// What the board may do, as far as an estimate tells it apart.
enum MotionKind: Int, Sendable {
    case rest
    /// It goes evenly.
    case cruise
    /// It brakes, turns or speeds up.
    case manoeuvre

    /// All of them, without an array: the filter allocates nothing.
    static let all: InlineArray<3, MotionKind> = [.rest, .cruise, .manoeuvre]

    var isRest: Bool { self == .rest }

    /// How fast the variance of the velocity grows; (m/s)² per second.
    var agitation: Double {
        switch self {
        case .rest: 0
        case .cruise: 0.3
        case .manoeuvre: 6
        }
    }

    /// Seconds in which a velocity fades to 1/e.
    var persistence: Double {
        switch self {
        case .rest: 1
        case .cruise: 400
        case .manoeuvre: 150
        }
    }

    /// How fast the variance of the position grows besides; m² per second.
    var drift: Double { isRest ? 0.003 : 0.01 }

    /// The variance of the velocity with which a board sets out; (m/s)².
    static let departure = 2.0
}

/// How likely one kind of motion follows another within an interval.
struct MotionChanges: Sendable {
    private let leaving: Double
    private let stopping: Double
    private let swapping: Double

    /// - Parameter interval: Seconds.
    init(interval: Double, lasting: MotionBank.Durations) {
        leaving = 1 - Logarithm.exponential(-interval / lasting.rest)
        stopping = 1 - Logarithm.exponential(-interval / lasting.motion)
        swapping = 1 - Logarithm.exponential(-interval / MotionChanges.evenness)
    }

    func likelihood(of next: MotionKind, after kind: MotionKind) -> Double {
        switch (kind, next) {
        case (.rest, .rest): 1 - leaving
        case (.rest, .cruise), (.rest, .manoeuvre): leaving / 2
        case (.cruise, .rest): stopping / 2
        case (.manoeuvre, .rest): stopping
        case (.cruise, .cruise): (1 - stopping / 2) * (1 - swapping)
        case (.cruise, .manoeuvre): (1 - stopping / 2) * swapping
        case (.manoeuvre, .manoeuvre): (1 - stopping) * (1 - swapping)
        case (.manoeuvre, .cruise): (1 - stopping) * swapping
        }
    }

    /// Seconds that a smooth or a lively motion lasts on average.
    private static let evenness = 8.0
}
