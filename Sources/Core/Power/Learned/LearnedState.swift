public import Receivers

/// What the daemon learned about one receiver and its carrier, and keeps over restarts.
///
/// It decides how early a receiver is started and how deep it rests; losing it costs energy for a few days, no more.
public struct LearnedState: Sendable, Equatable {
    /// Whether the backup supply keeps what a hot start needs.
    public enum Backup: UInt8, Sendable, CaseIterable {
        case good = 0
        /// Twice in a row a start was not hot although the ephemeris was young.
        case suspect = 1
        /// Four times in a row: the backup battery is empty or dead, and every start is cold.
        case failed = 2
    }

    /// Who the receiver is; another one's state is of no use.
    public let receiver: String
    var starts: StartModel
    var movements: LearnedMovements

    /// The longest identity, in UTF-8 bytes; a longer one is cut off.
    public static let maximumReceiverBytes = 128

    /// Nothing learned yet: the receiver's start times are believed.
    public init(receiver: String, believing times: StartTimes) {
        self.receiver = LearnedState.bounded(receiver)
        starts = StartModel(times)
        movements = LearnedMovements()
    }

    init(receiver: String, starts: StartModel, movements: LearnedMovements) {
        self.receiver = receiver
        self.starts = starts
        self.movements = movements
    }

    static func bounded(_ receiver: String) -> String {
        var text = receiver
        while text.utf8.count > maximumReceiverBytes { text.removeLast() }
        return text
    }
}

// MARK: Starts

extension LearnedState {
    /// Seconds from the wake edge to the first fix, in the mean.
    ///
    /// - Parameters:
    ///   - off: How long the receiver rests, in seconds.
    ///   - ephemerisAge: How old its ephemeris is when the rest begins, in seconds; nil where it has none.
    public func expected(_ kind: SleepKind, off: Double, ephemerisAge: Double?) -> Double {
        starts.cell(kind, age: LearnedState.age(ephemerisAge, after: off)).expected
    }

    /// Seconds from the wake edge within which a part of the starts have their fix; arguments as in `expected`.
    public func quantile(_ part: Double, _ kind: SleepKind, off: Double, ephemerisAge: Double?)
        -> Double
    {
        starts.cell(kind, age: LearnedState.age(ephemerisAge, after: off)).quantile(part)
    }

    /// How likely a start is not hot, where the backup supply held, with an ephemeris of this age in seconds; nil for
    /// none.
    public func warmProbability(ephemerisAge: Double?) -> Double {
        starts.warmProbability(age: ephemerisAge)
    }

    /// A start that found a fix.
    ///
    /// Arguments as in `expected`. A search that failed is no start and must not come here.
    public mutating func noteStart(
        _ kind: SleepKind, off: Double, ephemerisAge: Double?, seconds: Double
    ) {
        starts.note(kind, age: LearnedState.age(ephemerisAge, after: off), seconds: seconds)
    }

    /// The first fix since the daemon started: how the receiver rested before is not known, so it has a place apart.
    public mutating func noteFirstStart(seconds: Double) { starts.noteFirst(seconds: seconds) }

    /// Seconds to the first fix after the daemon's start, in the mean.
    public var expectedFirstStart: Double { starts.first.expected }

    /// Seconds within which a part of the daemon's first starts have their fix.
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
