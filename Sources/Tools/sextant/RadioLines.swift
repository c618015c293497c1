internal import ClientVocabulary
internal import DaemonClient

/// The state of the radio that hears beacons, as lines for people.
enum RadioLines {
    static func text(of radio: DaemonLine) -> [String] {
        var lines = ["beacons: \(state(radio))"]
        if let detail = radio.text(.detail) { lines.append("  \(detail)") }
        guard let regions = radio.number(.regions) else { return lines }
        lines.append(
            "  \(StatusLines.plural(regions, "region")) and \(StatusLines.plural(radio.number(.ranging), "ranging")), "
                + "\(StatusLines.plural(radio.number(.senders), "beacon")) heard lately")
        if let scanned = radio.number(.secondsScanned), scanned > 0 {
            lines.append("  the radio was on for \(FixLine.fixed(scanned, 0)) s since the daemon's start")
        }
        return lines
    }

    private static func state(_ radio: DaemonLine) -> String {
        switch radio.text(.state) {
        case "listening": "listening \(FixLine.fixed((radio.number(.duty) ?? 0) * 100, 0)) % of the time"
        case "off": "not needed, so the radio listens to none"
        case "available": "available"
        case "unavailable": "none can be heard"
        case let state: state ?? "unknown"
        }
    }
}
