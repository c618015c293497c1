public import Receivers

/// The settings of the power policy: what it knows of the board and the receiver before its first event.
public struct PolicySettings: Sendable, Equatable {
    public var draw: PowerDraw
    public var startTimes: StartTimes
    /// Whether the interrupt of a motion sensor is wired.
    public var hasMotionSensor: Bool
    /// The longest time in seconds for which the receiver is off while no motion sensor watches the board's rest.
    public var longestUnwatchedRest: Double

    /// The value of `longestUnwatchedRest` where the board's owner gives none; seconds.
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
