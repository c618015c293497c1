internal import Glibc
internal import JSONReading

/// Why a configuration cannot be used: the file, the key, what stands there and what was expected.
public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    public var description: String
    /// Whether the file could not be read at all, rather than being wrong.
    public var isUnreadable = false
}

/// Reads `/etc/sextant/sextant.json5`.
///
/// Every key has one meaning and one range; an unknown key is an error, because a misspelt one would be silently ignored.
public struct ConfigurationFile {
    private let path: String
    private var members: [String: JSONValue]
    private var prefix = ""

    /// Reads and checks a file.
    public static func settings(readFrom path: String) throws(ConfigurationError) -> TrackerSettings {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: try contents(of: path), allowsJSON5: true)
        } catch let problem as JSONParseError {
            throw ConfigurationError(description: "\(path): not JSON5: \(problem.detail)")
        } catch let problem as ConfigurationError {
            throw problem
        } catch {
            throw ConfigurationError(description: "\(path): \(error)")
        }
        guard case .object(let members) = value else {
            throw ConfigurationError(
                description: "\(path): the file must hold one object: { device: \"/dev/serial0\" }")
        }
        var file = ConfigurationFile(path: path, members: members)
        return try file.takeSettings()
    }

    private mutating func takeSettings() throws(ConfigurationError) -> TrackerSettings {
        guard let device = try takeString("device") else {
            throw ConfigurationError(
                description: "\(path): device: missing; name the receiver's device, such as device: \"/dev/serial0\"")
        }
        var settings = TrackerSettings(device: device, baud: try takeBaud())
        settings.socket = try takeString("socket") ?? settings.socket
        settings.stateDirectory = try takeString("stateDirectory")
        settings.recording = try takeString("recording")
        if let gpsd = members.removeValue(forKey: "gpsd") {
            guard case .object(let inner) = gpsd else { throw wrong("gpsd", gpsd, expected: "an object") }
            var section = ConfigurationFile(path: path, members: inner, prefix: "gpsd.")
            try section.takeGPSD(into: &settings)
        }
        try finish()
        return settings
    }

    private mutating func takeGPSD(into settings: inout TrackerSettings) throws(ConfigurationError) {
        let isEnabled = try takeBool("enabled") ?? true
        if let port = members.removeValue(forKey: "port") {
            guard case .number(let number) = port, let exact = UInt16(exactly: number), exact > 0 else {
                throw wrong("port", port, expected: "a port from 1 to 65535")
            }
            settings.gpsdPort = exact
        }
        if let addresses = members.removeValue(forKey: "addresses") {
            settings.gpsdAddresses = try strings("addresses", addresses)
        }
        if !isEnabled { settings.gpsdPort = nil }
        try finish()
    }

    private mutating func takeBaud() throws(ConfigurationError) -> Int? {
        guard let value = members.removeValue(forKey: "baud") else { return nil }
        switch value {
        case .string("auto"): return nil
        case .number(let number):
            guard let baud = Int(exactly: number), (4800...921_600).contains(baud) else { fallthrough }
            return baud
        default: throw wrong("baud", value, expected: "bits per second from 4800 to 921600, or \"auto\"")
        }
    }

    private mutating func takeString(_ key: String) throws(ConfigurationError) -> String? {
        guard let value = members.removeValue(forKey: key) else { return nil }
        guard case .string(let string) = value, !string.isEmpty else { throw wrong(key, value, expected: "a text") }
        return string
    }

    private mutating func takeBool(_ key: String) throws(ConfigurationError) -> Bool? {
        guard let value = members.removeValue(forKey: key) else { return nil }
        guard case .bool(let bool) = value else { throw wrong(key, value, expected: "true or false") }
        return bool
    }

    private func strings(_ key: String, _ value: JSONValue) throws(ConfigurationError) -> [String] {
        guard case .array(let elements) = value, !elements.isEmpty else {
            throw wrong(key, value, expected: "a list of addresses, such as [\"127.0.0.1\", \"::1\"]")
        }
        var strings: [String] = []
        for element in elements {
            guard case .string(let string) = element else { throw wrong(key, element, expected: "an address") }
            strings.append(string)
        }
        return strings
    }

    /// Refuses what is left over.
    private func finish() throws(ConfigurationError) {
        guard let key = members.keys.sorted().first else { return }
        let known =
            prefix.isEmpty ? "device, baud, socket, stateDirectory, recording, gpsd" : "enabled, port, addresses"
        throw ConfigurationError(description: "\(path): \(prefix)\(key): unknown key; the keys here are \(known)")
    }

    private func wrong(_ key: String, _ value: JSONValue, expected: String) -> ConfigurationError {
        ConfigurationError(description: "\(path): \(prefix)\(key): \(value.written) must be \(expected)")
    }

    private static func contents(of path: String) throws(ConfigurationError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { _ = close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        while count < bytes.count {
            let start = count
            let result = unsafe bytes.withUnsafeMutableBytes { buffer in
                // Safety: the rest of the buffer is `buffer.count - start` bytes.
                unsafe read(descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start)
            }
            guard result >= 0 else { throw unreadable(path) }
            if result == 0 { return Array(bytes[..<count]) }
            count += result
        }
        throw ConfigurationError(description: "\(path): larger than 64 KiB; this is no configuration of Sextant's")
    }

    private static func unreadable(_ path: String) -> ConfigurationError {
        let code = errno
        let text =
            switch code {
            case ENOENT: "no such file; write one, or give --device"
            case EACCES: "permission denied; make it readable for the user that runs sextantd"
            case EISDIR: "is a directory; name the file in it"
            default: unsafe String(cString: strerror(code))
            }
        return ConfigurationError(description: "\(path): \(text)", isUnreadable: true)
    }
}

extension JSONValue {
    /// The value as it may have been written, for an error message.
    fileprivate var written: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): Int(exactly: value).map { "\($0)" } ?? "\(value)"
        case .string(let value): "\"\(value)\""
        case .array: "a list"
        case .object: "an object"
        }
    }
}
