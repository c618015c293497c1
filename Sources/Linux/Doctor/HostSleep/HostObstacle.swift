public import HostSleep

/// A reason why the host must stay on: something that was found, or something that could not be found out.
public struct HostObstacle: Sendable, Equatable {
    /// The reason's kind; `unanswered` if it could not be found out whether the obstacle exists.
    public var reason: StayAwakeReason
    /// The obstacle, as the first half of a sentence.
    public var what: String
    /// The remedy, as the second half of the sentence.
    public var mend: Mend

    init(_ reason: StayAwakeReason, _ what: String, _ mend: String) {
        self.reason = reason
        self.what = what
        self.mend = Mend(mend)
    }

    /// The whole obstacle in one line.
    public var line: String { "\(what); \(mend)" }
}

/// The answer to one question about the system.
struct HostAnswer: Equatable {
    /// Whether the obstacle is there; nil where nothing was found, but not everything could be looked at.
    var isSo: Bool?
    var obstacles: [HostObstacle]

    /// The largest number of obstacles of one kind that are listed one by one.
    private static let mostTold = 5

    /// - Parameters:
    ///   - found: One obstacle for each thing that makes the answer yes.
    ///   - unknown: One obstacle for each thing that could not be examined.
    init(_ found: [HostObstacle], unknown: [HostObstacle]) {
        isSo = found.isEmpty ? (unknown.isEmpty ? false : nil) : true
        obstacles = HostAnswer.told(found) + HostAnswer.told(unknown)
    }

    private static func told(_ obstacles: [HostObstacle]) -> [HostObstacle] {
        guard obstacles.count > mostTold, let last = obstacles.last else { return obstacles }
        let rest = HostObstacle(last.reason, "\(obstacles.count - mostTold) more of the same kind", "mend those first")
        return obstacles.prefix(mostTold) + [rest]
    }
}
