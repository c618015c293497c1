/// The abilities of a model of host switch: the part that cuts and restores the board's supply.
public struct HostSwitchTraits: Sendable, Equatable {
    /// What an alarm that was read back from the switch proves.
    public enum Proof: Sendable {
        /// The alarm is set in the chip that will wake the host.
        case chip
        /// The switch confirms only that it took the order; it sets its chip afterwards.
        case request
    }

    /// The event on which the switch cuts the supply.
    public enum CutTrigger: Sendable {
        /// A command over the switch's bus, after which the switch cuts the supply in `cutDelay` seconds, whatever the
        /// host does.
        case command
        /// A pulse on the switch's input "the system is up"; the switch then cuts the supply when the host's UART falls
        /// silent.
        case pulse
        /// The host's halt, which the switch sees by itself; nothing is sent to it before.
        case halt
    }

    /// A second wake-up, by a counter that does not depend on the alarm's clock.
    public struct Backstop: Sendable, Equatable {
        /// The seconds that one count of the counter stands for.
        public var unit: Double
        public var most: Int

        public init(unit: Double, most: Int) {
            self.unit = unit
            self.most = most
        }

        /// The shortest time of at least this many seconds that the counter can count; nil where the counter cannot go
        /// so far.
        public func seconds(atLeast least: Double) -> Double? {
            let count = (least / unit).rounded(.up)
            return count <= Double(most) ? max(1, count) * unit : nil
        }
    }

    /// The longest time ahead for which an alarm is unambiguous, in seconds: a day where the alarm has no date, 27 days
    /// where the alarm has only a day of the month.
    public var horizon: Double
    /// The switch's backstop, a second wake-up by a counter; nil where the alarm is the switch's only wake-up at a
    /// given time.
    public var backstop: Backstop?
    public var tellsCause: Bool
    public var proof: Proof
    public var cutTrigger: CutTrigger
    /// Seconds from the event that makes the switch cut the supply until the cut.
    public var cutDelay: Int

    public init(
        horizon: Double, backstop: Backstop?, tellsCause: Bool, proof: Proof, cutTrigger: CutTrigger, cutDelay: Int
    ) {
        self.horizon = horizon
        self.backstop = backstop
        self.tellsCause = tellsCause
        self.proof = proof
        self.cutTrigger = cutTrigger
        self.cutDelay = cutDelay
    }
}
