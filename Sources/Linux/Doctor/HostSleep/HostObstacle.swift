public import HostSleep

/// A reason why the host must stay on: something that was found, or that something could not be examined.
public struct HostObstacle: Sendable, Equatable {
    /// The reason's kind; `unanswered` if an examination failed, so that nobody knows whether there is a reason.
    public var reason: StayAwakeReason
    /// What keeps the host on, in words; `mend` completes the sentence.
    public var what: String
    /// The remedy, whose words complete the sentence that `what` begins.
    public var mend: Mend

    init(_ reason: StayAwakeReason, _ what: String, _ mend: String) {
        self.reason = reason
        self.what = what
        self.mend = Mend(mend)
    }

    /// What keeps the host on, and the remedy, in one line.
    public var line: String { "\(what); \(mend)" }
}

/// Whether one kind of reason keeps the host on, such as that a user is logged in.
struct ObstacleReport: Equatable {
    /// Whether a reason of this kind was found; nil if none was found, but not everything could be examined.
    var isSo: Bool?
    var obstacles: [HostObstacle]

    /// The largest number of reasons of one kind that are listed one by one; the others are only counted.
    private static let maximumTold = 5

    /// - Parameters:
    ///   - found: The reasons that were found.
    ///   - unknown: An entry for each thing that could not be examined.
    init(_ found: [HostObstacle], unknown: [HostObstacle]) {
        isSo = found.isEmpty ? (unknown.isEmpty ? false : nil) : true
        obstacles = ObstacleReport.told(found) + ObstacleReport.told(unknown)
    }

    private static func told(_ obstacles: [HostObstacle]) -> [HostObstacle] {
        guard obstacles.count > maximumTold, let last = obstacles.last else { return obstacles }
        let rest = HostObstacle(
            last.reason, "\(obstacles.count - maximumTold) more of the same kind", "mend those first")
        return obstacles.prefix(maximumTold) + [rest]
    }
}
