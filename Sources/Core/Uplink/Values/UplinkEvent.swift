public import SextantJSON
public import SextantUnits

/// An event that the uplink sends to the broker.
public struct UplinkEvent: Sendable, Equatable {
    /// The kind of event; its raw value is the text of `event_type` in messages.
    public enum Kind: String, Sendable, CaseIterable {
        case enter, exit, dwell, arrival, departure, significantChange, thinned, lowBattery
    }

    public var kind: Kind
    /// The number that the daemon gave the event, with which the event is acknowledged to the daemon; nil for an event
    /// that the uplink made.
    public var number: UInt64?
    /// The region's identifier.
    public var region: String?
    /// A further topic, named by the daemon, to which the event goes besides the topic `event`; nil for none.
    public var topic: String?
    /// When the event happened, and (`confirmed`) when it became certain that it had; nil if no clock could be trusted.
    public var time: UTCInstant?
    public var confirmed: UTCInstant?
    /// When the uplink received the event.
    public var heard: MonotonicInstant
    /// The position in degrees and the radius in metres that contains 68 % of its errors; if the daemon gives none,
    /// those of the newest fix, or the centre and the radius of the region.
    public var latitude: Double?
    public var longitude: Double?
    public var horizontalAccuracy: Double?

    public init(
        _ kind: Kind, number: UInt64?, region: String? = nil, time: UTCInstant?, confirmed: UTCInstant? = nil,
        heard: MonotonicInstant
    ) {
        self.kind = kind
        self.number = number
        self.region = region
        self.time = time
        self.confirmed = confirmed
        self.heard = heard
    }
}

extension UplinkEvent {
    /// Reads one of the daemon's events `regionEvent`, `visit` or `location`, the last only if it has a number.
    ///
    /// - Parameters:
    ///   - line: The members of one line (one JSON object) from the daemon.
    ///   - instant: When the line came.
    /// - Returns: Nil if the line is not an event that the uplink sends; such a line is still acknowledged to the
    ///   daemon.
    public init?(daemonLine line: JSONMembers, at instant: MonotonicInstant) {
        guard let event = line.text("event"), let number = line.number("number").flatMap({ UInt64(exactly: $0) })
        else { return nil }
        let departure = line.instant("departure")
        let kind: Kind
        switch event {
        case "regionEvent":
            guard let found = line.text("transition").flatMap({ Kind(rawValue: $0) }),
                [.enter, .exit, .dwell].contains(found)
            else { return nil }
            kind = found
        case "visit": kind = departure == nil ? .arrival : .departure
        case "location": kind = .significantChange
        default: return nil
        }
        let time = event == "visit" ? departure ?? line.instant("arrival") : line.instant("time")
        self.init(
            kind, number: number, region: line.text("identifier"), time: time, confirmed: line.instant("confirmed"),
            heard: instant)
        latitude = line.number("latitude")
        longitude = line.number("longitude")
        horizontalAccuracy = line.number("horizontalAccuracy")
        topic = line.text("topic")
    }
}
