internal import Receivers
internal import SextantUnits

/// How long the receiver takes to its first fix, by the kind of its sleep and the age of its ephemeris at the start.
struct StartModel: Sendable, Equatable {
    /// The lower limits in seconds of the age classes of an ephemeris, from the second class on.
    private static let ageBounds: InlineArray<5, Double> = [1800, 3600, 7200, 10_800, 14_400]
    static let ageCount = 6
    static let cellCount = SleepKind.allCases.count * ageCount
    /// The longest time that counts as a start, in seconds; a longer one is a failed search.
    static let maximumSeconds = 3600.0

    private let times: StartTimes
    /// Statistics of the seconds to the first fix, by sleep kind, then by age class of the ephemeris.
    var cells: [StartStatistics]
    /// Statistics of the seconds to the first fix of the daemon's first start, kept apart because the receiver's sleep
    /// before it is not known.
    var first: StartStatistics
    var warmth: WarmStarts
    /// The number of starts from hardware sleep, in a row, that were cold or warm although the ephemeris was young
    /// enough for a hot start.
    var coldStreak: UInt8 = 0

    init(_ times: StartTimes) {
        self.times = times
        first = StartStatistics(boot: times.boot, times.cold, or: times.cold, secondProbability: 0)
        warmth = WarmStarts { StartModel.believedWarm(age: StartModel.middle(ofAge: $0), times) }
        cells = []
        for kind in SleepKind.allCases {
            for age in 0..<StartModel.ageCount { cells.append(StartModel.belief(kind, age: age, times)) }
        }
    }

    func cell(_ kind: SleepKind, age: Double?) -> StartStatistics {
        cells[StartModel.index(kind, age: age)]
    }

    func warmProbability(age: Double?) -> Double { warmth.probability(ofAge: StartModel.bucket(age)) }

    mutating func note(_ kind: SleepKind, age: Double?, seconds: Double) {
        guard StartModel.isStart(seconds) else { return }
        cells[StartModel.index(kind, age: age)].note(seconds: seconds)
        // Only software and hardware sleep keep the ephemeris, so only starts after them show the effect of its age.
        guard kind == .software || kind == .hardware else { return }
        let isWarm = isWarm(seconds)
        // Only hardware sleep depends on the backup supply.
        if kind == .hardware, let age, age < times.ephemerisFades {
            coldStreak = isWarm ? min(coldStreak, UInt8.max - 1) + 1 : 0
        }
        if coldStreak == 0 { warmth.note(isWarm: isWarm, age: StartModel.bucket(age)) }
    }

    mutating func noteFirst(seconds: Double) {
        if StartModel.isStart(seconds) { first.note(seconds: seconds) }
    }

    private static func isStart(_ seconds: Double) -> Bool {
        seconds > 0 && seconds <= maximumSeconds
    }

    /// Whether a start was warm or cold rather than hot, judged by its length and the assumed start times.
    private func isWarm(_ seconds: Double) -> Bool {
        let search = seconds - times.boot
        guard search > 0 else { return false }
        guard search < times.warm.median else { return true }
        return surprise(search, times.warm) < surprise(search, times.hot)
    }

    /// The negative logarithm of a log-normal density, without the terms that are the same for a hot and a warm search.
    private func surprise(_ seconds: Double, _ search: StartTimes.Search) -> Double {
        let distance = Logarithm.natural(seconds / search.median) / search.spread
        return distance * distance / 2 + Logarithm.natural(search.spread)
    }
}

extension StartModel {
    private static func index(_ kind: SleepKind, age: Double?) -> Int {
        Int(kind.rawValue) * ageCount + bucket(age)
    }

    /// The age class of an ephemeris; an unknown age counts as the oldest class.
    private static func bucket(_ age: Double?) -> Int {
        guard let age else { return ageCount - 1 }
        var bucket = 0
        while bucket < ageCount - 1, age >= ageBounds[bucket] { bucket += 1 }
        return bucket
    }

    private static func middle(ofAge bucket: Int) -> Double {
        guard bucket < ageCount - 1 else { return .infinity }
        return ((bucket == 0 ? 0 : ageBounds[bucket - 1]) + ageBounds[bucket]) / 2
    }

    private static func believedWarm(age: Double, _ times: StartTimes) -> Double {
        guard age < times.ephemerisGone else { return 1 }
        guard age > times.ephemerisFades else { return 0 }
        return (age - times.ephemerisFades) / (times.ephemerisGone - times.ephemerisFades)
    }

    private static func belief(_ kind: SleepKind, age: Int, _ times: StartTimes) -> StartStatistics {
        let warm = believedWarm(age: middle(ofAge: age), times)
        return switch kind {
        // In cyclic tracking the receiver never stops, so it need not boot, and it keeps its ephemeris fresh.
        case .cyclic: StartStatistics(boot: 0, times.hot, or: times.hot, secondProbability: 0)
        case .software, .hardware:
            StartStatistics(boot: times.boot, times.hot, or: times.warm, secondProbability: warm)
        case .cut: StartStatistics(boot: times.boot, times.cold, or: times.cold, secondProbability: 0)
        }
    }
}
