public import SextantUnits

/// The true power state of an emulated receiver.
public enum EmulatedPowerState: Sendable, Hashable {
    /// Neither main nor backup supply: the receiver keeps nothing.
    case off
    /// Asleep: `software` by a command with the supply on, `hardware` on the backup supply alone.
    case sleep(Sleep)
    /// Awake without a fix.
    case acquire
    case track

    public enum Sleep: Sendable, Hashable {
        case software
        case hardware
    }

    /// The state's name: `off`, `sleep`, `acquire` or `track`.
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
        /// A rechargeable cell on the board; it starts full and is charged while the main supply is on.
        ///
        /// An MS621 holds 5.5 mAh, 59 000 mJ at 3 V, and is charged with 0.3 mW.
        case cell(millijoules: Double, chargingMilliwatts: Double)
    }

    /// Faults that a receiver can be given in tests.
    public struct Faults: OptionSet, Sendable, Hashable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The receiver sends its reports, but receives nothing from the host, as with a broken wire.
        public static let neverAnswers = Faults(rawValue: 1)
        /// The receiver obeys, but answers with random bytes.
        public static let answersGarbage = Faults(rawValue: 2)
        /// The receiver refuses all commands, with an answer if its protocol has one; u-blox receivers still answer
        /// MON-VER.
        public static let refusesAll = Faults(rawValue: 4)
        /// The receiver acknowledges commands to sleep but stays awake.
        public static let ignoresSleep = Faults(rawValue: 8)
        /// The receiver ignores PCAS12, as some AT6558R do.
        public static let ignoresTimedStandby = Faults(rawValue: 16)
    }

    public struct Options: Sendable {
        /// The instant of the bench at which the trajectory and the receiver's life start.
        public var start = MonotonicInstant.zero
        /// Whether the supply is on at the start; without a `powerEnable` line it stays as it is.
        public var isPoweredAtStart = true
        public var backup = Backup.supply
        /// The instant at which the backup supply fails for good; nil for never.
        public var backupDies: MonotonicInstant?
        /// Whether every search takes the median time for its kind of start, for benches that run in real time.
        public var searchesTakeMedian = false
        /// Whether the host is connected to the receiver's USB port, and the UART to nothing.
        public var isAtUSB = false
        /// The initial rate of the receiver's UART, in bits per second; nil for the model's own.
        public var baud: Int?
        /// The age of the ephemerides at the start, in seconds; nil for a receiver that knows nothing.
        ///
        /// With an age, time and position are known too, if the backup supply has kept them.
        public var ephemerisAgeAtStart: Double?
        /// The standard deviation of the position in each horizontal axis while tracking, in metres.
        public var positionSigma = 3.0
        /// The factor by which the stated accuracies are scaled; 1 for a receiver that states them correctly.
        public var accuracyScale = 1.0
        /// The surroundings, which determine the errors and stated accuracies while the receiver tracks.
        public var surroundings = Surroundings.open
        /// The geoid separation (height of the geoid above the ellipsoid) in metres, the same everywhere.
        public var geoidSeparation = 47.0
        public var faults: Faults = []
        /// Seconds after which the receiver wakes by itself from any software sleep; nil for never.
        public var wakesBySelfAfter: Double?

        public init() {}
    }
}
