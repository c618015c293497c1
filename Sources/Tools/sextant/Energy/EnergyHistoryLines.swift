internal import ClientVocabulary
internal import DaemonClient

/// The history of energy use as a text table: a row for each minute, or for each quarter of an hour.
enum EnergyHistoryLines {
    static func text(of rows: [DaemonLine]) -> [String] {
        let heading = ["from (UTC)", "seconds", "device mW", "receiver J", "host J", "receiver", "because", "for"]
        return TextTable.lines([heading] + rows.map(cells))
    }

    private static func cells(_ row: DaemonLine) -> [String] {
        let parts: [MemberKey] = [.receiverJoules, .sensorJoules, .hostWakeJoules, .hostIdleJoules]
        let total = parts.reduce(0) { $0 + (row.number($1) ?? 0) }
        let seconds = row.number(.seconds) ?? 0
        let host = (row.number(.hostWakeJoules) ?? 0) + (row.number(.hostIdleJoules) ?? 0)
        return [
            from(row), Text.fixed(seconds, 0), seconds > 0 ? Text.fixed(total / seconds * 1000, 1) : "-",
            Text.fixed(row.number(.receiverJoules) ?? 0, 3), Text.fixed(host, 3),
            greatest(EnergyLines.object(.byState, row)).map(EnergyLines.words) ?? "off",
            greatest(EnergyLines.object(.byCause, row)).map(EnergyLines.words) ?? "",
            greatest(EnergyLines.clients(row)) ?? "",
        ]
    }

    /// The time at which the row's span began; if the daemon does not know the time of day, how long ago it began.
    private static func from(_ row: DaemonLine) -> String {
        if let from = row.text(.from) { return String(from.prefix(16)) }
        return "\(Text.fixed(row.number(.beganSecondsAgo) ?? 0, 0)) s ago"
    }

    /// The name with the largest amount; among equal amounts, the name that comes first in the alphabet.
    private static func greatest(_ amounts: [String: Double]) -> String? {
        amounts.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
    }
}
