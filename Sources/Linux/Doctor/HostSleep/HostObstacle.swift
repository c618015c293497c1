public import HostSleep

/// Something about the system that keeps the host on, or that could not be found out, which keeps it on too.
public struct HostObstacle: Sendable, Equatable {
    /// `unanswered` where it could not be found out.
    public var reason: StayAwakeReason
    /// The obstacle, as the first half of a sentence.
    public var what: String
    /// The mend, as the second half of the sentence.
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

    /// The most obstacles of one kind that are told one by one.
    private static let mostTold = 5

    /// - Parameters:
    ///   - found: What makes the answer a yes, an obstacle each.
    ///   - unknown: What could not be looked at, an obstacle each.
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
