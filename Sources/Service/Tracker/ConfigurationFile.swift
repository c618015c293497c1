internal import BoardReading
internal import Boards
public import JSONReading

/// Reads `/etc/sextant/sextant.json5`.
public struct ConfigurationFile {
    private var file: ConfigurationSection
    private let root: String

    /// Reads and checks a file.
    ///
    /// - Parameter root: Where the system is whose boards are meant; empty for this one.
    public static func settings(
        readFrom path: String, below root: String = ""
    ) throws(ConfigurationError) -> TrackerSettings {
        var file = ConfigurationFile(
            file: try ConfigurationSection(
                readFrom: path, example: "{ device: \"/dev/serial0\" }", ifMissing: "write one, or give --device"),
            root: root)
        return try file.takeSettings()
    }

    private mutating func takeSettings() throws(ConfigurationError) -> TrackerSettings {
        var settings = try takeDevice()
        settings.socket = try file.takeString("socket") ?? settings.socket
        settings.stateDirectory = try file.takeString("stateDirectory")
        settings.recording = try file.takeString("recording")
        settings.clients = TrackerSettings.ClientFiles()
        if var clients = try file.takeSection("clients") {
            if let folder = try clients.takeString("manifests") { settings.clients?.manifests = folder }
            if let policy = try clients.takeString("policy") { settings.clients?.policy = policy }
            try clients.finish()
        }
        settings.wakeDirectory = try file.takeString("wakeDirectory")
        if var gpsd = try file.takeSection("gpsd") {
            try ConfigurationFile.takeGPSD(from: &gpsd, into: &settings)
        }
        try file.finish()
        return settings
    }

    /// The device and its rate are the board's where the file names a board and leaves them out.
    private mutating func takeDevice() throws(ConfigurationError) -> TrackerSettings {
        let device = try file.takeString("device")
        let root = root
        let board = try takeBoardName().map { name throws(ConfigurationError) in
            try BoardFile.board(
                at: name.hasPrefix("/") ? root + name : name, in: BoardFile.folders.map { root + $0 })
        }
        let baud = try takeBaud(default: board?.receiver.baud)
        guard let device = device ?? board?.receiver.device else {
            throw file.missing("device", "name the receiver's device, such as device: \"/dev/serial0\"")
        }
        var settings = TrackerSettings(device: device, baud: baud)
        settings.board = board
        return settings
    }

    /// An installation's file begins with an empty name, to be filled in.
    private mutating func takeBoardName() throws(ConfigurationError) -> String? {
        guard let value = file.take("board") else { return nil }
        guard case .string(let name) = value, !name.isEmpty else {
            let expected = "what the receiver is wired to, a folder of /usr/share/sextant/boards"
            throw file.wrong("board", value, expected: expected)
        }
        return name
    }

    private mutating func takeBaud(default rate: Int?) throws(ConfigurationError) -> Int? {
        guard let value = file.take("baud") else { return rate }
        guard let baud = Baud(value) else { throw file.wrong("baud", value, expected: Baud.expected) }
        return baud.rate
    }

    private static func takeGPSD(
        from section: inout ConfigurationSection, into settings: inout TrackerSettings
    ) throws(ConfigurationError) {
        let isEnabled = try section.takeBool("enabled") ?? true
        if let port = section.take("port") {
            guard case .number(let number) = port, let exact = UInt16(exactly: number), exact > 0 else {
                throw section.wrong("port", port, expected: "a port from 1 to 65535")
            }
            settings.gpsdPort = exact
        }
        if let addresses = section.take("addresses") {
            settings.gpsdAddresses = try strings("addresses", addresses, in: section)
        }
        if !isEnabled { settings.gpsdPort = nil }
        try section.finish()
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
