internal import SextantJSON

/// Decodes a gpsd client's request: `?COMMAND;` or `?COMMAND={…};`, where a line end can replace the semicolon.
public enum GPSDRequestDecoder {
    public static func decode(_ line: [UInt8]) -> Result<GPSDRequest, GPSDRequestError> {
        let text = trimmed(line)
        guard !text.isEmpty else { return .success(.nothing) }
        do throws(GPSDRequestError) {
            return .success(try request(Array(text)))
        } catch {
            return .failure(error)
        }
    }

    private static func trimmed(_ line: [UInt8]) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte <= 0x20 }
        let start = line.firstIndex { !isSpace($0) } ?? line.endIndex
        let end = line.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
        return line[start..<end]
    }

    private static func request(_ text: [UInt8]) throws(GPSDRequestError) -> GPSDRequest {
        let split = text.firstIndex(of: 0x3D)
        let command = String(decoding: text[..<(split ?? text.endIndex)], as: UTF8.self)
        let argument = split.map { Array(text[($0 + 1)...]) }
        switch (command, argument) {
        case ("?VERSION", nil): return .version
        case ("?DEVICES", nil): return .devices
        case ("?DEVICE", _): return .device
        case ("?POLL", nil): return .poll
        case ("?WATCH", nil): return .watch(nil)
        case ("?WATCH", let argument?): return .watch(try policy(argument))
        default: throw .unrecognized(String(String(decoding: text, as: UTF8.self).prefix(64)))
        }
    }

    private static func policy(_ argument: [UInt8]) throws(GPSDRequestError) -> GPSDPolicy {
        guard case .object(let members)? = try? JSONValue(parsing: argument) else {
            throw .unrecognized(String(("?WATCH=" + String(decoding: argument, as: UTF8.self)).prefix(64)))
        }
        var policy = GPSDPolicy()
        policy.enable = try bool("enable", members)
        policy.json = try bool("json", members)
        policy.nmea = try bool("nmea", members)
        policy.scaled = try bool("scaled", members)
        policy.timing = try bool("timing", members)
        policy.split24 = try bool("split24", members)
        policy.pps = try bool("pps", members)
        if let raw = members["raw"] {
            guard case .number(let level) = raw, [0, 1, 2].contains(level) else {
                throw .badValue(key: "raw", expected: "0, 1 or 2")
            }
            policy.raw = Int(level)
        }
        if let device = members["device"] {
            guard case .string(let path) = device else { throw .badValue(key: "device", expected: "a path") }
            policy.device = path
        }
        return policy
    }

    private static func bool(_ key: String, _ members: [String: JSONValue]) throws(GPSDRequestError) -> Bool? {
        guard let value = members[key] else { return nil }
        guard case .bool(let bool) = value else { throw .badValue(key: key, expected: "true or false") }
        return bool
    }
}
