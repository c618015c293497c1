internal import Boards
internal import SextantJSON

/// What was read from a configuration file, whether the file can be used or not.
public struct ConfigurationReading: Sendable, Equatable {
    /// The file's settings; if the file cannot be used, only those that apply nevertheless.
    public var settings: TrackerSettings
    /// Why the file cannot be used; nil if it can.
    public var problem: ConfigurationError?
    /// The paths of the configuration file and of the board's files, including paths that were looked up but do not
    /// exist.
    public var files: [String]
}

/// Reads `/etc/sextant/sextant.json5`.
///
/// If the file cannot be used, the daemon waits for the correction, and meanwhile allows no more than the operator can
/// have meant: the correct parts of the file apply, but the daemon has no receiver and records nothing. The defaults
/// for clients and for the gpsd port let clients in, so they apply only if the operator surely left these parts out. No
/// client is served, and the gpsd port is closed, in three cases: the part itself is wrong; the part is missing and an
/// unknown key may be its misspelt name; or the file is missing or no JSON5, so that nothing is known. Data is stored
/// only if the file says so.
public struct ConfigurationFile {
    private var file: ConfigurationSection
    private let root: String
    /// The mistake that was found first in the file; nil if none was found.
    private var problem: ConfigurationError?
    private var files: [String]

    /// Reads and checks a configuration file.
    ///
    /// - Parameter root: The root directory of the system whose board files are used; empty for the running system.
    public static func settings(
        readFrom path: String, below root: String = ""
    ) throws(ConfigurationError) -> TrackerSettings {
        let reading = reading(of: path, below: root)
        if let problem = reading.problem { throw problem }
        return reading.settings
    }

    /// Reads a configuration file; if it cannot be used, returns the settings that apply nevertheless.
    ///
    /// - Parameter root: The root directory of the system whose board files are used; empty for the running system.
    public static func reading(of path: String, below root: String = "") -> ConfigurationReading {
        do throws(ConfigurationError) {
            let section = try ConfigurationSection(
                readFrom: path, example: "{ device: \"/dev/serial0\" }", ifMissing: "write one, or give --device")
            var file = ConfigurationFile(file: section, root: root, files: [path])
            let settings = file.takeSettings()
            return ConfigurationReading(settings: settings, problem: file.problem, files: file.files)
        } catch {
            return ConfigurationReading(settings: .unknown, problem: error, files: [path])
        }
    }

    private mutating func takeSettings() -> TrackerSettings {
        let receiver = takeReceiver()
        var settings = receiver ?? .unknown
        settings.socket = takeText("socket") ?? settings.socket
        settings.stateDirectory = takeText("stateDirectory")
        settings.recording = takeText("recording")
        // The section `geocoding` is left to the program sextant-geocoder; the daemon itself has no access to the
        // network.
        _ = file.take("geocoding")
        settings.longestUnwatchedRest = attempt(orElse: nil) { file throws(ConfigurationError) in
            try BoardFile.takeLongestUnwatchedRest(from: &file.file)
        }
        settings.hostSleep = attempt(orElse: nil) { file throws(ConfigurationError) in
            try HostSleepSection.take(from: &file.file)
        }
        settings.time = attempt(orElse: nil) { file throws(ConfigurationError) in
            try TimeSection.take(from: &file.file)
        }
        let spots = attempt(orElse: []) { file throws(ConfigurationError) in
            // The key "spots" was once called "places", and files with that name are still accepted.
            try BeaconSpotList.take(file.file.has("places") ? "places" : "spots", from: &file.file)
        }
        settings.spots = spots ?? []
        let clients = attempt(orElse: .nobody) { file throws(ConfigurationError) in try file.takeClients() }
        settings.wakeDirectory = takeText("wakeDirectory")
        let port = attempt(orElse: Port.off) { file throws(ConfigurationError) in try file.takePort() }
        let knowsAll = attempt(orElse: false) { file throws(ConfigurationError) in try file.finish() } == true
        // An unknown key is reported first, because it may be a misspelt `device` or `board`.
        if receiver == nil {
            problem =
                problem ?? file.missing("device", "name the receiver's device, such as device: \"/dev/serial0\"")
        }
        settings.clients = clients ?? (knowsAll ? .files(TrackerSettings.ClientFiles()) : .nobody)
        (settings.gpsdPort, settings.gpsdAddresses) = (port ?? (knowsAll ? .usual : .off)).settings
        if problem != nil { settings.forgetReceiver() }
        return settings
    }

    private mutating func finish() throws(ConfigurationError) -> Bool {
        try file.finish()
        return true
    }

    /// Reads a part of the file; if the part is wrong, remembers the error and returns the given substitute.
    private mutating func attempt<Part>(
        orElse other: Part?, _ take: (inout ConfigurationFile) throws(ConfigurationError) -> Part?
    ) -> Part? {
        do throws(ConfigurationError) {
            return try take(&self)
        } catch {
            problem = problem ?? error
            return other
        }
    }

    private mutating func takeText(_ key: String) -> String? {
        attempt(orElse: nil) { file throws(ConfigurationError) in try file.file.takeString(key) }
    }

    /// Reads the receiver's device and baud rate; nil if there is no device.
    ///
    /// Values that the configuration file leaves out come from the board's file.
    private mutating func takeReceiver() -> TrackerSettings? {
        let device = takeText("device")
        let board = attempt(orElse: nil) { file throws(ConfigurationError) in
            try file.takeBoard(isNeeded: device == nil)
        }
        let baud = attempt(orElse: nil) { file throws(ConfigurationError) in try file.takeBaud() }
        guard let given = device ?? board?.receiver.device else { return nil }
        var settings = TrackerSettings(device: given, baud: baud.map(\.rate) ?? board?.receiver.baud)
        settings.board = board
        return settings
    }

    /// Reads the board, whose name may be empty only if the file gives the receiver's device.
    ///
    /// In a freshly installed file the name is empty, and the operator must fill it in.
    private mutating func takeBoard(isNeeded: Bool) throws(ConfigurationError) -> Board? {
        guard let value = file.take("board"), isNeeded || value != .string("") else { return nil }
        guard case .string(let name) = value, !name.isEmpty else {
            let expected = "what the receiver is wired to, a folder of /usr/share/sextant/boards"
            throw file.wrong("board", value, expected: expected)
        }
        return try BoardFile.board(
            at: name.hasPrefix("/") ? root + name : name, in: BoardFile.folders.map { root + $0 },
            dependingOn: &files)
    }

    private mutating func takeBaud() throws(ConfigurationError) -> Baud? {
        guard let value = file.take("baud") else { return nil }
        guard let baud = Baud(value) else { throw file.wrong("baud", value, expected: Baud.expected) }
        return baud
    }

    private mutating func takeClients() throws(ConfigurationError) -> TrackerSettings.Clients? {
        guard var section = try file.takeSection("clients") else { return nil }
        var files = TrackerSettings.ClientFiles()
        files.manifests = try section.takeString("manifests") ?? files.manifests
        files.policy = try section.takeString("policy") ?? files.policy
        try section.finish()
        return .files(files)
    }

    private mutating func takePort() throws(ConfigurationError) -> Port? {
        guard var section = try file.takeSection("gpsd") else { return nil }
        let isEnabled = try section.takeBool("enabled") ?? true
        var port = Port.usual
        if let value = section.take("port") {
            guard case .number(let number) = value, let exact = UInt16(exactly: number), exact > 0 else {
                throw section.wrong("port", value, expected: "a port from 1 to 65535")
            }
            port.number = exact
        }
        if let addresses = section.take("addresses") {
            port.addresses = try ConfigurationFile.strings("addresses", addresses, in: section)
        }
        if !isEnabled { port.number = nil }
        try section.finish()
        return port
    }

    /// The settings of the gpsd protocol in the configuration file.
    private struct Port {
        /// The TCP port of the gpsd protocol; nil if the protocol is not offered.
        var number: UInt16?
        /// The IP addresses on which the gpsd protocol is offered; nil for loopback.
        var addresses: [String]?

        static let usual = Port(number: TrackerSettings.defaultGPSDPort)
        static let off = Port()

        var settings: (UInt16?, [String]?) { (number, addresses) }
    }

    private static func strings(
        _ key: String, _ value: JSONValue, in section: ConfigurationSection
    ) throws(ConfigurationError) -> [String] {
        guard case .array(let elements) = value, !elements.isEmpty else {
            throw section.wrong(key, value, expected: "a list of addresses, such as [\"127.0.0.1\", \"::1\"]")
        }
        var strings: [String] = []
        for element in elements {
            guard case .string(let string) = element else { throw section.wrong(key, element, expected: "an address") }
            strings.append(string)
        }
        return strings
    }
}
