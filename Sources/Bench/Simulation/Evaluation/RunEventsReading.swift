/// The reasons for which a line of a run's file is not a valid event; the first line is number 1.
public enum RunEventsError: Error, Sendable, Equatable {
    /// The line is not a JSON object; each line must hold one event.
    case noObject(line: Int, detail: String)
    /// The event has no `time` in Unix seconds.
    case noTime(line: Int)
    /// The receiver's state in the event is unknown; the known states are off, sleep, acquire and track.
    case unknownState(line: Int, state: String)
    /// The location lacks `latitude` and `longitude` in degrees.
    case badLocation(line: Int)
}

extension RunEvents {
    /// Reads a run from its lines of JSON, one event on each, ignoring unknown members, unknown events and empty lines.
    ///
    /// A missing `horizontalAccuracy` counts as 0 metres. The energy of the motion sensor and the host is not in the
    /// lines, so the record has none.
    public static func read(_ bytes: [UInt8]) throws(RunEventsError) -> RunRecord {
        var record = RunRecord()
        var line = 0
        for text in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            line += 1
            guard text.contains(where: { $0 > 0x20 }) else { continue }
            try read(text, line: line, into: &record)
        }
        return record
    }

    private static func read(
        _ text: ArraySlice<UInt8>, line: Int, into record: inout RunRecord
    ) throws(RunEventsError) {
        let members: [String: EventLine.Value]
        do { members = try EventLine.members(of: text) } catch { throw .noObject(line: line, detail: error.detail) }
        guard case .number(let time)? = members["time"] else { throw .noTime(line: line) }
        if case .text(let name)? = members["receiver"] {
            guard let state = DrawState(rawValue: name) else { throw .unknownState(line: line, state: name) }
            record.states.append(RunRecord.StateChange(time: time, state: state))
        } else if case .object(let location)? = members["location"] {
            guard case .number(let latitude)? = location["latitude"],
                case .number(let longitude)? = location["longitude"]
            else { throw .badLocation(line: line) }
            var accuracy = 0.0
            if case .number(let metres)? = location["horizontalAccuracy"] { accuracy = metres }
            var validAt: Double?
            if case .number(let seconds)? = location["validAt"] { validAt = seconds }
            record.deliveries.append(
                RunRecord.Delivery(
                    time: time, validAt: validAt, latitude: latitude, longitude: longitude,
                    horizontalAccuracy: accuracy))
        }
    }
}
