/// A message of one navigation solution.
public protocol NavigationSolutionMessage: UBXMessage {
    /// GPS time of week of the navigation solution.
    var timeOfWeekMilliseconds: UInt32 { get }
}
