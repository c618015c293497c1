public import SextantUnits

/// An input of the uplink: a message from the daemon or the broker, the result of an action, or the passing of time.
public enum UplinkInput: Sendable {
    /// The first input, before all others: the state of the queue as stored on the card.
    case start(UplinkStart)
    /// The client's authorization, as the daemon reports it; until the first report, nothing is sent.
    case authorization(UplinkAuthorization)
    /// A position, as the daemon reports it.
    case fix(UplinkFix)
    /// An event; if it has a `number`, the uplink acknowledges it to the daemon with `UplinkOutput.acknowledge` once
    /// the event is stored.
    case event(UplinkEvent)
    /// Whether the board is inside a region, from the daemon's list of regions; a later entry or exit comes as an
    /// event.
    case region(identifier: String, isInside: Bool)
    /// The event that `UplinkOutput.store` or `thin` had written is on the card; `n` is its record number.
    case stored(n: Int64)
    /// How many fixes and how many events wait, and their total size in bytes; follows every `remove`, `discard`,
    /// `thin`, `removeOldestEvents` and `eraseQueue`.
    case load(UplinkLoad)
    /// The answer to `UplinkOutput.read`: the records, in the order of their numbers, at most as many as requested;
    /// fewer only if there are no more.
    case rows([UplinkRecord])
    /// The answer to `UplinkOutput.read` if the queue cannot be read now; the uplink asks again 30 s later.
    case unreadable
    /// The connection is made: CONNACK with code 0.
    case connected(hadSession: Bool)
    /// A connection ended, or an attempt to connect failed. This input follows every `disconnect`, and every `connect`
    /// after which `connected` does not come.
    case connectionEnded(UplinkEnd)
    /// The PUBACK for a message has come.
    case delivered(token: UInt32)
    /// A message has come on a topic to which the uplink subscribes.
    case message(topic: String, payload: [UInt8], isRetained: Bool)
    /// A command ended; `problem` is nil if it was done, otherwise a sentence that says why not.
    case commandEnded(id: String, problem: String?)
    /// The state of the device's battery; nil if it has none.
    case battery(UplinkBattery?)
    /// The battery has become low; this input comes again only if the battery has recovered in between.
    case lowBattery
    /// The joules that the board used in the last day, and the joules that the uplink has cost the board since the
    /// daemon started.
    case energy(lastDay: Double, client: Double)
    /// An operator erases all data of this client: the queue, and the newest location that the broker retains.
    case erase
    /// The waiting records should be sent now: the next attempt to connect is made at once.
    case sendNow
    /// The instant of `UplinkOutput.wake` has come, or the wall clock can now be trusted.
    case tick
}

/// The queue's state when the program starts.
public struct UplinkStart: Sendable {
    /// 32 random bits that identify the queue; made when the queue was made.
    public var series: UInt32
    /// The number of the next record; the first is 1.
    public var next: Int64
    public var load = UplinkLoad()
    /// The time of the newest fix that was ever stored as a record.
    ///
    /// A fix with this time or an earlier one is a repetition, because the daemon answers each new request for
    /// positions with its last fix first.
    public var newestFixTime: UTCInstant?
    /// The identities of the newest 1000 events that were stored, oldest first.
    public var identities: [UInt64] = []
    /// The ids of the last 1000 commands that were obeyed, oldest first.
    public var commandIDs: [String] = []
    /// The regions that were added by commands.
    public var regions: [UplinkRegion] = []
    /// Whether the broker holds a retained message with a location of this device.
    public var hasRetained = false

    public init(series: UInt32, next: Int64) {
        self.series = series
        self.next = next
    }
}

/// How many fixes and how many events wait, and their total size in bytes.
public struct UplinkLoad: Sendable, Equatable {
    public var fixes: Int
    public var events: Int
    /// The sum of `UplinkRecord.cost` over the waiting records, in bytes.
    public var bytes: Int
    /// The lowest record number in the queue; nil if the queue is empty.
    public var oldest: Int64?
    /// The time of the oldest waiting record whose time is known.
    public var oldestTime: UTCInstant?

    public init(
        fixes: Int = 0, events: Int = 0, bytes: Int = 0, oldest: Int64? = nil, oldestTime: UTCInstant? = nil
    ) {
        self.fixes = fixes
        self.events = events
        self.bytes = bytes
        self.oldest = oldest
        self.oldestTime = oldestTime
    }
}

/// Whether the owner allows this client to receive locations, and of which accuracy: full or reduced.
public enum UplinkAuthorization: Sendable, Equatable {
    case full
    case reduced
    /// The client is denied locations; the reason is in words.
    ///
    /// No input is stored, and nothing is sent except the message that clears the location that the broker retains;
    /// then the connection is closed.
    case denied(String)
}

/// How a connection, or an attempt at one, ended.
public enum UplinkEnd: Sendable, Equatable {
    /// The uplink ended the connection with `disconnect`.
    case asked
    /// The network or the broker was lost or could not be reached; the reason is in words.
    case lost(String)
    /// The connection was refused: CONNACK with code 1 to 5, a TLS alert, or a certificate that cannot be trusted; the
    /// reason is in words. The next attempt is made 10 min later.
    case refused(String)
}

public struct UplinkBattery: Sendable, Equatable {
    /// The battery's charge in percent, 0 to 100.
    public var percent: Int
    /// Whether the battery is being charged now; nil if that is not known.
    public var isCharging: Bool?

    public init(percent: Int, isCharging: Bool?) {
        self.percent = percent
        self.isCharging = isCharging
    }
}
