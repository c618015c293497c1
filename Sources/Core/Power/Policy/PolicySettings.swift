public import Receivers

/// What the policy is told of the board and the receiver before its first event.
public struct PolicySettings: Sendable, Equatable {
    public var draw: PowerDraw
    public var startTimes: StartTimes
    /// Whether a motion interrupt is wired.
    public var hasMotionSensor: Bool
    /// The share of time in which the last delivered location may be farther off than was asked.
    ///
    /// 5 % is what is promised; what is aimed at is less, because an error between two fixes is only estimated and one
    /// unlucky stay can cost half an hour.
    public var allowedShare: Double

    public init(draw: PowerDraw, startTimes: StartTimes, hasMotionSensor: Bool) {
        self.draw = draw
        self.startTimes = startTimes
        self.hasMotionSensor = hasMotionSensor
        allowedShare = 0.036
    }
}
