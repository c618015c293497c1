/// The attempts made to reach a receiver that does not answer.
struct ContactRecovery: Sendable {
    var isLost = false
    var attempts = 0
    /// The number of times that the receiver's supply was switched off and on since the receiver was last ready.
    var powerCycles = 0
    /// The number of times that missing answers to configuration commands caused a new search for the receiver's rate.
    var doubts = 0
    static let doubtLimit = 3
    /// The number of times that stray bytes, which may be noise, caused queries to a lost receiver; at most 3.
    var alarms = 0
    static let alarmLimit = 3
}
