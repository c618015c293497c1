public import Boards
public import HostSleep

/// The contents of an installation's own files, as the daemon would read them.
public struct Installation: Sendable {
    /// The path of the configuration in the examined system.
    public var configuration: String
    /// Why the configuration cannot be used, with the file, the key and the mend; nil where it can be used.
    public var problem: String?
    /// The receiver's device; nil where it is not known.
    public var device: String?
    public var board: Board?
    /// The switch of the board's supply; nil where the board's file names none.
    public var hostSwitch: ExaminedSwitch?
    /// Whether the configuration lets the board sleep as a whole.
    public var allowsHostSleep = false
    /// Whether the configuration has spots that are marked by beacons.
    public var hasBeaconSpots = false
    /// The sockets of chrony to which the receiver's time goes, that of its pulses last; empty where it goes nowhere.
    public var timeSockets: [String] = []
    /// The device of the receiver's pulses; nil where they are left alone.
    public var pulseDevice: String?
    /// The directory of the daemon's store; nil where nothing is stored.
    public var stateDirectory: String?
    /// The folder of the clients' manifests and the file with the operator's policy; empty where every process is
    /// served.
    public var clientFiles: [String]
    /// Why a client's manifest or the policy is ignored, each with its file, its key and the mend.
    public var clientProblems: [String]
    /// The names for which the policy has a rule, and which no manifest has.
    public var rulesWithoutClient: [String] = []
    /// The newest version of the store that this release knows.
    public var knownStoreVersion: Int

    public init(configuration: String, knownStoreVersion: Int) {
        self.configuration = configuration
        self.knownStoreVersion = knownStoreVersion
        clientFiles = []
        clientProblems = []
    }
}

/// Facts that only the drivers of a running system provide; nil where they were not asked.
public struct LiveFacts: Sendable {
    public var gpioChips: [GPIOChipFacts]?
    /// The answers of the board's sensor chips; nil where they were not asked or the bus could not be opened.
    public var sensors: [SensorAnswer]?
    /// Whether somebody looks for beacons, as the daemon says, or is about to.
    public var wantsBeacons = false
    /// Why the running daemon does not hear the receiver; nil where it does, does not run, or was not asked.
    public var receiverFault: String?
    /// Why the board stays on, and how its last sleeps ended, as the running daemon says; nil where it was not asked.
    public var hostSleep: ToldSleep?
    /// The installed tables of places; nil where they were not looked for.
    public var placeTables: [PlaceTableFacts]?

    public init(gpioChips: [GPIOChipFacts]? = nil, sensors: [SensorAnswer]? = nil) {
        self.gpioChips = gpioChips
        self.sensors = sensors
    }
}

/// The daemon's account of the board's sleep.
public struct ToldSleep: Sendable {
    /// Why the board stays on.
    public var reasons: [StayAwakeReason]
    /// The causes that ended the last sleeps.
    public var ends: [WakeCause]
    /// How many of them ended more than a minute late.
    public var late: Int

    public init(reasons: [StayAwakeReason], ends: [WakeCause], late: Int) {
        self.reasons = reasons
        self.ends = ends
        self.late = late
    }
}

/// A table of the names of places, as whoever reads it found it.
public struct PlaceTableFacts: Sendable, Hashable {
    public var path: String
    /// Why the table of places cannot be used; nil where it can.
    public var problem: String?
    /// Whether a later Sextant made it, so that making it again is in vain.
    public var isOfLaterSextant = false
    /// The day of its data, YYYY-MM-DD; nil where it does not say.
    public var date: String?
    /// The days that have passed since then by this host's clock; nil where the table does not say.
    public var ageInDays: Int?

    public init(path: String, problem: String? = nil, date: String? = nil, ageInDays: Int? = nil) {
        self.path = path
        self.problem = problem
        self.date = date
        self.ageInDays = ageInDays
    }
}

/// A GPIO chip and its lines.
public struct GPIOChipFacts: Sendable, Hashable {
    public struct Line: Sendable, Hashable {
        /// The line's name; nil where it has none.
        public var name: String?
        /// The consumer that holds the line; nil where the line is free.
        public var consumer: String?

        public init(name: String?, consumer: String? = nil) {
            self.name = name
            self.consumer = consumer
        }
    }

    public var label: String
    public var lines: [Line]

    public init(label: String, lines: [Line]) {
        self.label = label
        self.lines = lines
    }
}

/// The answer of one of the board's sensor chips.
public struct SensorAnswer: Sendable, Hashable {
    /// The chip's role on the board: magnetometer or accelerometer.
    public var role: String
    /// The fault, with the mend; nil where the chip answered as the expected model.
    public var problem: String?

    public init(role: String, problem: String?) {
        self.role = role
        self.problem = problem
    }
}
