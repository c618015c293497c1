public import SextantUnits

/// An action that the surrounding program must do, because the uplink itself does no input or output; the actions must
/// be done in the order in which they come.
public enum UplinkOutput: Sendable, Equatable {
    // MARK: The queue

    /// Adds a record to the queue. An event is written to the card, with its identity, and then `UplinkInput.stored`
    /// follows; a fix is allowed to wait in memory.
    case store(UplinkRecord)
    /// Removes from the queue fixes that are too old.
    case discard(fixes: [Int64])
    /// Removes fixes to make room and stores the event that reports their removal, in one transaction; then
    /// `UplinkInput.stored` follows.
    case thin(removing: [Int64], record: UplinkRecord)
    /// Removes the records with these numbers, because they are delivered or dropped; it is no error if some do not
    /// exist.
    case remove(ClosedRange<Int64>)
    /// Removes the oldest events.
    case removeOldestEvents(count: Int)
    /// Reads at most `limit` records in the order of their numbers, from the number `from` on: only fixes, only events,
    /// or both if `kind` is nil. `UplinkInput.rows` or `unreadable` follows; only one such action is open at a time.
    case read(from: Int64, kind: UplinkRecord.Kind?, limit: Int)
    /// Erases the queue and the regions that were added by commands; later records continue the numbering.
    case eraseQueue

    /// Stores whether the broker holds a retained message with a location of this device.
    case noteRetained(Bool)

    // MARK: The broker

    /// Connects as `sextant-ID`, with clean session off. The MQTT client library's own queue of messages must first be
    /// emptied, because the uplink itself repeats messages.
    case connect(will: UplinkMessage?)
    /// Sends DISCONNECT, so that the connection ends without the broker publishing the will message.
    case disconnect
    case subscribe(topic: String)
    /// Sends PUBLISH with QoS 1; `UplinkInput.delivered` follows.
    case publish(UplinkMessage, token: UInt32)

    // MARK: The daemon

    /// Acknowledges to the daemon the event with this number, which is on the card.
    case acknowledge(number: UInt64)
    case command(RemoteCommand)
    /// Stores the id of an obeyed command; the last 1000 ids are kept.
    case rememberCommand(id: String)
    /// Stores a region, in place of any region with the same identifier, and has the daemon monitor it.
    case setRegion(UplinkRegion)
    case removeRegion(identifier: String)

    /// Requests the input `UplinkInput.tick` at an instant, in place of any earlier request; nil: no tick is wanted.
    case wake(at: MonotonicInstant?)
}

/// A message to publish.
public struct UplinkMessage: Sendable, Equatable {
    public var topic: String
    public var payload: [UInt8]
    public var isRetained: Bool
    /// Whether the payload must be compressed (zlib, RFC 1950) before it is published.
    public var isCompressed: Bool

    public init(topic: String, payload: [UInt8], isRetained: Bool = false, isCompressed: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.isCompressed = isCompressed
    }
}

/// A request to the daemon that a command causes; when it ends, `UplinkInput.commandEnded` follows with the command's
/// id.
public enum RemoteCommand: Sendable, Equatable {
    /// Requests one location from the daemon, which arrives like any other fix; accuracy in metres, nil for the best;
    /// timeout in seconds.
    case locate(id: String, accuracy: Double?, timeout: Double?)
    /// Changes the settings of the location updates for `duration` seconds: accuracy and distance filter in metres,
    /// minimum interval in seconds.
    case accuracy(
        id: String, accuracy: Double?, distanceFilter: Double?, minimumInterval: Double?, duration: Double)
    /// Has the daemon monitor the regions of a GeoJSON object, given as text.
    case regions(id: String, geoJSON: [UInt8])

    public var id: String {
        switch self {
        case .locate(let id, _, _), .accuracy(let id, _, _, _, _), .regions(let id, _): id
        }
    }
}

/// A circular region that was added by a command.
public struct UplinkRegion: Sendable, Equatable {
    /// The region's identifier at the daemon: OwnTracks' `rid`, or its `tst` if there is no `rid`.
    public var identifier: String
    /// The region's readable name.
    public var name: String
    /// The centre's latitude and longitude in degrees, WGS 84.
    public var latitude: Double
    public var longitude: Double
    /// The region's radius in metres.
    public var radius: Double
    /// When the region was created, in seconds since 1970: OwnTracks' `tst`, or 0 if the command gave none.
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
