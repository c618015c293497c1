public import Receivers

/// Statistics that the daemon learned about one receiver and the movements of its board, and keeps over restarts.
///
/// This state decides how early a receiver is started and how deeply it sleeps; its loss costs energy for a few days.
public struct LearnedState: Sendable, Equatable {
    /// Whether the backup supply keeps what a hot start needs.
    public enum Backup: UInt8, Sendable, CaseIterable {
        case good = 0
        /// Twice in a row a start was not hot although the ephemeris was young.
        case suspect = 1
        /// Four times in a row a start was not hot although the ephemeris was young: the backup battery is empty or
        /// dead, and every start is cold.
        case failed = 2
    }

    /// The identity of the receiver whose statistics these are; those of another receiver are of no use.
    public internal(set) var receiver: String
    var starts: StartModel
    var movements: LearnedMovements

    /// The largest length of the identity in UTF-8 bytes; a longer identity is cut off there.
    public static let maximumReceiverBytes = 128

    /// Begins with nothing learned, so that `times` are assumed as the receiver's start times.
    public init(receiver: String, believing times: StartTimes) {
        self.receiver = LearnedState.bounded(receiver)
        starts = StartModel(times)
        movements = LearnedMovements()
    }

    private static func bounded(_ receiver: String) -> String {
        var text = receiver
        while text.utf8.count > maximumReceiverBytes { text.removeLast() }
        return text
    }
}

// MARK: Starts

extension LearnedState {
    /// The statistics of the seconds from the receiver's waking to its first fix; the arguments are as for `expected`.
    func search(_ kind: SleepKind, off: Double, ephemerisAge: Double?) -> StartStatistics {
        starts.cell(kind, age: LearnedState.age(ephemerisAge, after: off))
    }

    /// Mean seconds from the receiver's waking to its first fix.
    ///
    /// - Parameters:
    ///   - off: Seconds for which the receiver sleeps.
    ///   - ephemerisAge: Age of its ephemeris at the beginning of the sleep, in seconds; nil where it has none.
    public func expected(_ kind: SleepKind, off: Double, ephemerisAge: Double?) -> Double {
        search(kind, off: off, ephemerisAge: ephemerisAge).expected
    }

    /// The seconds from the receiver's waking within which the share `part` (0 to 1) of all starts finds a fix; the
    /// other arguments are those of `expected`.
    public func quantile(_ part: Double, _ kind: SleepKind, off: Double, ephemerisAge: Double?)
        -> Double
    {
        search(kind, off: off, ephemerisAge: ephemerisAge).quantile(part)
    }

    /// The probability that a start is not hot although the backup supply is intact; `ephemerisAge` is in seconds, nil
    /// where there is no ephemeris.
    public func warmProbability(ephemerisAge: Double?) -> Double {
        starts.warmProbability(age: ephemerisAge)
    }

    /// Learns from a start that found a fix, `seconds` after the receiver's waking.
    ///
    /// The other arguments are those of `expected`. A search that failed is not a start and must not be passed here.
    public mutating func noteStart(
        _ kind: SleepKind, off: Double, ephemerisAge: Double?, seconds: Double
    ) {
        starts.note(kind, age: LearnedState.age(ephemerisAge, after: off), seconds: seconds)
    }

    /// Learns from the daemon's first start of the receiver, separately, because the sleep before it is not known.
    public mutating func noteFirstStart(seconds: Double) { starts.noteFirst(seconds: seconds) }

    /// Seconds within which a share of the daemon's first starts of the receiver found a fix.
    ///
    /// - Parameter part: The share, 0 to 1.
    public func firstStartQuantile(_ part: Double) -> Double { starts.first.quantile(part) }

    public var backup: Backup {
        switch starts.coldStreak {
        case 0, 1: .good
        case 2, 3: .suspect
        default: .failed
        }
    }

    private static func age(_ ephemerisAge: Double?, after off: Double) -> Double? {
        ephemerisAge.map { $0 + max(0, off) }
    }
}
