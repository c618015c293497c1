/// The search for a rate at which the receiver answers.
struct Contact: Sendable {
    /// The rates at which the receiver is queried, the likely ones first.
    var rates: [Int] = []
    /// The number of likely rates, which stand first in `rates`.
    var likelyCount = 0
    var rateIndex = 0
    /// Whether bytes arrived at one of the rates but formed no message: the receiver is there, at another rate.
    var isGarbled = false
    /// Whether a message with a valid checksum arrived at the present rate.
    var hasHeard = false
    /// The number of times that all identity queries were sent at the present rate.
    var rounds = 0
    /// The number of rounds of identity queries after which a receiver that sends messages but no answers counts as one
    /// that takes no commands.
    ///
    /// The limit is not 1, because the first query may have been lost in waking the receiver.
    static let roundLimit = 2
}
