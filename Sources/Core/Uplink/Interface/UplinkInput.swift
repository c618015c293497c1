public import SextantUnits

/// An event that the uplink handles.
public enum UplinkInput: Sendable {
    /// The first input: what the queue holds. Nothing else is given before it.
    case start(UplinkStart)
    /// The daemon's word on whether this client may have locations; nothing is sent before it came.
    case authorization(UplinkAuthorization)
    /// A position, as the daemon reports it.
    case fix(UplinkFix)
    /// An event; one with a `number` is acknowledged by `UplinkOutput.acknowledge` once it is stored.
    case event(UplinkEvent)
    /// Whether the board is inside a region, as the daemon lists it; events tell what changes.
    case region(identifier: String, isInside: Bool)
    /// An event that was given by `UplinkOutput.store` is on the card.
    case stored(n: Int64)
    /// The queue's counts now: after every `remove`, `discard`, `thin`, `removeOldestEvents` and `eraseQueue`.
    case load(UplinkLoad)
    /// The answer to `UplinkOutput.read`: the records, in the order of their numbers, at most as many as asked for;
    /// fewer only where there are no more.
    case rows([UplinkRecord])
    /// The answer to `UplinkOutput.read` where the queue cannot be read now; the question is asked again 30 s later.
    case unreadable
    /// CONNACK with code 0.
    case connected(hadSession: Bool)
    /// A connection ended, or an attempt at one failed. Every `connect` that does not end in `connected` ends in this,
    /// and so does a `disconnect`.
    case connectionEnded(UplinkEnd)
    /// PUBACK of a message.
    case delivered(token: UInt32)
    /// A message on a topic that was subscribed to.
    case message(topic: String, payload: [UInt8], isRetained: Bool)
    /// How a command ended; `problem` is nil where it was done, else a sentence.
    case commandEnded(id: String, problem: String?)
    /// The state of the device's battery; absent where it has none.
    case battery(UplinkBattery?)
    /// The battery is low: told once for each time.
    case lowBattery
    /// Joules of the last day by the daemon's ledger, and joules that this client caused since the daemon started.
    case energy(lastDay: Double, client: Double)
    /// The operator erases what is kept, here and, of the newest location, at the broker.
    case erase
    /// Somebody wants what waits to be sent now: the next attempt is made at once.
    case sendNow
    /// The instant of `UplinkOutput.wake`; also the way to tell that the wall clock is trusted now.
    case tick
}

/// The queue's state at the start.
public struct UplinkStart: Sendable {
    /// 32 random bits, made with the queue.
    public var series: UInt32
    /// The number of the next record, from 1 on.
    public var next: Int64
    public var load = UplinkLoad()
    /// The time of the newest fix that ever had a number: the daemon repeats its last fix to a new watch.
    public var newestFixTime: UTCInstant?
    /// Identities of the newest 1000 events that were stored, in their order.
    public var identities: [UInt64] = []
    /// The ids of the newest 1000 commands, in their order.
    public var commandIDs: [String] = []
    /// The regions that commands gave.
    public var regions: [UplinkRegion] = []
    /// Whether the broker retains a location of this device.
    public var hasRetained = false

    public init(series: UInt32, next: Int64) {
        self.series = series
        self.next = next
    }
}

/// The queue's counts.
public struct UplinkLoad: Sendable, Equatable {
    public var fixes: Int
    public var events: Int
    /// The waiting records' `cost`, summed.
    public var bytes: Int
    /// The lowest number in the queue; nil where it is empty.
    public var oldest: Int64?
    /// The time of the oldest record that has one.
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

/// Whether this client may have locations.
public enum UplinkAuthorization: Sendable, Equatable {
    case full
    case reduced
    /// Nothing is taken and nothing is sent, but for what clears the location that the broker retains; then the
    /// connection is closed. The reason, in words.
    case denied(String)
}

/// How a connection, or an attempt at one, ended.
public enum UplinkEnd: Sendable, Equatable {
    /// As asked, by `disconnect`.
    case asked
    /// The network or the broker went away, or was not there; in words.
    case lost(String)
    /// CONNACK 1 to 5, or an alert of TLS, or a certificate that cannot be trusted; in words. Tried every 10 min.
    case refused(String)
}

public struct UplinkBattery: Sendable, Equatable {
    /// 0 to 100.
    public var percent: Int
    /// Whether the battery is charged now; nil where it does not tell.
    public var isCharging: Bool?

    public init(percent: Int, isCharging: Bool?) {
        self.percent = percent
        self.isCharging = isCharging
    }
}
