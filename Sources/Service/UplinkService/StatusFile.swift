internal import Programs
internal import SextantJSON
internal import SextantUnits
internal import SextantUplink

/// The counts that the uplink's service keeps itself, in addition to those of its reducer (state machine).
struct UplinkCounters: Equatable {
    var accepted = 0
    var refused = 0
    var failed = 0
    /// The number of payload bytes that were given to the broker's connection since the service started.
    var sentBytes = 0
    /// The numbers of messages that were published and that the broker acknowledged since the service started.
    var published = 0
    var delivered = 0
}

/// The file status.json, which `sextant uplink`, the page and the metrics read; it has no position and no secret.
struct StatusFile {
    private let path: String
    private let broker: String
    private let id: String
    private let series: UInt32
    /// The content that was written to the file last.
    private var written = ""

    init(folder: String, settings: UplinkSettings, series: UInt32) {
        path = folder + "/status.json"
        broker = settings.broker.text
        id = settings.uplink.id
        self.series = series
    }

    /// Writes the file as a whole, if its content has changed.
    ///
    /// - Parameter queueProblem: Why the queue of records cannot be written, in words; nil if it can.
    mutating func write(
        _ status: UplinkStatus, _ counters: UplinkCounters, lost: Int, daemonProblem: String?, queueProblem: String?
    ) {
        let text = text(status, counters, lost: lost, daemonProblem: daemonProblem, queueProblem: queueProblem)
        guard text != written, (try? GuardedFile.write(text, to: path)) != nil else { return }
        written = text
    }

    private func text(
        _ status: UplinkStatus, _ counters: UplinkCounters, lost: Int, daemonProblem: String?, queueProblem: String?
    ) -> String {
        var members: [(String, String?)] = [
            ("state", JSONValue.quoted(status.state.rawValue)),
            ("message", JSONValue.quoted(daemonProblem ?? StatusFile.message(status))),
            ("broker", JSONValue.quoted(broker)), ("id", JSONValue.quoted(id)),
            ("series", JSONValue.quoted(UplinkSeries.text(series))),
            ("connected", status.state == .connected ? "true" : "false"),
        ]
        members += [
            ("newest", "\(status.newest)"), ("queuedFixes", "\(status.fixes)"), ("queuedEvents", "\(status.events)"),
            ("bytes", "\(status.bytes)"), ("oldest", StatusFile.time(status.oldest)),
            ("lastSuccess", StatusFile.time(status.lastSuccess)), ("lastError", status.lastError.map(JSONValue.quoted)),
            ("thinned", "\(status.thinned)"), ("expired", "\(status.expired)"), ("eventsLost", "\(status.eventsLost)"),
            ("lost", "\(lost)"), ("queueProblem", queueProblem.map(JSONValue.quoted)),
            ("published", "\(counters.published)"), ("delivered", "\(counters.delivered)"),
            ("repeated", "\(status.repeated)"), ("sentBytes", "\(counters.sentBytes)"),
            ("connectsAccepted", "\(counters.accepted)"), ("connectsRefused", "\(counters.refused)"),
            ("connectsFailed", "\(counters.failed)"), ("obeyed", "\(status.obeyed)"), ("refused", "\(status.refused)"),
        ]
        let present = members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }
        return "{" + present.joined(separator: ",") + "}\n"
    }

    /// The uplink's status in one sentence for people.
    static func message(_ status: UplinkStatus) -> String {
        let why = status.lastError.map { ": \($0)" } ?? ""
        return switch status.state {
        case .starting: "waits for sextantd to say whether it may have locations"
        case .denied: "not connected, since it may not have locations\(why)"
        case .waitingForTime: "not connected: TLS waits until the time is known, from the network or from a receiver"
        case .waiting: "not connected\(why)"
        case .connecting: "connects\(why)"
        case .connected: "connected"
        }
    }

    private static func time(_ instant: UTCInstant?) -> String? {
        guard let instant else { return nil }
        var text = TextBuffer(capacity: 32)
        text.append(instant)
        let bytes = text.bytes
        return JSONValue.quoted(String(decoding: bytes, as: UTF8.self))
    }
}
