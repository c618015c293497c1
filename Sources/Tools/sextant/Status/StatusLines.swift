internal import ClientProtocol
internal import ClientVocabulary
internal import DaemonClient

/// The daemon's `status` as lines of text for the user.
enum StatusLines {
    static func text(of line: DaemonLine) -> [String] {
        var lines = [
            PositionStatus.line(of: line),
            "sextantd \(line.text(.version) ?? ""), \(Text.plural(line.number(.clients), "client"))",
        ]
        if let detail = line.object(.store)?.text(.detail) { lines.append("store: \(detail)") }
        if let host = line.object(.host) { lines.append(HostLines.line(of: host)) }
        guard let receiver = line.object(.receiver) else { return lines }
        lines.append("receiver \(receiver.text(.device) ?? ""): \(state(receiver))")
        if let detail = receiver.text(.detail) { lines.append("  \(detail)") }
        guard receiver.word(.state) != ReceiverState.open else {
            if let radio = line.object(.beacons) { lines += RadioLines.text(of: radio) }
            return lines + ["  operators, and clients with full accuracy, are told more: sudo sextant status"]
        }
        lines.append(
            "  \(Text.plural(receiver.number(.bytes), "byte")), \(Text.plural(receiver.number(.sentences), "sentence")), "
                + "\(Text.plural(receiver.number(.frames), "frame")), \(Text.plural(receiver.number(.epochs), "epoch"))"
        )
        lines.append(
            "  \(Text.plural(receiver.number(.checksumFailures), "checksum failure")), "
                + "\(Text.plural(receiver.number(.skippedBytes), "foreign byte"))")
        if let age = receiver.number(.secondsSinceEpoch) {
            lines.append("  last epoch \(Text.fixed(age, 1)) s ago, \(receiver.text(.time) ?? "time unknown")")
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
        return switch receiver.word(.state) as ReceiverState? {
        case .searchingRate: "looking for its rate,\(rate)"
        case .waiting: "open\(rate), nothing heard yet"
        case .receiving: "receiving\(rate)"
        case .silent: "silent\(rate)"
        case .resting: "at rest\(rate)"
        case .open: "open\(rate)"
        case .absent, nil: "absent"
        }
    }
}
