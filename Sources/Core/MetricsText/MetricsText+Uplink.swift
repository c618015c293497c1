internal import SextantJSON
internal import SextantUnits

/// Metrics of the uplink to a broker, from the uplink's own status.
extension MetricsText {
    /// - Parameter now: The wall clock, from which the age of the queued records is computed.
    static func append(uplink: JSONMembers, at now: UTCInstant, to writer: inout MetricsWriter) {
        writer.gauge(
            "sextant_uplink_connected", "Whether the uplink is connected to its broker.",
            uplink.flag("connected").map { $0 ? 1 : 0 })
        writer.family(
            "sextant_uplink_queued", .gauge, "Records that wait to be delivered.",
            [("history", "queuedFixes"), ("events", "queuedEvents")].compactMap { lane, key in
                uplink.number(key).map { ([("lane", lane)], $0) }
            })
        writer.gauge(
            "sextant_uplink_oldest_queued_seconds", "How long ago the record happened that waits longest.",
            uplink.instant("oldest").map { Double((now.nanoseconds - $0.nanoseconds) / 1_000_000) / 1000 },
            unit: "seconds")
        writer.gauge(
            "sextant_uplink_queue_bytes", "Bytes of the records that wait.", uplink.number("bytes"), unit: "bytes")
        for (name, help, key) in [
            ("sextant_uplink_published", "Messages given to the broker.", "published"),
            ("sextant_uplink_delivered", "Messages that the broker acknowledged.", "delivered"),
            ("sextant_uplink_repeated", "Messages that were sent again.", "repeated"),
            ("sextant_uplink_thinned", "Fixes that were given up because the queue was full.", "thinned"),
        ] {
            writer.counter(name, help, uplink.number(key))
        }
        writer.family(
            "sextant_uplink_connects", .counter, "Attempts to connect to the broker, by how they ended.",
            [("accepted", "connectsAccepted"), ("refused", "connectsRefused"), ("failed", "connectsFailed")].compactMap
            {
                outcome, key in uplink.number(key).map { ([("outcome", outcome)], $0) }
            })
        writer.counter(
            "sextant_uplink_sent_bytes", "Bytes of the messages given to the broker.", uplink.number("sentBytes"),
            unit: "bytes")
    }
}
