internal import ClientProtocol
internal import ClientVocabulary
internal import DaemonClient

/// The state of the Bluetooth radio that receives beacons, as lines of text for the user.
enum RadioLines {
    static func text(of radio: DaemonLine) -> [String] {
        var lines = ["beacons: \(state(radio))"]
        if let detail = radio.text(.detail) { lines.append("  \(detail)") }
        guard let regions = radio.number(.regions) else { return lines }
        lines.append(
            "  \(Text.plural(regions, "region")) and \(Text.plural(radio.number(.ranging), "ranging")), "
                + "\(Text.plural(radio.number(.senders), "beacon")) heard lately")
        if let scanned = radio.number(.secondsScanned), scanned > 0 {
            lines.append("  the radio was on for \(Text.fixed(scanned, 0)) s since the daemon's start")
        }
        return lines
    }

    private static func state(_ radio: DaemonLine) -> String {
        switch radio.word(.state) as RadioStatus.State? {
        case .listening: "listening \(Text.fixed((radio.number(.duty) ?? 0) * 100, 0)) % of the time"
        case .off: "not needed, so the radio listens to none"
        case .available: "available"
        case .unavailable: "none can be heard"
        case nil: radio.text(.state) ?? "unknown"
        }
    }
}
