public import Boards
public import HostSleep

/// The contents of an installation's own files, as the daemon would read them.
public struct Installation: Sendable {
    /// The path of the configuration in the examined system.
    public var configuration: String
    /// Why the configuration cannot be used, with the file, the key and the remedy; nil where it can be used.
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
    /// The chrony sockets that get the time: first for message times, then for pulses; empty if none is configured.
    public var timeSockets: [String] = []
    /// The device of the receiver's pulse per second, such as `/dev/pps0`; nil if the configuration names none.
    public var pulseDevice: String?
    /// The directory of the daemon's store; nil where nothing is stored.
    public var stateDirectory: String?
    /// The folder of the clients' manifests and the file with the operator's policy; empty where every process is
    /// served.
    public var clientFiles: [String]
    /// Why a client's manifest or the policy is ignored; each text names the file, the key and the remedy.
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

/// Facts that only the drivers or the daemon of a running system provide; nil where they were not asked.
public struct LiveFacts: Sendable {
    public var gpioChips: [GPIOChipFacts]?
    /// The answers of the board's sensor chips; nil where they were not asked or the bus could not be opened.
    public var sensors: [SensorAnswer]?
    /// Whether a client of the running daemon needs beacons, or `sextant doctor --beacons` asks what they would need.
    public var wantsBeacons = false
    /// Why the running daemon receives nothing from the GNSS receiver; nil if it does receive, does not run, or was not
    /// asked.
    public var receiverFault: String?
    /// The reasons that keep the board on, and how its last sleeps ended, as the daemon reports; nil if it was not
    /// asked.
    public var hostSleep: ToldSleep?
    /// The installed tables of places; nil where they were not looked for.
    public var placeTables: [PlaceTableFacts]?
    /// The enabled services besides the daemon that say that their configuration cannot be used, each with its reason;
    /// nil where they were not asked.
    public var serviceProblems: [(unit: String, reason: String)]?

    public init(gpioChips: [GPIOChipFacts]? = nil, sensors: [SensorAnswer]? = nil) {
        self.gpioChips = gpioChips
        self.sensors = sensors
    }
}

/// The daemon's account of the board's sleep.
public struct ToldSleep: Sendable {
    /// Why the board stays on.
    public var reasons: [StayAwakeReason]
    /// The wake causes of the last sleeps.
    public var ends: [WakeCause]
    /// The number of the last sleeps that ended more than a minute late.
    public var late: Int

    public init(reasons: [StayAwakeReason], ends: [WakeCause], late: Int) {
        self.reasons = reasons
        self.ends = ends
        self.late = late
    }
}

/// A table of place names, with what was found when it was opened.
public struct PlaceTableFacts: Sendable, Hashable {
    public var path: String
    /// Why the table of places cannot be used; nil where it can.
    public var problem: String?
    /// Whether a later release of Sextant made the table, so that only an upgrade of Sextant helps.
    public var isOfLaterSextant = false
    /// The day of its data, YYYY-MM-DD; nil where it does not say.
    public var date: String?
    /// The age of the data in days by this host's clock; nil where the table has no date.
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
    /// The fault and its remedy; nil if the chip answered as the expected model.
    public var problem: String?

    public init(role: String, problem: String?) {
        self.role = role
        self.problem = problem
    }
}
