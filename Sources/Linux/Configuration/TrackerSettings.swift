public import Boards
internal import ClientVocabulary
public import HostSleep
public import Monitors
public import SextantUnits

/// The settings of one installation: its receiver, its sockets, and the paths of the files that the daemon keeps.
public struct TrackerSettings: Sendable, Equatable {
    /// The path of the device at which the receiver is.
    public var device: String
    /// The receiver's baud rate in bits per second; nil if the daemon is to detect it.
    public var baud: Int?
    /// The path of the Unix socket for Sextant's own protocol.
    public var socket = TrackerSettings.defaultSocket
    /// The permission bits of the Unix socket's file.
    public var socketMode: UInt32 = 0o660
    /// The TCP port of the gpsd protocol; nil if the protocol is not offered, 0 for any free port.
    public var gpsdPort: UInt16? = TrackerSettings.defaultGPSDPort
    /// The IP addresses on which the gpsd protocol is offered; nil for loopback.
    public var gpsdAddresses: [String]?
    /// The folder for what the daemon learns, what it stores about clients, and fixes that it holds back for them;
    /// nil if all this is lost when the daemon ends.
    public var stateDirectory: String?
    /// The path of the file that records the Engine's inputs for a replay; nil for no recording.
    public var recording: String?
    /// Whether the tracker must not run if it cannot record, because a person asked for the recording on the command
    /// line.
    public var requiresRecording = false
    /// The clients that are served.
    public var clients = Clients.everyone
    /// The folder into which the daemon writes files that ask systemd to start clients; nil for the folder of the
    /// socket.
    public var wakeDirectory: String?

    /// The folder into which the daemon writes files that ask systemd to start clients.
    public var wakeFolder: String {
        let folder = socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? "."
        return wakeDirectory ?? (folder.isEmpty ? "/" : folder)
    }
    /// The board to which the receiver is wired; nil if it is unknown, so that no GPIO line can be switched.
    public var board: Board?
    /// The longest time in seconds for which the receiver may stay off while no motion sensor would report that the
    /// board moves; nil to use the board's value.
    public var longestUnwatchedRest: Double?
    /// The day of the recording that is played to the receiver's device, with which the receiver's incomplete dates are
    /// completed.
    ///
    /// Nil for a real receiver, whose dates are close to the host clock's.
    public var date: CivilDate?
    /// The owner's settings for the sleep of the whole board; nil if the file has none.
    public var hostSleep: HostSleepSettings?
    /// How chrony, the host's time daemon, gets the receiver's time; nil if it does not get the time.
    public var time: TimeSettings?
    /// The places that the owner has marked with beacons, near which no GNSS receiver is needed.
    public var spots: [BeaconSpot] = []

    public static let defaultSocket = SocketPath.standard
    static let defaultGPSDPort: UInt16 = 2947
    public static let defaultConfiguration = "/etc/sextant/sextant.json5"

    public enum Clients: Sendable, Equatable {
        /// Every process that can reach the daemon's socket is a client.
        case everyone
        /// Only the clients that the operator's files name.
        case files(ClientFiles)
        /// No client is served, because what the operator wishes is unknown; stored data about clients is kept.
        case nobody

        /// The operator's files that say which clients are served; nil if no files are used.
        public var files: ClientFiles? { if case .files(let files) = self { files } else { nil } }
    }

    /// The paths of the operator's files.
    public struct ClientFiles: Sendable, Equatable {
        /// The folder of the clients' manifests.
        public var manifests = "/etc/sextant/clients.d"
        public var policy = "/etc/sextant/policy.json5"

        public init() {}
    }

    public init(device: String, baud: Int?) {
        self.device = device
        self.baud = baud
    }

    /// The settings if what the operator wishes is unknown: no client is served, and nothing is stored.
    static var unknown: TrackerSettings {
        var settings = TrackerSettings(device: "", baud: nil)
        settings.forgetReceiver()
        settings.clients = .nobody
        settings.gpsdPort = nil
        return settings
    }

    /// Removes the receiver, and all settings that are useless without a receiver.
    mutating func forgetReceiver() {
        device = "receiver"
        baud = nil
        board = nil
        recording = nil
    }

    /// Makes the settings for a board without a configuration file; the device and the baud rate come from the board's
    /// file.
    public init(board: Board) {
        self.init(device: board.receiver.device, baud: board.receiver.baud)
        self.board = board
    }
}
