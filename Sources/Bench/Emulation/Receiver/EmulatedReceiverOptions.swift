public import Units

/// What an emulated receiver truly does with its supply.
public enum EmulatedPowerState: Sendable, Hashable {
    /// Neither supply: nothing is kept.
    case off
    /// `software` by its own command with the supply on, `hardware` with the backup supply alone.
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
    /// What keeps a receiver's clock, ephemerides and battery-backed configuration while its supply is off.
    public enum Backup: Sendable, Hashable {
        case none
        /// A backup supply that never runs empty.
        case supply
        /// A cell on the board that holds so many millijoules, full at first, and charges with so many milliwatts while
        /// the main supply is on.
        ///
        /// An MS621 holds 5.5 mAh, 59 000 mJ at 3 V, and is charged with 0.3 mW.
        case cell(millijoules: Double, chargingMilliwatts: Double)
    }

    /// What can be wrong with a receiver, for tests.
    public struct Faults: OptionSet, Sendable, Hashable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// It reports, but what the host sends does not reach it: a broken wire.
        public static let neverAnswers = Faults(rawValue: 1)
        /// It obeys, but its answers are bytes without meaning.
        public static let answersGarbage = Faults(rawValue: 2)
        /// It obeys nothing, and says so where its language can; u-blox still say who they are.
        public static let refusesAll = Faults(rawValue: 4)
        /// It acknowledges commands to sleep, and goes on.
        public static let ignoresSleep = Faults(rawValue: 8)
        /// It passes over PCAS12, as some AT6558R do.
        public static let ignoresTimedStandby = Faults(rawValue: 16)
    }

    public struct Options: Sendable {
        /// The bench instant that is the trajectory's start; the receiver exists from then on.
        public var start = MonotonicInstant.zero
        /// The level of the power line at the start; a receiver without one is always powered.
        public var isPoweredAtStart = true
        public var backup = Backup.supply
        /// When the backup supply fails for good; nil for never.
        public var backupDies: MonotonicInstant?
        /// Whether every search takes the median of its kind, for benches whose time is real.
        public var searchesTakeMedian = false
        /// Whether the host is at its own USB instead of its UART, which then leads nowhere.
        public var isAtUSB = false
        /// Bits per second that its UART starts with; nil for the model's own.
        public var baud: Int?
        /// Seconds since its ephemerides were received, with time and place known, where the backup supply has kept them;
        /// nil for a receiver that knows nothing.
        public var ephemerisAgeAtStart: Double?
        /// Metres, one standard deviation of an axis of the position while tracking.
        public var positionSigma = 3.0
        /// What the stated accuracies are multiplied with; 1 for a receiver that tells the truth.
        public var accuracyScale = 1.0
        /// What its errors and claims are like while it tracks.
        public var surroundings = Surroundings.open
        /// Metres of the geoid above the ellipsoid, everywhere.
        public var geoidSeparation = 47.0
        public var faults: Faults = []
        /// Seconds after which it wakes by itself from any sleep of its own; nil for never.
        public var wakesBySelfAfter: Double?

        public init() {}
    }
}
