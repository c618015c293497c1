public import SextantUnits

/// The true power state of an emulated receiver, whatever the daemon believes.
public enum EmulatedPowerState: Sendable, Hashable {
    /// The receiver has neither main nor backup supply, and keeps nothing.
    case off
    /// The receiver is asleep: `software` after a command, with the main supply on, or `hardware` on the backup supply
    /// alone.
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
    /// The source that keeps a receiver's clock, ephemerides and battery-backed configuration while the receiver's main
    /// supply is off.
    public enum Backup: Sendable, Hashable {
        case none
        /// A backup supply that never runs empty.
        case supply
        /// A rechargeable cell on the board; it starts full and is charged while the main supply is on.
        ///
        /// An MS621 holds 5.5 mAh, 59 000 mJ at 3 V, and is charged with 0.3 mW.
        case cell(millijoules: Double, chargingMilliwatts: Double)
    }

    /// Faults that a test can give an emulated receiver.
    public struct Faults: OptionSet, Sendable, Hashable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The receiver sends its reports, but receives nothing from the host, as if a wire were broken.
        public static let neverAnswers = Faults(rawValue: 1)
        /// The receiver obeys commands, but answers them with random bytes.
        public static let answersGarbage = Faults(rawValue: 2)
        /// The receiver refuses all commands and says so if its protocol has a refusal; u-blox receivers still answer
        /// MON-VER.
        public static let refusesAll = Faults(rawValue: 4)
        /// The receiver acknowledges commands to sleep but stays awake.
        public static let ignoresSleep = Faults(rawValue: 8)
        /// The receiver ignores PCAS12, as some AT6558R do.
        public static let ignoresTimedStandby = Faults(rawValue: 16)
    }

    public struct Options: Sendable {
        /// The instant of the bench's clock at which the trajectory and the emulation of the receiver start.
        public var start = MonotonicInstant.zero
        /// Whether the main supply is on at the start; it stays so unless the line `powerEnable` is switched.
        public var isPoweredAtStart = true
        public var backup = Backup.supply
        /// The instant at which the backup supply fails for good; nil for never.
        public var backupDies: MonotonicInstant?
        /// Whether every search takes the median time for its kind of start instead of a random time; for tests that
        /// run in real time.
        public var searchesTakeMedian = false
        /// Whether the host is connected to the receiver's USB port; the receiver's UART is then connected to nothing.
        public var isAtUSB = false
        /// The initial baud rate of the receiver's UART, in bits per second; nil for the model's default.
        public var baud: Int?
        /// The age of the ephemerides at the start, in seconds; nil for a receiver that knows nothing.
        ///
        /// If there is an age, the receiver also knows time and position. All this needs a backup supply.
        public var ephemerisAgeAtStart: Double?
        /// The standard deviation of the position's error on each horizontal axis while tracking, in metres.
        public var positionSigma = 3.0
        /// The factor by which the accuracies that the receiver states are scaled; 1 for a receiver that states them
        /// correctly.
        public var accuracyScale = 1.0
        /// The surroundings, which determine the receiver's errors and stated accuracies while it tracks.
        public var surroundings = Surroundings.open
        /// The geoid separation (height of the geoid above the ellipsoid) in metres, the same everywhere.
        public var geoidSeparation = 47.0
        public var faults: Faults = []
        /// The number of seconds after which the receiver wakes by itself from any software sleep; nil for never.
        public var wakesBySelfAfter: Double?

        public init() {}
    }
}
