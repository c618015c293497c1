extension LocationFilter {
    /// How a receiver's true error compares with the error that the receiver claims.
    ///
    /// - Returns: The learned standard deviation of the error divided by the claimed one, 1 for a receiver whose claims
    ///   are true; nil until enough fixes were compared.
    public func errorInClaim(of receiver: UInt8) -> Double? {
        for slot in 0..<receivers.slots.count where receivers.slots[slot].receiver == receiver {
            return receivers.slots[slot].accuracy.errorInClaim
        }
        return nil
    }
}

extension ReceiverAccuracy {
    /// The minutes of a receiver's fixes that the filter must have learned from before it compares the receiver's true
    /// error with the claimed one.
    private static let minimumExperience = 4.0

    fileprivate var errorInClaim: Double? {
        guard wander.experience >= ReceiverAccuracy.minimumExperience else { return nil }
        return (noise(deviation: 1) + slowError(deviation: 1, isClaimed: true).variance).squareRoot()
    }
}
