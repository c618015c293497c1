public import Boards

/// What an installation settles: one device, the sockets, and where things are kept.
public struct TrackerSettings: Sendable, Equatable {
    /// The receiver's device.
    public var device: String
    /// Bits per second; nil to find the rate.
    public var baud: Int?
    /// The Unix socket for Sextant's own protocol.
    public var socket = TrackerSettings.defaultSocket
    /// The socket's permissions.
    public var socketMode: UInt32 = 0o660
    /// The gpsd protocol's TCP port; nil for none, 0 for any free one.
    public var gpsdPort: UInt16? = TrackerSettings.defaultGPSDPort
    /// Where the gpsd protocol is offered; nil for loopback.
    public var gpsdAddresses: [String]?
    /// Where what was learned, and fixes that are held back for clients, are kept; nil to lose them with the daemon.
    public var stateDirectory: String?
    /// Where the Engine's inputs are recorded; nil for nowhere.
    public var recording: String?
    /// Who is served.
    public var clients = Clients.everyone
    /// Where systemd is asked to start clients; nil for the folder of the socket.
    public var wakeDirectory: String?

    /// The folder in which systemd is asked to start clients.
    public var wakeFolder: String {
        let folder = socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? "."
        return wakeDirectory ?? (folder.isEmpty ? "/" : folder)
    }
    /// The board that the receiver is wired to; nil where it is unknown, and nothing can be switched.
    public var board: Board?
    /// Seconds for which the receiver may be off while no motion sensor watches the board's rest; nil leaves it to the
    /// board.
    public var longestUnwatchedRest: Double?

    public static let defaultSocket = "/run/sextant/sextant.sock"
    static let defaultGPSDPort: UInt16 = 2947
    public static let defaultConfiguration = "/etc/sextant/sextant.json5"

    public enum Clients: Sendable, Equatable {
        /// Every process that can reach the socket.
        case everyone
        /// Whom the operator's files speak of.
        case files(ClientFiles)
        /// No client, since it is unknown whom the operator lets in; data kept about clients stays.
        case nobody

        /// The operator's files that say who is served; nil where they are not asked.
        public var files: ClientFiles? { if case .files(let files) = self { files } else { nil } }
    }

    /// Where the operator's files are.
    public struct ClientFiles: Sendable, Equatable {
        /// The folder of the manifests.
        public var manifests = "/etc/sextant/clients.d"
        public var policy = "/etc/sextant/policy.json5"

        public init() {}
    }

    public init(device: String, baud: Int?) {
        self.device = device
        self.baud = baud
    }

    /// The settings while the operator's wishes are unknown: no client is served, and nothing is kept.
    static var unknown: TrackerSettings {
        var settings = TrackerSettings(device: "", baud: nil)
        settings.forgetReceiver()
        settings.clients = .nobody
        settings.gpsdPort = nil
        return settings
    }

    /// Leaves what can be had without a receiver.
    mutating func forgetReceiver() {
        device = "receiver"
        baud = nil
        board = nil
        recording = nil
    }

    /// The device and its rate as the board has them.
    public init(board: Board) {
        self.init(device: board.receiver.device, baud: board.receiver.baud)
        self.board = board
    }
}
