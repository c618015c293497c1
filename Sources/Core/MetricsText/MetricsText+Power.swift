internal import SextantJSON

/// Metrics of the receiver's power and starts, and of the energy that the device has used.
extension MetricsText {
    /// The upper bounds of the histogram of times to first fix, in seconds, as in the `status` answer.
    private static let startBounds = ["1", "2", "5", "10", "20", "30", "60", "120", "300"]

    static func appendPower(_ status: JSONMembers, _ energy: JSONMembers, to writer: inout MetricsWriter) {
        writer.states(
            "sextant_power_state", "The state of the receiver's power.", status.part("power").text("state"),
            of: [
                "off", "starting", "detecting", "configuring", "searching", "tracking", "cyclicTracking",
                "savingOrbits", "fallingAsleep", "softwareSleep", "hardwareSleep", "unresponsive",
            ])
        let starts = status.part("counters").objects("starts").compactMap { start in
            start.text("kind").map { (kind: $0, start: start) }
        }
        writer.family(
            "sextant_starts", .counter, "The receiver's searches, by what was expected of them and how they ended.",
            starts.flatMap { kind, start in
                ["fix", "failed", "ended"].compactMap { outcome in
                    start.number(outcome).map { ([("start", kind), ("outcome", outcome)], $0) }
                }
            })
        writer.histogram(
            "sextant_time_to_first_fix_seconds", "Time from the beginning of a search to its first fix.",
            starts.map { kind, start in
                MetricsWriter.Histogram(
                    labels: [("start", kind)], bounds: startBounds, bars: start.list("histogram"),
                    sum: start.number("seconds") ?? 0)
            }, unit: "seconds")
        appendEnergy(energy, to: &writer)
    }

    private static func appendEnergy(_ energy: JSONMembers, to writer: inout MetricsWriter) {
        let spent = energy.part("sinceBoot")
        writer.family(
            "sextant_energy_joules", .counter, "Energy spent, without the host's idling, by its cause.",
            spent.part("byCause").numbers.map { ([("cause", $0)], $1) }, unit: "joules")
        writer.family(
            "sextant_client_energy_joules", .counter, "Energy spent, without the host's idling, by client.",
            clients(spent).map { ([("client", $0.name)], $0.joules) }, unit: "joules")
        writer.family(
            "sextant_state_energy_joules", .counter, "Energy that the receiver spent, by its state.",
            spent.part("byState").numbers.map { ([("state", $0)], $1) }, unit: "joules")
        writer.gauge(
            "sextant_device_power_watts", "The whole device's mean power in the last hour.",
            energy.part("lastHour").number("deviceMilliwatts").map { $0 / 1000 }, unit: "watts")
        writer.gauge(
            "sextant_battery_seconds", "How long a full battery lasts at the mean power of the last day.",
            energy.part("lastDay").number("batteryHours").map { $0 * 3600 }, unit: "seconds")
    }

    /// Joules by the client's name; the joules of clients of the same name are added up, because Prometheus accepts a
    /// label's value only once in a metric.
    private static func clients(_ spent: JSONMembers) -> [(name: String, joules: Double)] {
        var clients: [(name: String, joules: Double)] = []
        for entry in spent.objects("byClient") {
            guard let name = entry.text("client"), let joules = entry.number("joules") else { continue }
            if let index = clients.firstIndex(where: { $0.name == name }) {
                clients[index].joules += joules
            } else {
                clients.append((name, joules))
            }
        }
        return clients
    }
}
