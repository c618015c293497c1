public import SextantJSON

/// Writes the events of a run as lines of text, each of which is one JSON object.
///
/// A change of the receiver's state is `{"time":…,"receiver":"off|sleep|acquire|track"}`, a delivered location
/// `{"time":…,"location":{"latitude":…,"longitude":…,"horizontalAccuracy":…}}`. Times are Unix seconds with three
/// decimals, coordinates degrees with eight, accuracies metres with two. A location whose own time differs from the
/// time of its delivery also has a member `validAt`.
public enum RunEvents {
    public static func write(_ change: RunRecord.StateChange, to text: inout TextBuffer) {
        text.beginObject()
        text.member("\"time\":", change.time, decimals: 3)
        text.member("\"receiver\":", change.state.rawValue)
        text.endObject()
        text.append(0x0A)
    }

    public static func write(_ delivery: RunRecord.Delivery, to text: inout TextBuffer) {
        text.beginObject()
        text.member("\"time\":", delivery.time, decimals: 3)
        text.beginObject("\"location\":")
        text.member("\"latitude\":", delivery.latitude, decimals: 8)
        text.member("\"longitude\":", delivery.longitude, decimals: 8)
        text.member("\"horizontalAccuracy\":", delivery.horizontalAccuracy, decimals: 2)
        if delivery.validAt != delivery.time { text.member("\"validAt\":", delivery.validAt, decimals: 3) }
        text.endElement()
        text.endObject()
        text.append(0x0A)
    }

    /// Writes all events of a run in the order of time; of two at the same instant, a change of the receiver's state
    /// comes before a location.
    public static func write(_ record: RunRecord, to text: inout TextBuffer) {
        let changes = record.states.sorted { $0.time < $1.time }
        let deliveries = record.deliveries.sorted { $0.time < $1.time }
        var next = 0
        for delivery in deliveries {
            while next < changes.count, changes[next].time <= delivery.time {
                write(changes[next], to: &text)
                next += 1
            }
            write(delivery, to: &text)
        }
        for change in changes[next...] { write(change, to: &text) }
    }
}
