internal import SextantJSON
public import SextantUnits

/// Reads the daemon's lines: `location`, `regionEvent` and `visit`.
extension UplinkFix {
    /// - Parameters:
    ///   - line: One line of the daemon.
    ///   - at: When the line came.
    /// - Returns: Nil if the line is not a `location` with coordinates and an accuracy.
    public init?(daemonLine line: [UInt8], at instant: MonotonicInstant) {
        guard case .object(let members) = try? JSONValue(parsing: line), case .string("location") = members["event"]
        else { return nil }
        let reader = LineMembers(members)
        guard let latitude = reader.number("latitude"), let longitude = reader.number("longitude"),
            let accuracy = reader.number("horizontalAccuracy")
        else { return nil }
        self.init(
            time: reader.time("time"), measured: instant.advanced(bySeconds: -(reader.number("age") ?? 0)),
            latitude: latitude, longitude: longitude, horizontalAccuracy: accuracy)
        altitude = reader.number("altitudeAboveMeanSeaLevel")
        verticalAccuracy = reader.number("verticalAccuracy")
        speed = reader.number("speed")
        course = reader.number("course")
        if case .bool(true) = members["simulated"] { isSimulated = true }
    }
}

extension UplinkEvent {
    /// - Returns: Nil if the line is not an event that the uplink sends; it is still acknowledged to the daemon.
    public init?(daemonLine line: [UInt8], at instant: MonotonicInstant) {
        guard case .object(let members) = try? JSONValue(parsing: line), case .string(let event) = members["event"]
        else { return nil }
        let reader = LineMembers(members)
        guard let number = reader.number("number").flatMap({ UInt64(exactly: $0) }) else { return nil }
        let departure = reader.time("departure")
        let kind: Kind
        switch event {
        case "regionEvent":
            guard case .string(let transition) = members["transition"], let found = Kind(rawValue: transition),
                [.enter, .exit, .dwell].contains(found)
            else { return nil }
            kind = found
        case "visit": kind = departure == nil ? .arrival : .departure
        case "location": kind = .significantChange
        default: return nil
        }
        let time = event == "visit" ? departure ?? reader.time("arrival") : reader.time("time")
        var region: String?
        if case .string(let identifier) = members["identifier"] { region = identifier }
        self.init(
            kind, number: number, region: region, time: time, confirmed: reader.time("confirmed"), heard: instant)
        latitude = reader.number("latitude")
        longitude = reader.number("longitude")
        horizontalAccuracy = reader.number("horizontalAccuracy")
        if case .string(let text) = members["topic"] { topic = text }
    }
}

private struct LineMembers {
    private let members: [String: JSONValue]

    init(_ members: [String: JSONValue]) { self.members = members }

    func number(_ key: String) -> Double? {
        guard case .number(let number) = members[key], number.isFinite else { return nil }
        return number
    }

    func time(_ key: String) -> UTCInstant? {
        guard case .string(let text) = members[key] else { return nil }
        return UTCInstant(iso8601: text)
    }
}
