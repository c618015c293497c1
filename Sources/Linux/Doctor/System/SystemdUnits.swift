/// The units that systemd starts, known from the links below `/etc/systemd/system`, and the settings in the daemon's
/// own unit.
public struct SystemdUnits: Sendable, Equatable {
    static let administrators = "/etc/systemd/system"
    /// The folders of unit files, the administrator's before those of packages.
    private static let folders = [administrators, "/lib/systemd/system", "/usr/lib/systemd/system"]

    /// The units that a target starts, each with the path of the link that enables it.
    private(set) var enabled: [String: String] = [:]
    private(set) var masked: Set<String> = []
    /// The settings in the section Service of the daemon's unit and its drop-ins; nil if the unit is not installed.
    private(set) var daemon: [String: String]?
    /// Whether the MQTT uplink's unit lets it reach its broker: a drop-in allows further addresses, or the broker is on
    /// this host.
    private(set) var uplinkReachesBroker: Bool

    public init(files: some SystemFiles) {
        let root = SystemdUnits.administrators
        for name in files.list(root) {
            if name.hasSuffix(".wants") || name.hasSuffix(".requires") {
                for unit in files.list("\(root)/\(name)") { enabled[unit] = "\(root)/\(name)/\(unit)" }
            } else if let entry = files.entry(at: "\(root)/\(name)"), case .link("/dev/null") = entry.kind {
                masked.insert(name)
            }
        }
        for name in masked { enabled[name] = nil }
        let hasDropIn = SystemdUnits.folders.contains { folder in
            let drops = "\(folder)/sextant-uplink.service.d"
            return files.list(drops).contains { name in
                name.hasSuffix(".conf")
                    && (files.text(of: "\(drops)/\(name)") ?? "").numberedLines.contains { _, line in
                        line.trimmed.hasPrefix("IPAddressAllow=")
                    }
            }
        }
        let settings = files.text(of: "/etc/sextant/uplink.json5") ?? ""
        let isBrokerHere = settings.numberedLines.contains { _, line in
            !line.trimmed.hasPrefix("//")
                && line.split(separator: "/").contains { part in
                    ["localhost", "127.", "[::1]"].contains { part.hasPrefix($0) }
                }
        }
        uplinkReachesBroker = hasDropIn || isBrokerHere
        daemon = SystemdUnits.settings(of: "sextantd.service", files)
    }

    public func isEnabled(_ unit: String) -> Bool { enabled[unit] != nil }

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

    /// Of the keys that the checks read, those that a unit can give several times (systemd.exec(5),
    /// systemd.service(5)).
    private static let lists: Set = ["SupplementaryGroups", "ReadWritePaths", "ExecStartPre"]

    /// Reads settings in the syntax of systemd.syntax(7).
    ///
    /// The values of a key in `lists` add up, and an empty value clears them. For any other key the last value applies.
    private static func take(_ text: String, into settings: inout [String: String]) {
        for (_, line) in text.numberedLines where !line.hasPrefix("#") && !line.hasPrefix(";") {
            let (key, value) = line.trimmed.parted(at: "=")
            guard let value else { continue }
            let name = key.trimmed
            let adds = lists.contains(name) && !value.trimmed.isEmpty
            settings[name] = adds ? "\(settings[name] ?? "") \(value.trimmed)".trimmed : value.trimmed
        }
    }
}
