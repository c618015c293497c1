internal import ClientVocabulary
internal import DaemonClient

/// A fix as a readable line.
enum FixLine {
    static func text(of line: DaemonLine) -> String {
        var parts = [line.text(.time) ?? "time unknown            ", kind(line)]
        if let latitude = line.number(.latitude), let longitude = line.number(.longitude) {
            parts.append("\(Text.fixed(latitude, 6)) \(Text.fixed(longitude, 6))")
        }
        if let accuracy = line.number(.horizontalAccuracy) { parts.append("±\(Text.fixed(accuracy, 1)) m") }
        if let altitude = line.number(.altitudeAboveMeanSeaLevel) {
            parts.append("altitude \(Text.fixed(altitude, 1)) m")
        }
        if let speed = line.number(.speed) { parts.append("\(Text.fixed(speed, 1)) m/s") }
        if let course = line.number(.course) { parts.append("\(Text.fixed(course, 0))°") }
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
        // The daemon leaves out a location's fix type for a client with reduced accuracy.
        case nil where line.event == .location: "reduced"
        default: "no fix"
        }
    }
}

/// A fix as the rows of a terminal's screen, one row for each known value.
enum FixScreen {
    static func text(of line: DaemonLine) -> [String] {
        let number = { (key: MemberKey) in line.number(key) }
        let rows: [(String, String?)] = [
            ("time", line.text(.time) ?? "unknown"),
            ("fix", FixLine.kind(line) + (number(.satellitesUsed).map { ", \(Int($0)) satellites" } ?? "")),
            ("latitude", number(.latitude).map { degrees($0, "N", "S") }),
            ("longitude", number(.longitude).map { degrees($0, "E", "W") }),
            ("accuracy", number(.horizontalAccuracy).map { "± \(Text.fixed($0, 1)) m" }),
            ("altitude", number(.altitudeAboveMeanSeaLevel).map { "\(Text.fixed($0, 1)) m above the sea" }),
            ("speed", number(.speed).map { "\(Text.fixed($0, 1)) m/s, \(Text.fixed($0 * 3.6, 0)) km/h" }),
            ("course", number(.course).map { "\(Text.fixed($0, 0))°" }),
        ]
        return TextTable.lines(rows.map { [$0.0, $0.1 ?? "-"] })
    }

    private static func degrees(_ value: Double, _ above: String, _ below: String) -> String {
        "\(Text.fixed(abs(value), 6))° \(value < 0 ? below : above)"
    }
}

/// An event about the location reports, such as a pause, as a line of text for the user.
enum ReportLine {
    static func text(of line: DaemonLine) -> String {
        switch line.event {
        case .paused:
            line.word(.reason) == PauseName.noFix
                ? "paused: no position was found" : "paused: the board does not move"
        case .resumed:
            switch line.word(.reason) as ResumeName? {
            case .motion: "resumed: the board moves"
            case .displacement: "resumed: the board is elsewhere"
            case .fix, .asked, nil: "resumed: there is a position"
            }
        default:
            switch line.word(.reason) as DeferralEnd? {
            case .distance: "deferred reports: the distance is reached"
            case .timeout: "deferred reports: the time is over"
            case .notUpdating: "deferred reports: reports pause"
            case .accuracyTooLow: "reports are not deferred: that needs --accuracy best"
            case .distanceFiltered: "reports are not deferred: that goes without --distance-filter"
            case .asked, .failed, .canceled, nil: "deferred reports: \(line.text(.reason) ?? "ended")"
            }
        }
    }
}
