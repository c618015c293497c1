/// The rule for when a border counts as crossed; its numbers were chosen by simulation.
///
/// The position error of a standing receiver wanders over minutes and exceeds any fixed distance sooner or later. So
/// how far the board must be beyond the border is counted in standard deviations of its distance to the border. Fewer
/// are enough for a board that moves away from the border, because wandering errors are slow.
enum ConfirmationRule {
    /// Standard deviations beyond the border that confirm a crossing by a board that does not move away from it.
    static let standingDepth = 3.7
    /// Standard deviations beyond the border that confirm a crossing by a board that moves away from it.
    static let movingDepth = 2.2
    /// Speeds away from the border in metres per second: up to `standingSpeed` the board counts as standing, from
    /// `movingSpeed` as moving.
    static let standingSpeed = 0.3
    static let movingSpeed = 0.9
    /// The standard deviation of the errors of maps and fences, in metres; its square is added to the variance of the
    /// distance to the border.
    static let minimumDeviation = 2.5
    /// Nanoseconds that a standing board must stay beyond the border, so that a jump of a few fixes does not count.
    static let standingHold: Int64 = 10_000_000_000
    /// The number of fixes in a row that must be on the other side of the border to confirm a crossing.
    static let fixes: Int8 = 2
    /// The share of a region's depth (its greatest distance from the border inside) that is enough for an entry, so
    /// that no region is too small to be entered.
    static let partOfDepth = 0.6
    /// The largest standard deviation of a position, as a share of a region's depth, with which an entry is confirmed.
    ///
    /// With a larger deviation, the board is inside with a probability of less than 60 % even if the position is the
    /// middle of the region.
    static let largestPart = 0.74
    /// The share of the confirming depth (how far beyond the border a crossing is confirmed) that each fix after the
    /// first must reach; a fix that does not reach it ends the row of fixes.
    static let keptPart = 0.7

    /// How far beyond the border the board must be for a crossing to be confirmed; metres.
    ///
    /// - Parameters:
    ///   - deviation: The standard deviation of the distance to the border; metres.
    ///   - speed: The speed away from the border; metres per second.
    static func depth(deviation: Double, speed: Double) -> Double {
        let share = min(1, max(0, (speed - standingSpeed) / (movingSpeed - standingSpeed)))
        return (standingDepth + (movingDepth - standingDepth) * share) * effective(deviation)
    }

    static func effective(_ deviation: Double) -> Double {
        (deviation * deviation + minimumDeviation * minimumDeviation).squareRoot()
    }

    /// The metres inside the border that confirm an entry, fewer in a small region; infinite where the position is too
    /// uncertain for an entry.
    ///
    /// - Parameters:
    ///   - needed: Metres inside that confirm an entry into a large region.
    ///   - depth: The greatest distance from the border inside the region; metres.
    ///   - deviation: The standard deviation of the distance to the border; metres.
    static func entryDepth(_ needed: Double, regionDepth depth: Double, deviation: Double) -> Double {
        guard needed > partOfDepth * depth else { return needed }
        return effective(deviation) <= largestPart * depth ? partOfDepth * depth : .infinity
    }

    static func isMoving(_ speed: Double) -> Bool { speed >= movingSpeed }
}

/// Counts the fixes in a row that agree on one side of a border.
struct Confirmation: Sendable {
    private var count: Int8 = 0
    /// The time of the row's first fix; nanoseconds since boot.
    private var first: Int64 = 0

    /// - Parameters:
    ///   - distance: Metres beyond the border.
    ///   - needed: Metres beyond the border that are needed to confirm a crossing.
    /// - Returns: Whether the crossing is confirmed now.
    mutating func add(_ distance: Double, needed: Double, isMoving: Bool, at nanoseconds: Int64) -> Bool {
        guard distance >= needed * (count == 0 ? 1 : ConfirmationRule.keptPart) else {
            count = 0
            return false
        }
        if count == 0 { first = nanoseconds }
        count = min(count + 1, ConfirmationRule.fixes)
        guard count == ConfirmationRule.fixes, distance >= needed else { return false }
        return isMoving || nanoseconds &- first >= ConfirmationRule.standingHold
    }

    /// Whether exactly one fix in a row has so far agreed on this side of the border.
    var isFirst: Bool { count == 1 }

    mutating func clear() { count = 0 }
}
