internal import ClientVocabulary
internal import DaemonClient

/// A fix as a line for people.
enum FixLine {
    static func text(of line: DaemonLine) -> String {
        var parts = [line.text(.time) ?? "time unknown            ", kind(line)]
        if let latitude = line.number(.latitude), let longitude = line.number(.longitude) {
            parts.append("\(fixed(latitude, 6)) \(fixed(longitude, 6))")
        }
        if let accuracy = line.number(.horizontalAccuracy) { parts.append("±\(fixed(accuracy, 1)) m") }
        if let altitude = line.number(.altitudeAboveMeanSeaLevel) { parts.append("altitude \(fixed(altitude, 1)) m") }
        if let speed = line.number(.speed) { parts.append("\(fixed(speed, 1)) m/s") }
        if let course = line.number(.course) { parts.append("\(fixed(course, 0))°") }
        if let used = line.number(.satellitesUsed) { parts.append("\(Int(used)) satellites") }
        return parts.joined(separator: "  ")
    }

    fileprivate static func kind(_ line: DaemonLine) -> String {
        switch line.text(.fixType) {
        case "threeD": "3D"
        case "twoD": "2D"
        case "deadReckoningOnly": "dead reckoning"
        case "gnssPlusDeadReckoning": "3D with dead reckoning"
        case "timeOnly": "time only"
        // A location has no fix type under reduced accuracy.
        case nil where line.event == .location: "reduced"
        default: "no fix"
        }
    }

    static func fixed(_ value: Double, _ decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (abs(value) * scale).rounded()
        // Not a number, or one that no column is made for.
        guard scaled < 9e18 else { return "\(value)" }
        let units = Int64(scaled)
        let whole = "\(value < 0 && units > 0 ? "-" : "")\(units / Int64(scale))"
        guard decimals > 0 else { return whole }
        let fraction = String(units % Int64(scale))
        return whole + "." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}

/// A fix as a screen for people, a row for each thing known.
enum FixScreen {
    static func text(of line: DaemonLine) -> [String] {
        let number = { (key: MemberKey) in line.number(key) }
        let rows: [(String, String?)] = [
            ("time", line.text(.time) ?? "unknown"),
            ("fix", FixLine.kind(line) + (number(.satellitesUsed).map { ", \(Int($0)) satellites" } ?? "")),
            ("latitude", number(.latitude).map { degrees($0, "N", "S") }),
            ("longitude", number(.longitude).map { degrees($0, "E", "W") }),
            ("accuracy", number(.horizontalAccuracy).map { "± \(FixLine.fixed($0, 1)) m" }),
            ("altitude", number(.altitudeAboveMeanSeaLevel).map { "\(FixLine.fixed($0, 1)) m above the sea" }),
            ("speed", number(.speed).map { "\(FixLine.fixed($0, 1)) m/s, \(FixLine.fixed($0 * 3.6, 0)) km/h" }),
            ("course", number(.course).map { "\(FixLine.fixed($0, 0))°" }),
        ]
        return TextTable.lines(rows.map { [$0.0, $0.1 ?? "-"] })
    }

    private static func degrees(_ value: Double, _ above: String, _ below: String) -> String {
        "\(FixLine.fixed(abs(value), 6))° \(value < 0 ? below : above)"
    }
}

/// An event about the reports as a line for people.
enum ReportLine {
    static func text(of line: DaemonLine) -> String {
        switch (line.event, line.text(.reason)) {
        case (.paused, "noFix"): "paused: no position was found"
        case (.paused, _): "paused: the board does not move"
        case (.resumed, "motion"): "resumed: the board moves"
        case (.resumed, "displacement"): "resumed: the board is elsewhere"
        case (.resumed, _): "resumed: there is a position"
        case (_, "distance"): "deferred reports: the distance is reached"
        case (_, "timeout"): "deferred reports: the time is over"
        case (_, "notUpdating"): "deferred reports: reports pause"
        case (_, "accuracyTooLow"): "reports are not deferred: that needs --accuracy best"
        case (_, "distanceFiltered"): "reports are not deferred: that goes without --distance-filter"
        case (_, let reason): "deferred reports: \(reason ?? "ended")"
        }
    }
}

/// The daemon's state as lines for people.
enum StatusLines {
    static func text(of line: DaemonLine) -> [String] {
        var lines = [
            Standing.line(of: line),
            "sextantd \(line.text(.version) ?? ""), \(plural(line.number(.clients), "client"))",
        ]
        if let detail = line.object(.store)?.text(.detail) { lines.append("store: \(detail)") }
        if let host = line.object(.host) { lines.append(HostLines.line(of: host)) }
        guard let receiver = line.object(.receiver) else { return lines }
        lines.append("receiver \(receiver.text(.device) ?? ""): \(state(receiver))")
        if let detail = receiver.text(.detail) { lines.append("  \(detail)") }
        guard receiver.text(.state) != "open" else {
            if let radio = line.object(.beacons) { lines += RadioLines.text(of: radio) }
            return lines + ["  operators, and clients with full accuracy, are told more: sudo sextant status"]
        }
        lines.append(
            "  \(plural(receiver.number(.bytes), "byte")), \(plural(receiver.number(.sentences), "sentence")), "
                + "\(plural(receiver.number(.frames), "frame")), \(plural(receiver.number(.epochs), "epoch"))")
        lines.append(
            "  \(plural(receiver.number(.checksumFailures), "checksum failure")), "
                + "\(plural(receiver.number(.skippedBytes), "foreign byte"))")
        if let age = receiver.number(.secondsSinceEpoch) {
            lines.append("  last epoch \(FixLine.fixed(age, 1)) s ago, \(receiver.text(.time) ?? "time unknown")")
        }
        if let power = line.object(.power) { lines += PowerLines.text(of: power) }
        if let plan = line.object(.plan), line.flag(.servicesEnabled) != false {
            lines.append("  \(PowerLines.text(ofPlan: plan))")
        }
        if let compass = line.object(.compass) { lines += CompassLines.text(of: compass) }
        if let radio = line.object(.beacons) { lines += RadioLines.text(of: radio) }
        return lines
    }

    private static func state(_ receiver: DaemonLine) -> String {
        let rate = receiver.number(.baud).map { " at \(Int($0)) baud" } ?? ""
        return switch receiver.text(.state) {
        case "searchingRate": "looking for its rate,\(rate)"
        case "waiting": "open\(rate), nothing heard yet"
        case "receiving": "receiving\(rate)"
        case "silent": "silent\(rate)"
        case "resting": "at rest\(rate)"
        case "open": "open\(rate)"
        default: "absent"
        }
    }

    static func plural(_ count: Double?, _ noun: String, _ plural: String? = nil) -> String {
        let number = Int(count ?? 0)
        return "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }
}
