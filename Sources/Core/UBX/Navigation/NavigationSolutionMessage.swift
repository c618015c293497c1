/// A message that reports one navigation solution, or a part of it such as the velocity.
public protocol NavigationSolutionMessage: UBXMessage {
    /// GPS time of week of the navigation solution, in milliseconds.
    var timeOfWeekMilliseconds: UInt32 { get }
}
