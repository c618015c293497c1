public import SextantUnits

/// An action that the edge does for the uplink, in the order given.
public enum UplinkOutput: Sendable, Equatable {
    // MARK: The queue

    /// Adds a record with its number. An event is committed to the card, with its identity, and then told by
    /// `UplinkInput.stored`; a fix may wait in memory.
    case store(UplinkRecord)
    /// Removes fixes that are too old.
    case discard(fixes: [Int64])
    /// Removes fixes and stores the event that says so, in one transaction; then told by `UplinkInput.stored`.
    case thin(removing: [Int64], record: UplinkRecord)
    /// Removes what is delivered or given up; the numbers between need not exist.
    case remove(ClosedRange<Int64>)
    /// Removes the oldest events.
    case removeOldestEvents(count: Int)
    /// Asks for records from a number on, of one kind or of both, in the order of their numbers; answered by
    /// `UplinkInput.rows` or `unreadable`. One question at a time.
    case read(from: Int64, kind: UplinkRecord.Kind?, limit: Int)
    /// Empties the queue and wipes it, with the regions that commands gave; numbers go on.
    case eraseQueue

    /// Keeps whether the broker retains a location of this device.
    case noteRetained(Bool)

    // MARK: The broker

    /// Connects, as `sextant-ID`, clean session off. A client library's own queue is empty before: what is sent again,
    /// the uplink sends again itself.
    case connect(will: UplinkMessage?)
    /// DISCONNECT; the connection ends, without its will.
    case disconnect
    case subscribe(topic: String)
    /// PUBLISH with QoS 1; answered by `UplinkInput.delivered`.
    case publish(UplinkMessage, token: UInt32)

    // MARK: The daemon

    /// The event of this number is on the card.
    case acknowledge(number: UInt64)
    case command(UplinkCommand)
    /// Keeps the id of a command, among the newest 1000.
    case rememberCommand(id: String)
    /// Keeps a region, in place of the one with its identifier, and has it monitored.
    case setRegion(UplinkRegion)
    case removeRegion(identifier: String)

    /// Wants `UplinkInput.tick` at an instant, in place of what was wanted before; nil for never.
    case wake(at: MonotonicInstant?)
}

/// A message to publish.
public struct UplinkMessage: Sendable, Equatable {
    public var topic: String
    public var payload: [UInt8]
    public var isRetained: Bool
    /// Whether the edge compresses the payload (zlib, RFC 1950) before it publishes it.
    public var isCompressed: Bool

    public init(topic: String, payload: [UInt8], isRetained: Bool = false, isCompressed: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.isCompressed = isCompressed
    }
}

/// A command's request to the daemon; the edge tells its end by `UplinkInput.commandEnded` with its id.
public enum UplinkCommand: Sendable, Equatable {
    /// One location, which arrives like any other fix: accuracy in metres, nil for the best; timeout in seconds.
    case locate(id: String, accuracy: Double?, timeout: Double?)
    /// Settings of the watch for a while: metres, metres, seconds, seconds.
    case accuracy(
        id: String, accuracy: Double?, distanceFilter: Double?, minimumInterval: Double?, duration: Double)
    /// Regions as GeoJSON: the text of the object, for the edge to have monitored.
    case regions(id: String, geoJSON: [UInt8])

    public var id: String {
        switch self {
        case .locate(let id, _, _), .accuracy(let id, _, _, _, _), .regions(let id, _): id
        }
    }
}

/// A circular region that a command gave.
public struct UplinkRegion: Sendable, Equatable {
    /// The daemon's name for it: OwnTracks' `rid`, else its `tst`.
    public var identifier: String
    /// The region's name for people.
    public var name: String
    /// Degrees, WGS 84.
    public var latitude: Double
    public var longitude: Double
    /// Metres.
    public var radius: Double
    /// OwnTracks' `tst`, seconds since 1970.
    public var timestamp: Int64

    public init(
        identifier: String, name: String, latitude: Double, longitude: Double, radius: Double, timestamp: Int64
    ) {
        self.identifier = identifier
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
        self.timestamp = timestamp
    }
}
