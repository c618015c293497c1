public import SextantUnits

/// The true power state of an emulated receiver.
public enum EmulatedPowerState: Sendable, Hashable {
    /// Neither main nor backup supply: the receiver keeps nothing.
    case off
    /// Asleep: `software` by its own command with the supply on, `hardware` with the backup supply alone.
    case sleep(Sleep)
    /// Awake without a fix.
    case acquire
    case track

    public enum Sleep: Sendable, Hashable {
        case software
        case hardware
    }

    /// `off`, `sleep`, `acquire` or `track`.
    public var name: String {
        switch self {
        case .off: "off"
        case .sleep: "sleep"
        case .acquire: "acquire"
        case .track: "track"
        }
    }
}

extension EmulatedReceiver {
    /// The source that keeps a receiver's clock, ephemerides and battery-backed configuration while its supply is off.
    public enum Backup: Sendable, Hashable {
        case none
        /// A backup supply that never runs empty.
        case supply
        /// A cell on the board, full at first, which is charged while the main supply is on.
        ///
        /// An MS621 holds 5.5 mAh, 59 000 mJ at 3 V, and is charged with 0.3 mW.
        case cell(millijoules: Double, chargingMilliwatts: Double)
    }

    /// Faults that a receiver can be given in tests.
    public struct Faults: OptionSet, Sendable, Hashable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The receiver reports, but gets nothing that the host sends, as with a broken wire.
        public static let neverAnswers = Faults(rawValue: 1)
        /// The receiver obeys, but its answers are bytes without meaning.
        public static let answersGarbage = Faults(rawValue: 2)
        /// The receiver refuses all commands, where its language can with an answer; u-blox still answer MON-VER.
        public static let refusesAll = Faults(rawValue: 4)
        /// The receiver acknowledges commands to sleep, and stays awake.
        public static let ignoresSleep = Faults(rawValue: 8)
        /// The receiver ignores PCAS12, as some AT6558R do.
        public static let ignoresTimedStandby = Faults(rawValue: 16)
    }

    public struct Options: Sendable {
        /// The bench instant that is the trajectory's start; the receiver exists from then on.
        public var start = MonotonicInstant.zero
        /// Whether the supply is on at the start; it stays so on a board without a `powerEnable` line.
        public var isPoweredAtStart = true
        public var backup = Backup.supply
        /// The instant at which the backup supply fails for good; nil for never.
        public var backupDies: MonotonicInstant?
        /// Whether every search takes the median time of its kind, for benches in real time.
        public var searchesTakeMedian = false
        /// Whether the host is connected to the receiver's USB, and the UART to nothing.
        public var isAtUSB = false
        /// The rate with which the receiver's UART starts, in bits per second; nil for the model's own.
        public var baud: Int?
        /// The age of the ephemerides at the start, in seconds; nil for a receiver that knows nothing.
        ///
        /// With an age, time and place are known too, where the backup supply has kept them.
        public var ephemerisAgeAtStart: Double?
        /// Metres, one standard deviation of an axis of the position while tracking.
        public var positionSigma = 3.0
        /// The factor on the stated accuracies; 1 for a receiver that states the truth.
        public var accuracyScale = 1.0
        /// The surroundings, which decide the errors and stated accuracies while the receiver tracks.
        public var surroundings = Surroundings.open
        /// The height of the geoid above the ellipsoid in metres, the same everywhere.
        public var geoidSeparation = 47.0
        public var faults: Faults = []
        /// Seconds after which the receiver wakes by itself from any sleep of its own; nil for never.
        public var wakesBySelfAfter: Double?

        public init() {}
    }
}
