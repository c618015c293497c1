/// The owner's settings of the uplink.
public struct UplinkConfiguration: Sendable, Equatable {
    /// The form of messages that a receiver understands.
    public enum Format: String, Sendable, CaseIterable {
        /// Sextant's own topics, `sextant/1/ID/...`.
        case own
        /// The messages of the OwnTracks apps.
        case owntracks
    }

    /// The proof that a record arrived.
    public enum Delivery: String, Sendable, CaseIterable {
        /// The broker's PUBACK.
        case broker
        /// The receiver's `ack`, after its commit; only in the own format.
        case receiver
    }

    public enum Connection: Sendable, Equatable {
        case kept
        /// Connects after as many seconds, sends what waits, and disconnects.
        case every(seconds: Double)
    }

    public enum History: String, Sendable, CaseIterable {
        /// Every fix is delivered.
        case all
        /// Fixes are told only while they are new; events are all delivered.
        case none
    }

    /// A command that the uplink may be given.
    public enum Command: String, Sendable, Hashable, CaseIterable {
        // Sextant's own, in `do`.
        case locate, accuracy, regions, sync
        // OwnTracks' own, in `cmd`.
        case reportLocation, setWaypoints, clearWaypoints, waypoints, status
    }

    /// The device's name in topics, within `[a-z0-9_-]{1,32}`.
    public var id: String
    /// The device's name for people.
    public var name: String
    public var format = Format.own
    public var delivery = Delivery.broker
    public var connection = Connection.kept
    public var history = History.all
    /// Whether Home Assistant is told of the device; the live location is then told in the own format as well.
    public var homeAssistant = false
    /// The user and the device in OwnTracks' topics, and the two characters that its maps show.
    public var owntracksUser = "sextant"
    public var owntracksDevice: String
    public var trackerID: String
    /// Whether the broker is reached by TLS, for which the time has to be known.
    public var usesTLS = false
    /// Seconds within which the first attempt after a loss is made, at random; 0 to 3600.
    public var spread = 15.0
    /// Seconds after which a connection without traffic is tested.
    public var keepAlive = 600
    /// The commands that are obeyed.
    public var commands: Set<Command> = []
    /// Joules a day that commands may cost.
    public var commandJoules = 50.0
    /// Whether fixes too are sent again to a broker that lost its session, not only events.
    public var repeatAfterBrokerLoss = false
    /// Bytes of waiting records, from 64 KiB on.
    public var maximumBytes = 32 << 20
    /// Waiting events, from 16 on.
    public var maximumEvents = 20_000
    /// Seconds after which a waiting fix is given up.
    public var maximumAge = 30 * 86_400.0
    /// Seconds from one batch of fixes to the next, unless it is full.
    public var batchSeconds = 1.0
    /// The most PUBLISH without PUBACK.
    public var window = 20

    public init(id: String, name: String) {
        self.id = id
        self.name = name
        owntracksDevice = id
        trackerID = String(id.suffix(2))
    }

    /// Whether a text may be the device's name in topics.
    ///
    /// No dot and no space, which NATS refuses in a topic, and no capital, which OwnTracks Recorder changes.
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
