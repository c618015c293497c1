/// The owner's settings of the uplink.
public struct UplinkConfiguration: Sendable, Equatable {
    /// The format of the messages, named after the programs that subscribe to them.
    public enum Format: String, Sendable, CaseIterable {
        /// Sextant's own topics, `sextant/1/ID/...`.
        case own
        /// The messages of the OwnTracks apps.
        case owntracks
    }

    /// The acknowledgement that counts as proof that a record arrived.
    public enum Delivery: String, Sendable, CaseIterable {
        /// The broker's PUBACK.
        case broker
        /// The `ack` message of the subscribing program, sent after its commit; only in Sextant's own format.
        case receiver
    }

    public enum Connection: Sendable, Equatable {
        case kept
        /// Connects at intervals of this many seconds, sends the waiting records each time, and disconnects.
        case every(seconds: Double)
    }

    public enum History: String, Sendable, CaseIterable {
        /// Every fix is delivered.
        case all
        /// Only the newest fix is sent, and no older fix is stored for later; all events are delivered.
        case none
    }

    /// A command that the uplink understands.
    public enum Command: String, Sendable, Hashable, CaseIterable {
        // Commands of Sextant's own format, on the topic `do`.
        case locate, accuracy, regions, sync
        // Commands of OwnTracks, on the topic `cmd`.
        case reportLocation, setWaypoints, clearWaypoints, waypoints, status
    }

    /// The device's name in topics, within `[a-z0-9_-]{1,32}`.
    public var id: String
    /// The device's readable name.
    public var name: String
    public var format = Format.own
    public var delivery = Delivery.broker
    public var connection = Connection.kept
    public var history = History.all
    /// Whether Home Assistant discovers the device; the live location is then also sent in Sextant's own format.
    public var homeAssistant = false
    /// The user and the device in OwnTracks' topics, and the two characters by which OwnTracks' maps show the device.
    public var owntracksUser = "sextant"
    public var owntracksDevice: String
    public var trackerID: String
    /// Whether the connection uses TLS, which needs to know the time.
    public var usesTLS = false
    /// The longest random delay before the first attempt to reconnect after a connection was lost, in seconds; 0 to
    /// 3600.
    public var spread = 15.0
    /// The MQTT keep-alive: after this many seconds without traffic, a PINGREQ tests the connection.
    public var keepAlive = 600
    /// The commands that are obeyed.
    public var commands: Set<Command> = []
    /// Once the uplink has cost the board this many joules within a day, commands are refused.
    public var commandJoules = 50.0
    /// Whether fixes, and not only events, are sent again to a broker that lost its session.
    public var repeatAfterBrokerLoss = false
    /// The largest total size of the waiting records, in bytes; the setting must be at least 64 KiB.
    public var maximumBytes = 32 << 20
    /// The largest number of waiting events; the setting must be at least 16.
    public var maximumEvents = 20_000
    /// The largest age of a waiting fix, in seconds; older fixes are dropped.
    public var maximumAge = 30 * 86_400.0
    /// Seconds between two batches of fixes; a batch that is full is sent earlier.
    public var batchSeconds = 1.0
    /// The largest number of PUBLISH messages in flight, that is, sent but without their PUBACK.
    public var window = 20

    public init(id: String, name: String) {
        self.id = id
        self.name = name
        owntracksDevice = id
        trackerID = String(id.suffix(2))
    }

    /// Whether a text is valid as the device's name in topics.
    ///
    /// It must have no dots and spaces, which NATS refuses, and no capital letters, which OwnTracks Recorder turns into
    /// small ones.
    public static func isID(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x61...0x7A, 0x30...0x39, 0x2D, 0x5F: true
                default: false
                }
            }
    }
}
