public import Access
internal import SextantJSON

/// Reads `/etc/sextant/clients.d/NAME.json5`, the operator's file about the client NAME.
///
/// | key | value | what |
/// |---|---|---|
/// | `unit` | `tracker.service`, or `user@1000.service/tracker.service` | the systemd unit of the process |
/// | `user`, `group` | a name or a number | the user of the process; a group of the process |
/// | `executable` | a path | the program of the process, if the daemon is able to read its path |
/// | `command` | a text of at most 15 bytes | the name of the process; any program can give itself any name |
/// | `purpose` | `whenInUse`, `always`, `temporary` (an object of texts) | why the client asks, shown as written |
/// | `backgroundMode` | true or false (false) | whether the client is allowed to continue in the background |
/// | `wakeUnit` | a service | the service to start when something happens while the client does not run |
/// | `regions` | a list, see `ManifestRegions` | services to start at the borders of regions |
/// | `maximumRegions` | 1 to 100000 (1000) | the largest number of regions that the client can have monitored |
/// | `requires` | a list of `receiver`, `magnetometer` | hardware without which the client is not served |
/// | `requiresServiceSession` | true or false (false) | whether live updates and monitors give the client data only in an explicit session |
/// | `defaultAccuracyReduced` | true or false (false) | whether the client gets reduced accuracy unless the user or the policy decides otherwise |
/// | `asksAtStart` | true or false (true) | whether the user is asked when the client starts a service while its authorization is undecided |
/// | `hostSleep` | `allow`, `veto` (`allow`) | whether the board can be switched off while the client has a request |
/// | `operator` | true or false (false) | whether the client is allowed to make an operator's requests |
/// | `geocoding` | `server` or `local` (`server`) | whether the geocoder is allowed to ask its server for the client |
///
/// At least one of `unit`, `user`, `group` and `executable` must be given, and all that are given must match. The
/// manifest `gpsd` is for programs that connect to the gpsd port and match no manifest; it gives none of these keys.
public struct ManifestFile {
    private static let example = "{ unit: \"tracker.service\" }"
    /// The name of the manifest for all programs at the gpsd port that match no other manifest.
    static let portName = "gpsd"

    private var file: ConfigurationSection
    private let accounts: Accounts

    /// Reads and checks a manifest; the client's name is the file's name without its suffix.
    public static func manifest(
        readFrom path: String, accounts: Accounts = .system
    ) throws(ConfigurationError) -> ClientManifest {
        try reading(of: path, accounts: accounts).manifest
    }

    /// Reads and checks a manifest; also returns whether the client's geocoding must use only the tables on the board.
    static func reading(
        of path: String, accounts: Accounts
    ) throws(ConfigurationError) -> (manifest: ClientManifest, geocodesLocally: Bool) {
        let name = try ClientFileName(path: path).client
        guard let bytes = try TrustedFile.contents(of: path) else {
            throw ConfigurationError(description: "\(path): no such file; write one", isUnreadable: true)
        }
        var reader = ManifestFile(
            file: try ConfigurationSection(parsing: bytes, readFrom: path, example: example), accounts: accounts)
        let geocodesLocally = try reader.takeGeocoding()
        return (try reader.takeManifest(of: name), geocodesLocally)
    }

    private mutating func takeManifest(of name: String) throws(ConfigurationError) -> ClientManifest {
        var manifest = ClientManifest(name: name, selector: try takeSelector())
        manifest.purposes = try takePurposes()
        manifest.backgroundMode = try file.takeBool("backgroundMode") ?? false
        manifest.wakeUnit = try takeWakeUnit()
        manifest.maximumRegions = try takeMaximumRegions() ?? manifest.maximumRegions
        manifest.regions = try ManifestRegions.take("regions", from: &file)
        manifest.requires = try takeRequirements()
        manifest.requiresServiceSession = try file.takeBool("requiresServiceSession") ?? false
        manifest.defaultAccuracyReduced = try file.takeBool("defaultAccuracyReduced") ?? false
        manifest.asksAtStart = try file.takeBool("asksAtStart") ?? true
        manifest.forbidsHostSleep = try file.takeWord("hostSleep", HostSleepWord.self) == .veto
        manifest.isOperator = try file.takeBool("operator") ?? false
        try file.finish()
        try check(manifest)
        return manifest
    }

    /// Throws if keys contradict one another: those of the process, of the regions, and of an operator's rights.
    private func check(_ manifest: ClientManifest) throws(ConfigurationError) {
        try ManifestRegions.check(manifest, in: file)
        let selector = manifest.selector
        if manifest.name == ManifestFile.portName {
            guard selector == ClientSelector() else {
                throw ConfigurationError(
                    description: "\(file.path): unit, user, group, executable, command: not in this file, "
                        + "which is for those at the gpsd port who are not known; remove them")
            }
        } else if selector.unit == nil, selector.user == nil, selector.group == nil, selector.executable == nil {
            throw file.missing("unit", "say which process this is, by unit, user, group or executable")
        }
        // A manifest that names only a group does not give an operator's rights, because every program of the group's
        // members runs with the group.
        let isMember = selector.group != nil && selector.command != nil
        if manifest.isOperator, selector.unit == nil, selector.user == nil, !isMember {
            let expected =
                "with a unit, a user, or a group and command: \"sextant\": anybody may run an executable, and each "
                + "program of a group's members is in the group"
            throw file.wrong("operator", .bool(true), expected: expected)
        }
    }

    /// Whether the client's geocoding must use only the tables on the board; the geocoder uses this value, the daemon
    /// does not.
    private mutating func takeGeocoding() throws(ConfigurationError) -> Bool {
        switch file.take("geocoding") {
        case nil, .string("server"): return false
        case .string("local"): return true
        case let value?: throw file.wrong("geocoding", value, expected: "one of \"server\", \"local\"")
        }
    }

    private mutating func takeMaximumRegions() throws(ConfigurationError) -> Int? {
        guard let value = file.take("maximumRegions") else { return nil }
        let bounds = ClientManifest.regionBounds
        guard case .number(let number) = value, let count = Int(exactly: number), bounds.contains(count) else {
            let expected = "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
            throw file.wrong("maximumRegions", value, expected: expected)
        }
        return count
    }

    private mutating func takeRequirements() throws(ConfigurationError) -> Set<ClientManifest.Requirement> {
        let words = ClientManifest.Requirement.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        let expected = "a list of any of \(words)"
        guard let value = file.take("requires") else { return [] }
        guard case .array(let elements) = value else { throw file.wrong("requires", value, expected: expected) }
        var requirements: Set<ClientManifest.Requirement> = []
        for element in elements {
            guard case .string(let text) = element, let requirement = ClientManifest.Requirement(rawValue: text) else {
                throw file.wrong("requires", element, expected: "one of \(words)")
            }
            requirements.insert(requirement)
        }
        return requirements
    }

    private mutating func takeWakeUnit() throws(ConfigurationError) -> String? {
        guard let unit = try file.takeString("wakeUnit") else { return nil }
        guard UnitName.canBeWoken(unit) else {
            throw file.wrong("wakeUnit", .string(unit), expected: UnitName.expectedToWake)
        }
        return unit
    }
}

extension ManifestFile {
    private mutating func takeSelector() throws(ConfigurationError) -> ClientSelector {
        let unit = try file.takeString("unit")
        if let unit, !UnitName.isOfProcess(unit) {
            throw file.wrong("unit", .string(unit), expected: UnitName.expectedOfProcess)
        }
        let user = try takeNumber("user", named: accounts.userID)
        let group = try takeNumber("group", named: accounts.groupID)
        let executable = try file.takeString("executable")
        if let executable, !executable.hasPrefix("/") || executable.hasSuffix("/") {
            throw file.wrong("executable", .string(executable), expected: "a whole path, such as \"/usr/bin/tracker\"")
        }
        let command = try file.takeString("command")
        if let command, !(1...ClientSelector.maximumCommandBytes).contains(command.utf8.count) {
            let expected = "the name of a process, of 1 to \(ClientSelector.maximumCommandBytes) bytes"
            throw file.wrong("command", .string(command), expected: expected)
        }
        return ClientSelector(unit: unit, executable: executable, user: user, group: group, command: command)
    }

    /// Reads a user or a group, given as an ID or as a name.
    private mutating func takeNumber(
        _ key: String, named number: (String) -> UInt32?
    ) throws(ConfigurationError) -> UInt32? {
        switch file.take(key) {
        case nil: return nil
        case .string(let name)? where !name.isEmpty:
            guard let number = number(name) else {
                throw file.wrong(key, .string(name), expected: "a \(key) of this board; create it, or give its number")
            }
            return number
        case .number(let value)?:
            // The highest ID means "no user" or "no group" (setreuid(2)).
            guard let number = UInt32(exactly: value), number != .max else {
                throw file.wrong(key, .number(value), expected: "a number from 0 to 4294967294")
            }
            return number
        case let value?: throw file.wrong(key, value, expected: "a name or a number")
        }
    }

    private mutating func takePurposes() throws(ConfigurationError) -> PurposeStrings {
        guard var section = try file.takeSection("purpose") else { return PurposeStrings() }
        let whenInUse = try ManifestFile.takePurpose("whenInUse", from: &section)
        let always = try ManifestFile.takePurpose("always", from: &section)
        var temporary: [String: String] = [:]
        if let value = section.take("temporary") {
            guard case .object(let members) = value, members.count <= 16 else {
                throw section.wrong("temporary", value, expected: "an object of at most 16 texts")
            }
            var inner = section.section("temporary", members)
            for key in members.keys.sorted() {
                guard (1...64).contains(key.utf8.count) else {
                    throw section.wrong("temporary", .string(key), expected: "a key of 1 to 64 bytes")
                }
                temporary[key] = try ManifestFile.takePurpose(key, from: &inner)
            }
        }
        try section.finish()
        return PurposeStrings(whenInUse: whenInUse, always: always, temporary: temporary)
    }

    /// Reads a text that is shown as written; it must have no control characters, which could move a terminal's cursor.
    private static func takePurpose(
        _ key: String, from section: inout ConfigurationSection
    ) throws(ConfigurationError) -> String? {
        guard let value = section.take(key) else { return nil }
        guard case .string(let text) = value, text.utf8.count <= 512,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw section.wrong(key, value, expected: "a text of at most 512 bytes, in one line") }
        return text
    }
}

/// Whether a client allows the board to be switched off while the client has a request.
private enum HostSleepWord: String, CaseIterable {
    case allow, veto
}
