internal import ClientVocabulary
internal import DaemonClient
internal import SextantJSON

/// The daemon's energy report as a text table: a line for each consumer of energy, a column for each window of time.
enum EnergyLines {
    private static let windows: [MemberKey] = [.lastHour, .lastDay, .sinceBoot]

    static func text(of line: DaemonLine) -> [String] {
        let windows = windows.map { line.object($0) ?? DaemonLine() }
        var rows = [["", "last hour", "last day", "since start"]]
        rows.append(["hours covered"] + windows.map { fixed($0.number(.hours), 2) })
        rows.append(["whole device, mW"] + windows.map { fixed($0.number(.deviceMilliwatts), 1) })
        rows.append(["battery life, h"] + windows.map { fixed($0.number(.batteryHours), 1) })
        rows.append(["receiver's share, %"] + windows.map { fixed($0.number(.receiverShare).map { $0 * 100 }, 1) })
        rows.append([])
        rows.append(["J, by part"])
        for (name, key) in parts where windows.contains(where: { $0.number(key) != nil }) {
            rows.append([name] + windows.map { fixed($0.number(key), 1) })
        }
        if windows.contains(where: { $0.number(.scanSeconds) != nil }) {
            rows += [[], ["radio listened, s"] + windows.map { fixed($0.number(.scanSeconds) ?? 0, 1) }]
        }
        rows += section("J, receiver by state", windows.map { object(.byState, $0) }) { words($0) }
        rows += section("J, by cause", windows.map { object(.byCause, $0) }) { words($0) }
        rows += section("J, by client", windows.map(clients)) { $0 == "others" ? others : $0 }
        return aligned(rows) + (line.object(.host).map(sleeps) ?? [])
    }

    /// The energy that the board drew over all its boots and sleeps, one row for each state of the host, such as
    /// asleep.
    private static func sleeps(_ host: DaemonLine) -> [String] {
        var rows = [["the board with its sleeps", "hours", "J", "mW"]]
        for state in host.objects(.byState) {
            let (seconds, joules) = (state.number(.seconds) ?? 0, state.number(.joules) ?? 0)
            rows.append([
                "  " + (state.text(.state) ?? "") + (state.flag(.assumed) == true ? ", assumed" : ""),
                fixed(seconds / 3600, 2), fixed(joules, 1), fixed(seconds > 0 ? joules / seconds * 1000 : nil, 1),
            ])
        }
        let joules = host.objects(.byState).reduce(0) { $0 + ($1.number(.joules) ?? 0) }
        rows.append([
            "  whole device", fixed(host.number(.hours), 2), fixed(joules, 1), fixed(host.number(.deviceMilliwatts), 1),
        ])
        var lines = [""] + aligned(rows)
        let since = host.text(.since).map { String($0.prefix(16)).replacing("T", with: " ") } ?? "-"
        let life = host.number(.batteryHours).map { ", the battery lasts \(fixed($0, 1)) h" } ?? ""
        lines.append("since \(since) UTC, \(Text.plural(host.number(.boots), "boot"))\(life)")
        let woken = host.objects(.wakes).map { wakes in
            let name = wakes.text(.cause) ?? ""
            return "\(wakeNames[name] ?? name) \(fixed(wakes.number(.count), 0)) (\(fixed(wakes.number(.joules), 0)) J)"
        }
        if !woken.isEmpty { lines.append("woken for: " + woken.joined(separator: ", ")) }
        let payers = host.objects(.byClient).map { client in
            let name = client.text(.client) ?? ""
            return "\(name == "others" ? others : name) \(fixed(client.number(.joules), 0)) J"
        }
        if !payers.isEmpty { lines.append("these wakes were for: " + payers.joined(separator: ", ")) }
        if let untimed = host.number(.untimed) {
            let sleeps = Text.plural(untimed, "sleep")
            lines.append("\(sleeps) had no clock that could be trusted; their time off is left out")
        }
        let isAssumed = host.objects(.byState).contains { $0.text(.state) == "booting" && $0.flag(.assumed) == true }
        if isAssumed { lines.append("scripts/tune-host of Sextant's sources measures what a boot and a stop cost") }
        return lines
    }

    private static let wakeNames = [
        "motion": "motion", "locate": "a location", "tell": "news for a client", "heartbeat": "the heartbeat",
        "longest": "the longest sleep", "trial": "trials", "other": "something else",
    ]

    private static let others = "others (sudo sextant energy names them for a day)"

    private static let parts: [(String, MemberKey)] = [
        ("  receiver", .receiverJoules), ("  sensors", .sensorJoules), ("  radio, for beacons", .radioJoules),
        ("  host wake-ups", .hostWakeJoules),
        ("  host idle", .hostIdleJoules),
    ]

    /// A section of the table: a heading, and a row for each name that occurs in any window; the name with the largest
    /// amount since the start comes first.
    private static func section(
        _ heading: String, _ windows: [[String: Double]], _ label: (String) -> String
    ) -> [[String]] {
        let names = Set(windows.flatMap(\.keys))
        guard !names.isEmpty else { return [] }
        let order = names.sorted { (windows[2][$1] ?? 0, $0) < (windows[2][$0] ?? 0, $1) }
        return [[], [heading]] + order.map { name in ["  " + label(name)] + windows.map { fixed($0[name] ?? 0, 1) } }
    }

    static func object(_ key: MemberKey, _ window: DaemonLine) -> [String: Double] {
        guard let members = window.object(key)?.members else { return [:] }
        return members.compactMapValues { if case .number(let value) = $0 { value } else { nil } }
    }

    /// The joules by client; clients that are listed under the same name are added up.
    static func clients(_ window: DaemonLine) -> [String: Double] {
        var joules: [String: Double] = [:]
        for entry in window.objects(.byClient) {
            guard let label = entry.text(.client), let value = entry.number(.joules) else { continue }
            joules[label, default: 0] += value
        }
        return joules
    }

    /// A JSON key as words: `idleSleep` becomes "idle sleep".
    static func words(_ key: String) -> String {
        key.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
    }

    private static func fixed(_ value: Double?, _ decimals: Int) -> String {
        value.map { Text.fixed($0, decimals) } ?? "-"
    }

    /// Rows as lines of text, with names flush left and figures flush right.
    private static func aligned(_ rows: [[String]]) -> [String] {
        let names = rows.map { $0.first?.count ?? 0 }.max() ?? 0
        let figures = rows.flatMap { $0.dropFirst().map(\.count) }.max() ?? 0
        return rows.map { row in
            guard row.count > 1, let name = row.first else { return row.first ?? "" }
            return row.dropFirst().reduce(name + pad(names - name.count)) { $0 + "  " + pad(figures - $1.count) + $1 }
        }
    }

    private static func pad(_ count: Int) -> String { String(repeating: " ", count: count) }
}
