internal import Glibc
public import SextantJSON
internal import SextantReactor

/// Why a configuration cannot be used; the text names the file, the key, the present value and what was expected.
public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    public var description: String
    /// Whether the file could not be read at all; false if its content is wrong.
    public var isUnreadable: Bool

    public init(description: String, isUnreadable: Bool = false) {
        self.description = description
        self.isUnreadable = isUnreadable
    }
}

/// An object in a JSON5 file whose members are taken one after the other.
///
/// Every key has one meaning and one range. A key that nobody has taken by the end is an error, because a misspelt key
/// would otherwise be silently ignored.
public struct ConfigurationSection {
    public let path: String
    private let prefix: String
    private(set) var members: [String: JSONValue]
    /// The paths of the files from which values came, by the value's full key, for those values that are not from the
    /// file `path`.
    private var origins: [String: String] = [:]
    /// The keys that were asked for up to now; the error about an unknown key lists them.
    private var known: [String] = []

    /// Reads a file that must contain one object; for any other content, the error shows `example`.
    public init(readFrom path: String, example: String, ifMissing mend: String) throws(ConfigurationError) {
        try self.init(
            parsing: try ConfigurationSection.contents(of: path, ifMissing: mend), readFrom: path, example: example)
    }

    /// Parses the bytes of a file that the caller has already read.
    public init(parsing bytes: [UInt8], readFrom path: String, example: String) throws(ConfigurationError) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes, allowsJSON5: true)
        } catch {
            throw ConfigurationError(description: "\(path): not JSON5: \(error.detail)")
        }
        guard case .object(let members) = value else {
            throw ConfigurationError(description: "\(path): the file must hold one object: \(example)")
        }
        self.init(path: path, prefix: "", members: members)
    }

    /// Makes a section from merged files.
    ///
    /// - Parameter path: The names of all files, for errors that concern no single file.
    public init(_ layers: ConfigurationLayers, path: String) {
        self.init(path: path, prefix: "", members: layers.members)
        origins = layers.origins
    }

    private init(path: String, prefix: String, members: [String: JSONValue]) {
        self.path = path
        self.prefix = prefix
        self.members = members
    }

    /// Whether the section has a member with this key that was not taken yet.
    public func has(_ key: String) -> Bool { members[key] != nil }

    /// Takes a member of any kind.
    public mutating func take(_ key: String) -> JSONValue? {
        known.append(key)
        return members.removeValue(forKey: key)
    }

    public mutating func takeString(_ key: String) throws(ConfigurationError) -> String? {
        guard let value = take(key) else { return nil }
        guard case .string(let string) = value, !string.isEmpty else { throw wrong(key, value, expected: "a text") }
        return string
    }

    public mutating func takeBool(_ key: String) throws(ConfigurationError) -> Bool? {
        guard let value = take(key) else { return nil }
        guard case .bool(let bool) = value else { throw wrong(key, value, expected: "true or false") }
        return bool
    }

    public mutating func takeNumber(
        _ key: String, in range: ClosedRange<Double>, _ unit: String
    ) throws(ConfigurationError) -> Double? {
        guard let value = take(key) else { return nil }
        guard case .number(let number) = value, range.contains(number) else {
            let bounds = [range.lowerBound, range.upperBound].map { JSONValue.number($0).written }
            throw wrong(key, value, expected: "\(unit) from \(bounds.joined(separator: " to "))")
        }
        return number
    }

    /// Takes a member whose value must be one of a fixed set of words.
    public mutating func takeWord<Word: RawRepresentable & CaseIterable>(
        _ key: String, _ type: Word.Type
    ) throws(ConfigurationError) -> Word? where Word.RawValue == String {
        guard let value = take(key) else { return nil }
        guard case .string(let text) = value, let word = Word(rawValue: text) else {
            let words = Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw wrong(key, value, expected: "one of \(words)")
        }
        return word
    }

    public mutating func takeSection(_ key: String) throws(ConfigurationError) -> ConfigurationSection? {
        guard let value = take(key) else { return nil }
        guard case .object(let inner) = value else { throw wrong(key, value, expected: "an object") }
        return section(key, inner)
    }

    /// Makes a section from the members of an object that is the value of a key in this section.
    public func section(_ key: String, _ members: [String: JSONValue]) -> ConfigurationSection {
        var section = ConfigurationSection(path: path, prefix: "\(prefix)\(key).", members: members)
        section.origins = origins
        return section
    }

    /// The path of the file from which a key's value came; if the key is missing, the file of the object that should
    /// contain it.
    public func file(of key: String) -> String {
        var whole = Substring(prefix + key)
        while true {
            if let file = origins[String(whole)] { return file }
            guard let dot = whole.lastIndex(of: ".") else { return path }
            whole = whole[..<dot]
        }
    }

    /// Throws if the section has members that nobody took.
    public func finish() throws(ConfigurationError) {
        guard let key = members.keys.sorted().first else { return }
        throw ConfigurationError(
            description:
                "\(file(of: key)): \(prefix)\(key): unknown key; the keys here are \(known.joined(separator: ", "))")
    }

    public func wrong(_ key: String, _ value: JSONValue, expected: String) -> ConfigurationError {
        ConfigurationError(description: "\(file(of: key)): \(prefix)\(key): \(value.written) must be \(expected)")
    }

    /// Makes the error that a required key is missing.
    ///
    /// - Parameter mend: What the user is to write so that the error goes away.
    public func missing(_ key: String, _ mend: String) -> ConfigurationError {
        ConfigurationError(description: "\(file(of: key)): \(prefix)\(key): missing; \(mend)")
    }
}

extension ConfigurationSection {
    private static func contents(of path: String, ifMissing mend: String) throws(ConfigurationError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, ifMissing: mend) }
        defer { _ = close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        while count < bytes.count {
            let start = count
            let result = unsafe bytes.withUnsafeMutableBytes { buffer in
                // Safety: the rest of the buffer is `buffer.count - start` bytes.
                unsafe read(descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start)
            }
            guard result >= 0 else { throw unreadable(path, ifMissing: mend) }
            if result == 0 { return Array(bytes[..<count]) }
            count += result
        }
        throw ConfigurationError(description: "\(path): larger than 64 KiB; this is not a Sextant configuration")
    }

    private static func unreadable(_ path: String, ifMissing mend: String) -> ConfigurationError {
        let code = errno
        let text =
            switch code {
            case ENOENT, ENOTDIR: "no such file; \(mend)"
            case EACCES: "permission denied; make it readable for the user that runs sextantd"
            case EISDIR: "is a directory; name the file in it"
            default: SystemError.text(of: code)
            }
        return ConfigurationError(description: "\(path): \(text)", isUnreadable: true)
    }
}
