public import SextantJSON
public import SextantUnits

/// Writes the daemon's state as metrics for Prometheus: a pure function of the daemon's answers to `status` and
/// `energy`.
///
/// Source of the formats: Prometheus, "Exposition formats" (text format 0.0.4), and OpenMetrics 1.0.0.
public enum MetricsText {
    public enum Format: Sendable, CaseIterable {
        /// Prometheus's own text format, which node_exporter's textfile collector reads too.
        case plain
        case openMetrics

        /// The value of `Content-Type`.
        public var contentType: StaticString {
            switch self {
            case .plain: "text/plain; version=0.0.4; charset=utf-8"
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            }
        }
    }

    /// The values from which the metrics are made.
    public struct Source: Sendable {
        /// The members of the daemon's answer to `status`.
        public var status: JSONMembers
        /// The members of the daemon's answer to `energy`; empty where it gives none.
        public var energy: JSONMembers
        /// The protocol's version, from the daemon's `hello`.
        public var protocolVersion: Int

        public init(status: JSONMembers, energy: JSONMembers, protocolVersion: Int) {
            self.status = status
            self.energy = energy
            self.protocolVersion = protocolVersion
        }
    }

    /// The largest number of clients that get a series of their own in the metric of pending events; the events of all
    /// other clients are added up.
    static let maximumPendingClients = 16

    /// The uplink's status.json, and the wall clock when it was read.
    public struct Uplink: Sendable {
        public var members: JSONMembers
        public var now: UTCInstant

        public init(members: JSONMembers, now: UTCInstant) {
            self.members = members
            self.now = now
        }
    }

    /// Appends the metrics; `source` is nil where the daemon cannot be reached, and `uplink` is nil where no uplink has
    /// run.
    public static func append(
        _ source: Source?, uplink: Uplink? = nil, _ format: Format = .plain, to text: inout TextBuffer
    ) {
        var writer = MetricsWriter(format)
        writer.gauge("sextant_up", "Whether the daemon answers.", source == nil ? 0 : 1)
        if let source {
            let status = source.status
            appendService(status, source, to: &writer)
            appendReceiver(status.part("receiver"), status.part("power"), to: &writer)
            appendSolutions(status, to: &writer)
            appendPower(status, source.energy, to: &writer)
            appendEvents(status.part("counters"), to: &writer)
            appendCompass(status.part("compass"), to: &writer)
        }
        if let uplink { append(uplink: uplink.members, at: uplink.now, to: &writer) }
        writer.end(to: &text)
    }

    private static func appendService(_ status: JSONMembers, _ source: Source, to writer: inout MetricsWriter) {
        let counters = status.part("counters")
        writer.info(
            "sextant_build", "The daemon's version, and that of its protocol.",
            [("version", status.text("version") ?? ""), ("protocol", "\(source.protocolVersion)")])
        writer.gauge(
            "sextant_start_time_seconds", "When the daemon started, in seconds since 1970.",
            counters.instant("startedAt").map { Double($0.nanoseconds / 1_000_000) / 1000 },
            unit: "seconds")
        let memory = counters.number("residentBytes").flatMap { $0 > 0 ? $0 : nil }
        writer.gauge(
            "sextant_process_resident_memory_bytes", "The daemon's memory in use.", memory, unit: "bytes")
        writer.gauge("sextant_clients", "Connections of clients.", status.number("clients"))
        writer.counter(
            "sextant_clients_dropped", "Connections ended because too much waited for them.",
            counters.number("clientsDropped"))
        writer.gauge(
            "sextant_reactor_turn_seconds_max",
            "The longest time for which the receiver waited while clients were served.",
            counters.number("longestTurn"))
    }

    private static func appendReceiver(
        _ receiver: JSONMembers, _ power: JSONMembers, to writer: inout MetricsWriter
    ) {
        writer.states(
            "sextant_receiver_state", "The state of the line to the receiver.", receiver.text("state"),
            of: ["absent", "searchingRate", "waiting", "receiving", "silent", "resting", "open"])
        writer.counter(
            "sextant_receiver_bytes", "Bytes that the receiver sent.", receiver.number("bytes"), unit: "bytes")
        writer.counter(
            "sextant_receiver_checksum_failures", "Messages whose checksum was wrong.",
            receiver.number("checksumFailures"))
        writer.counter(
            "sextant_receiver_skipped_bytes", "Bytes that belonged to no message.", receiver.number("skippedBytes"),
            unit: "bytes")
        let troubles = power.objects("troubles").compactMap { trouble in
            trouble.text("kind").map { (labels: [("kind", $0)], value: trouble.flag("over") == true ? 0.0 : 1.0) }
        }
        writer.family(
            "sextant_receiver_troubles", .gauge, "Troubles with the receiver: 1 while one lasts, 0 once it is over.",
            troubles)
    }

    private static func appendSolutions(_ status: JSONMembers, to writer: inout MetricsWriter) {
        let (receiver, counters) = (status.part("receiver"), status.part("counters"))
        writer.counter("sextant_epochs", "Navigation solutions, with a position or without.", receiver.number("epochs"))
        writer.gauge(
            "sextant_epoch_age_seconds", "Time since the last navigation solution.",
            receiver.number("secondsSinceEpoch"), unit: "seconds")
        writer.family(
            "sextant_fixes", .counter, "Navigation solutions with a position.",
            counters.part("fixes").numbers.map { ([("type", $0)], $1) })
        writer.gauge(
            "sextant_fix_horizontal_accuracy_meters", "The accuracy that the receiver claims for its last position.",
            counters.number("horizontalAccuracy"), unit: "meters")
        writer.gauge(
            "sextant_position_uncertainty_meters", "The radius that holds 68 % of where the board may be now.",
            status.part("power").number("uncertainty"), unit: "meters")
        let sky = counters.objects("sky").compactMap { system in
            system.text("constellation").map { (name: $0, system: system) }
        }
        for (family, help, key) in [
            ("sextant_satellites_used", "Satellites that the last solution uses.", "used"),
            ("sextant_satellites_visible", "Satellites that the receiver sees.", "visible"),
        ] {
            writer.family(
                family, .gauge, help,
                sky.compactMap { name, system in system.number(key).map { ([("constellation", name)], $0) } })
        }
        writer.family(
            "sextant_carrier_to_noise_db_hertz", .summary, "Signals' carrier-to-noise densities in the last sky view.",
            sky.flatMap { name, system in
                let signals = system.part("carrierToNoise")
                return [("0", "least"), ("0.5", "median"), ("1", "greatest")].compactMap { quantile, key in
                    signals.number(key).map {
                        (labels: [("constellation", name), ("quantile", quantile)], value: $0)
                    }
                }
            })
    }

    private static func appendEvents(_ counters: JSONMembers, to writer: inout MetricsWriter) {
        let events = counters.part("events")
        writer.gauge("sextant_regions", "Regions of all clients.", counters.number("regions"))
        writer.family(
            "sextant_region_events", .counter, "Events of regions, for all clients.",
            events.part("transitions").numbers.map { ([("transition", $0)], $1) })
        writer.counter("sextant_visits", "Events of visits, for all clients.", events.number("visits"))
        writer.family(
            "sextant_pending_events", .gauge, "Events that wait for their client.", pending(events))
        writer.counter(
            "sextant_store_errors", "How often the card refused changes.", counters.number("storeErrors"))
    }

    /// The pending events by client, the largest counts first; only `maximumPendingClients` are listed, and the events
    /// of all others are added up.
    private static func pending(_ events: JSONMembers) -> [MetricsWriter.Sample] {
        let all = events.objects("waiting").compactMap { entry in
            entry.text("client").flatMap { name in entry.number("count").map { (name: name, count: $0) } }
        }.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
        let rest = all.dropFirst(maximumPendingClients).reduce(0) { $0 + $1.count }
        return all.prefix(maximumPendingClients).map { ([("client", $0.name)], $0.count) }
            + (rest > 0 ? [([("client", "others")], rest)] : [])
    }

    private static func appendCompass(_ compass: JSONMembers, to writer: inout MetricsWriter) {
        writer.gauge(
            "sextant_compass_heading_accuracy_degrees", "The accuracy of the heading, 68 %.",
            compass.number("headingAccuracy"), unit: "degrees")
        writer.counter(
            "sextant_compass_failures", "Measurements of the compass that failed.", compass.number("failures"))
    }
}
