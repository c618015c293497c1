public import ClientVocabulary
public import Parts

/// What is known of the board's location and of the receiver when something is delivered.
public struct DeliveryContext {
    public let whereabouts: Whereabouts
    public let clock: ReceiverClock
    public let isReceiverOpen: Bool
    /// Whether the daemon has the receiver on, and not asleep to save power.
    public let isReceiverOn: Bool
    /// The reason why no position comes; nil where it is not known.
    public let outageReason: FailureReason?
    /// The radius in metres within which the board is now with a probability of 68 %; nil where it is not known, or was
    /// not computed because nothing needs it.
    public var uncertainty: Double?

    public init(
        whereabouts: Whereabouts, clock: ReceiverClock, isReceiverOpen: Bool, isReceiverOn: Bool,
        outageReason: FailureReason?
    ) {
        self.whereabouts = whereabouts
        self.clock = clock
        self.isReceiverOpen = isReceiverOpen
        self.isReceiverOn = isReceiverOn
        self.outageReason = outageReason
    }
}
