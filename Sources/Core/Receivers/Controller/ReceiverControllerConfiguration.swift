/// What a board says of its receiver and how it is to be used.
public struct ReceiverControllerConfiguration: Sendable, Equatable {
    /// Nil: it is asked.
    public var model: ReceiverModel?
    /// The lines that are wired.
    public var lines: Set<LineRole>
    /// The UART's rate that is wanted, in bits per second; nil leaves it.
    public var baud: Int?
    /// Whether the backup supply stays when `powerEnable` is off.
    ///
    /// On MAX-M10S this means that V_IO goes with VCC: with V_IO kept it is no hardware backup (its integration manual).
    public var hasPersistentBackup: Bool
    /// Epochs between two satellite views, 1 or more; 0 is never.
    public var skyInterval: UInt8 = 5
    /// Seconds between two fixes in cyclic tracking, 1 to 10.
    public var cyclicPeriodSeconds = 1

    public init(model: ReceiverModel?, lines: Set<LineRole>, baud: Int?, hasPersistentBackup: Bool) {
        self.model = model
        self.lines = lines
        self.baud = baud
        self.hasPersistentBackup = hasPersistentBackup
    }
}
