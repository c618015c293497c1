public import ClientProtocol
public import Units

/// What the Engine is told before its first input.
public struct EngineConfiguration: Sendable, Equatable {
    /// The receiver's device, for what clients are shown.
    public var device: String
    /// Bits per second; nil to find the rate.
    public var fixedBaud: Int?
    /// The rate that was right the last time.
    public var lastBaud: Int?
    /// The later of the host's clock and the build date.
    public var now: UTCInstant
    /// The user that the daemon runs as, who may ask what an operator may.
    public var userID: UInt32?
    /// Where the positions are from.
    public var source = LocationObject.Source()
    /// What may be switched; nil where the receiver is on for ever, and is only listened to.
    public var power: PowerConfiguration?
    /// Whether the board has a compass that may be looked for.
    public var hasCompass = false
    /// The board's name, for what belongs to it alone; empty where no board is described.
    public var board = ""

    public init(
        device: String, fixedBaud: Int?, lastBaud: Int?, now: UTCInstant, power: PowerConfiguration? = nil
    ) {
        self.device = device
        self.fixedBaud = fixedBaud
        self.lastBaud = lastBaud
        self.now = now
        self.power = power
    }
}
