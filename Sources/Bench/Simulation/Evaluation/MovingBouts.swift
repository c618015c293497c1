/// The bouts of movement in a true trajectory: the times at which the board moves.
///
/// A second counts as moving if the positions at the beginning and end of the minute around it are more than 50 m
/// apart. Pauses of less than a minute, such as a traffic light, are bridged. Movement that lasts two minutes or more
/// counts as a bout. An independent scoring program uses the same definition, so that its figures agree with these.
public struct MovingBouts: Sendable, Hashable {
    /// The distance in metres that the board must exceed within the minute around a second for that second to count as
    /// moving.
    private static let minimumDistance = 50.0
    /// Half the length, in seconds, of the time window around a second that decides whether the board moves in this
    /// second.
    private static let halfWindow = 30
    /// The shortest pause that separates two bouts of movement, in seconds.
    private static let minimumPause = 60
    /// The shortest movement that counts as a bout, in seconds.
    private static let minimumBout = 120

    /// The bouts of movement, in order, as ranges of seconds since the trace's start; these are also indices of the
    /// trace's points.
    public let bouts: [Range<Int>]

    /// The total length of all bouts, in seconds.
    public var seconds: Int { bouts.reduce(0) { $0 + $1.count } }

    /// - Parameter first: The first second of the trace that counts; a bout that is in progress then begins there.
    public init(of truth: TruthGrid, from first: Int = 0) {
        let last = truth.count - 1
        var isMoving = (0...last).map { second in
            let (before, after) = (max(second - Self.halfWindow, 0), min(second + Self.halfWindow, last))
            return truth.distance(to: (truth.east[before], truth.north[before]), at: after) > Self.minimumDistance
        }
        for pause in isMoving.runs(of: false) where pause.count < Self.minimumPause {
            for second in pause { isMoving[second] = true }
        }
        bouts = isMoving.runs(of: true).compactMap { bout in
            let start = max(bout.lowerBound, first)
            return bout.upperBound - start >= Self.minimumBout ? start..<bout.upperBound : nil
        }
    }

    /// For each second of a trace of `count` seconds, whether it lies within a bout of movement.
    func flags(count: Int) -> [Bool] {
        var flags = [Bool](repeating: false, count: count)
        for bout in bouts {
            for second in bout { flags[second] = true }
        }
        return flags
    }
}

extension [Bool] {
    /// The longest possible ranges of indices in which every element is `value`, in ascending order.
    func runs(of value: Bool) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start: Int?
        for index in 0...count {
            let matches = index < count && self[index] == value
            if matches, start == nil { start = index }
            if !matches, let from = start {
                runs.append(from..<index)
                start = nil
            }
        }
        return runs
    }
}
