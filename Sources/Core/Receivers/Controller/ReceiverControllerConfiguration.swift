/// A board's receiver and wiring, and how the receiver is to be used.
public struct ReceiverControllerConfiguration: Sendable, Equatable {
    /// The receiver's model; nil to ask the receiver.
    public var model: ReceiverModel?
    /// The lines that are wired.
    public var lines: Set<LineRole>
    /// The wanted rate of the UART in bits per second; nil leaves the present one.
    public var baud: Int?
    /// Whether the backup supply stays on when `powerEnable` is off.
    ///
    /// On MAX-M10S, true requires that V_IO is switched off with VCC: with V_IO on, the module is not in hardware
    /// backup (its integration manual).
    public var hasPersistentBackup: Bool
    /// The number of epochs from one reported satellite view to the next; 0 means that none is reported.
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
