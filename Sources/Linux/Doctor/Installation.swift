public import Boards
public import HostSleep

/// What Sextant's own files on a system say, as the daemon would read them.
public struct Installation: Sendable {
    /// The path of the configuration file in the examined system.
    public var configuration: String
    /// Why the configuration cannot be used, with the file, the key and the remedy; nil if it can be used.
    public var problem: String?
    /// The path of the receiver's device; nil if it is not known.
    public var device: String?
    public var board: Board?
    /// The part that can cut the board's supply; nil if the board's file names none.
    public var hostSwitch: ExaminedSwitch?
    /// Whether the configuration allows the whole board to sleep, with its supply cut.
    public var allowsHostSleep = false
    /// Whether the configuration has spots (places) that the owner has marked with beacons.
    public var hasBeaconSpots = false
    /// The paths of chrony's sockets that get the time: the first one gets message times, the second one pulses; empty
    /// if none is configured.
    public var timeSockets: [String] = []
    /// The device of the receiver's pulse per second, such as `/dev/pps0`; nil if the configuration names none.
    public var pulseDevice: String?
    /// The folder of the daemon's store; nil if the daemon stores nothing.
    public var stateDirectory: String?
    /// The paths of the folder with the clients' manifests and of the file with the operator's policy; empty if every
    /// process is served.
    public var clientFiles: [String]
    /// Texts that say why clients' manifests or the policy are ignored, each with the file, the key and the remedy.
    public var clientProblems: [String]
    /// The client names that have a rule in the policy, but no manifest.
    public var rulesWithoutClient: [String] = []
    /// The newest version of the store's database that this release can read.
    public var knownStoreVersion: Int

    public init(configuration: String, knownStoreVersion: Int) {
        self.configuration = configuration
        self.knownStoreVersion = knownStoreVersion
        clientFiles = []
        clientProblems = []
    }
}

/// Facts that only the drivers or the daemon of a running system provide; each is nil if it was not asked for.
public struct LiveFacts: Sendable {
    public var gpioChips: [GPIOChipFacts]?
    /// The answers of the board's sensor chips; nil if the chips were not asked or the I2C bus could not be opened.
    public var sensors: [SensorAnswer]?
    /// Whether the checks of beacons are wanted: a client of the running daemon needs beacons, or the user wrote
    /// `sextant doctor --beacons`.
    public var wantsBeacons = false
    /// Why the running daemon receives nothing from the GNSS receiver; nil if it does receive, if no daemon runs, or if
    /// the daemon was not asked.
    public var receiverFault: String?
    /// What keeps the board on, and how its last sleeps ended, as the daemon reports; nil if the daemon was not asked.
    public var hostSleep: ToldSleep?
    /// The installed tables of place names; nil if they were not looked for.
    public var placeTables: [PlaceTableFacts]?
    /// The enabled services besides the daemon that say that their configuration cannot be used, each with its reason;
    /// nil if the services were not asked.
    public var serviceProblems: [(unit: String, reason: String)]?

    public init(gpioChips: [GPIOChipFacts]? = nil, sensors: [SensorAnswer]? = nil) {
        self.gpioChips = gpioChips
        self.sensors = sensors
    }
}

/// What the daemon reports about the sleep of the whole board.
public struct ToldSleep: Sendable {
    /// Why the board stays on.
    public var reasons: [StayAwakeReason]
    /// What woke the board from each of its last sleeps, as the daemon reports them.
    public var ends: [WakeCause]
    /// The number of the board's last sleeps, as the daemon reports them, that ended more than a minute too late.
    public var late: Int

    public init(reasons: [StayAwakeReason], ends: [WakeCause], late: Int) {
        self.reasons = reasons
        self.ends = ends
        self.late = late
    }
}

/// A table of place names, and what was found when the table was opened.
public struct PlaceTableFacts: Sendable, Hashable {
    public var path: String
    /// Why the table cannot be used; nil if it can.
    public var problem: String?
    /// Whether a later release of Sextant made the table, so that only an upgrade of Sextant helps.
    public var isOfLaterSextant = false
    /// The date of the table's data, YYYY-MM-DD; nil if the table does not state it.
    public var date: String?
    /// The age of the table's data in days, by this host's clock; nil if the table states no date.
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
        /// The GPIO line's name; nil if the line has none.
        public var name: String?
        /// The name of the program or driver that holds the GPIO line; nil if the line is free.
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
    /// What is wrong with the chip, and the remedy; nil if the chip answered as the expected model.
    public var problem: String?

    public init(role: String, problem: String?) {
        self.role = role
        self.problem = problem
    }
}
