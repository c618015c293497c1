extension LocationFilter {
    /// How much farther a receiver's positions are off than it claims, by what was learned of them.
    ///
    /// - Returns: The learned error's standard deviation in the claimed one, 1 for a receiver that tells the truth; nil
    ///   before enough was learned.
    public func errorInClaim(of receiver: UInt8) -> Double? {
        for slot in 0..<receivers.count where receivers[slot].receiver == receiver {
            return receivers[slot].accuracy.errorInClaim
        }
        return nil
    }
}

extension ReceiverAccuracy {
    /// Minutes that must have been learned from.
    private static let leastExperience = 4.0

    fileprivate var errorInClaim: Double? {
        guard wander.experience >= ReceiverAccuracy.leastExperience else { return nil }
        return (noise(deviation: 1) + slowError(deviation: 1, isClaimed: true).variance).squareRoot()
    }
}
