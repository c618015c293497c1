public import Receivers

/// What the policy is told of the board and the receiver before its first event.
public struct PolicySettings: Sendable, Equatable {
    public var draw: PowerDraw
    public var startTimes: StartTimes
    /// Whether a motion interrupt is wired.
    public var hasMotionSensor: Bool
    /// Seconds for which the receiver may be off while no motion sensor watches the board's rest.
    public var longestUnwatchedRest: Double

    /// Seconds: what `longestUnwatchedRest` is where the board's owner says nothing else.
    public static let usualUnwatchedRest = 300.0

    public init(
        draw: PowerDraw, startTimes: StartTimes, hasMotionSensor: Bool,
        longestUnwatchedRest: Double = PolicySettings.usualUnwatchedRest
    ) {
        self.draw = draw
        self.startTimes = startTimes
        self.hasMotionSensor = hasMotionSensor
        self.longestUnwatchedRest = longestUnwatchedRest
    }
}
