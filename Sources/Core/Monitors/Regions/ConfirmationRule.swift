/// When a border counts as crossed: figures found by simulation against the bars of `spec/sensing.md` 5.5.
///
/// A standing receiver's error wanders over minutes and passes any fixed depth sooner or later: how deep the board must
/// be is counted in standard deviations of its distance to the border. A board that moves away from the border
/// needs less, because wandering errors are slow.
enum ConfirmationRule {
    /// Standard deviations beyond the border that a board needs which does not move away from it.
    static let standingDepth = 3.7
    /// Standard deviations beyond the border that a board needs which moves away from it.
    static let movingDepth = 2.2
    /// Metres per second away from the border: below the first it is standing, from the second on moving.
    static let standingSpeed = 0.3
    static let movingSpeed = 0.9
    /// Metres of deviation that every position has, whatever it says of itself: maps and fences have theirs too.
    static let leastDeviation = 2.5
    /// Nanoseconds that a standing board must stay beyond the border, so that a jump of a few fixes does not count.
    static let standingHold: Int64 = 10_000_000_000
    /// Fixes that must agree.
    static let fixes: Int8 = 2
    /// The part of a region's own depth that is always deep enough: none is too small to be entered.
    static let partOfDepth = 0.6
    /// Of a region's own depth, the deviation beyond which its inside is less likely than 60 % even in its middle.
    static let largestPart = 0.74
    /// How much of the depth that is needed must remain between two fixes that agree.
    static let keptPart = 0.7

    /// Metres beyond the border that are enough.
    ///
    /// - Parameters:
    ///   - deviation: Of the distance to the border; metres.
    ///   - speed: Away from the border; metres per second.
    static func depth(deviation: Double, speed: Double) -> Double {
        let share = min(1, max(0, (speed - standingSpeed) / (movingSpeed - standingSpeed)))
        return (standingDepth + (movingDepth - standingDepth) * share) * effective(deviation)
    }

    static func effective(_ deviation: Double) -> Double {
        (deviation * deviation + leastDeviation * leastDeviation).squareRoot()
    }

    /// Metres inside that are enough, where a region is small; none are where the position could be anywhere about it.
    ///
    /// - Parameters:
    ///   - needed: Metres that are enough in a large one.
    ///   - depth: Metres one can be from the region's border inside.
    ///   - deviation: Of the distance to the border; metres.
    static func entryDepth(_ needed: Double, regionDepth depth: Double, deviation: Double) -> Double {
        guard needed > partOfDepth * depth else { return needed }
        return effective(deviation) <= largestPart * depth ? partOfDepth * depth : .infinity
    }

    static func isMoving(_ speed: Double) -> Bool { speed >= movingSpeed }
}

/// Fixes that agree on one side of a border.
struct Confirmation: Sendable {
    private var count: Int8 = 0
    /// Nanoseconds since boot.
    private var first: Int64 = 0

    /// - Parameters:
    ///   - distance: Metres beyond the border.
    ///   - needed: Metres that are enough.
    /// - Returns: Whether it is confirmed by now.
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

    /// Whether the last one was the first that agrees.
    var isFirst: Bool { count == 1 }

    mutating func clear() { count = 0 }
}
