/// What systemd has been told to start: the links below `/etc/systemd/system`, and the daemon's own unit.
public struct SystemdUnits: Sendable, Equatable {
    static let administrators = "/etc/systemd/system"
    /// The folders of units, the administrator's before the packages'.
    private static let folders = [administrators, "/lib/systemd/system", "/usr/lib/systemd/system"]

    /// Each unit that is started with a target, with the link that says so.
    private(set) var enabled: [String: String] = [:]
    private(set) var masked: Set<String> = []
    /// The settings of the section Service of the daemon's unit, drop-ins included; nil where it is not installed.
    private(set) var daemon: [String: String]?

    init(files: some SystemFiles) {
        let root = SystemdUnits.administrators
        for name in files.list(root) {
            if name.hasSuffix(".wants") || name.hasSuffix(".requires") {
                for unit in files.list("\(root)/\(name)") { enabled[unit] = "\(root)/\(name)/\(unit)" }
            } else if let entry = files.entry(at: "\(root)/\(name)"), case .link("/dev/null") = entry.kind {
                masked.insert(name)
            }
        }
        for name in masked { enabled[name] = nil }
        daemon = SystemdUnits.settings(of: "sextantd.service", files)
    }

    func isEnabled(_ unit: String) -> Bool { enabled[unit] != nil }

    private static func settings(of unit: String, _ files: some SystemFiles) -> [String: String]? {
        guard let text = folders.lazy.compactMap({ files.text(of: "\($0)/\(unit)") }).first else { return nil }
        var settings: [String: String] = [:]
        take(text, into: &settings)
        for folder in folders.reversed() {
            for name in files.list("\(folder)/\(unit).d") where name.hasSuffix(".conf") {
                take(files.text(of: "\(folder)/\(unit).d/\(name)") ?? "", into: &settings)
            }
        }
        return settings
    }

    /// Lists add up, and an empty value begins them anew; of all else the last one holds: systemd.syntax(7).
    private static func take(_ text: String, into settings: inout [String: String]) {
        for (_, line) in text.numberedLines where !line.hasPrefix("#") && !line.hasPrefix(";") {
            let (key, value) = line.trimmed.parted(at: "=")
            guard let value else { continue }
            let name = key.trimmed
            let adds = name == "SupplementaryGroups" && !value.trimmed.isEmpty
            settings[name] = adds ? "\(settings[name] ?? "") \(value.trimmed)".trimmed : value.trimmed
        }
    }
}
