public import Configuration
internal import SextantJSON
public import SextantPlaces

/// The settings under `geocoding` in `/etc/sextant/sextant.json5`.
public struct GeocoderSettings: Sendable, Equatable {
    /// The server's base address: the part before the paths of its programming interface, without a slash at its end.
    public var server: String
    public var format = ServerFormat.nominatim
    /// How the server's operator can reach the board's owner: a mail address or a web page.
    public var contact: String?
    /// The smallest number of seconds between two requests to the server.
    public var interval = 1.0
    /// The largest number of seconds until a lookup gets its answer, the wait in the queue included.
    public var timeout = 10.0
    /// The largest number of lookups of one client in any 60 s.
    public var perClient = 50
    /// The number of days for which an answer is kept.
    public var cacheDays = 30
    /// The finest level of detail that the server is asked for.
    public var level = ServerLevel.street
    /// Whether the server's address can begin with `http:`, which is allowed only for this machine and private
    /// networks.
    public var allowPlain = false

    public static let standardPath = "/etc/sextant/sextant.json5"
    /// The OpenStreetMap Foundation's server, which demands that requests name a contact, and at most one request a
    /// second.
    ///
    /// Source: operations.osmfoundation.org, Nominatim Usage Policy.
    static let publicServer = "nominatim.openstreetmap.org"

    public init(server: String) { self.server = server }

    /// Reads the geocoder's section of the configuration file; the daemon reads the rest of the file.
    public static func read(from path: String) throws(ConfigurationError) -> GeocoderSettings {
        var file = try ConfigurationSection(
            readFrom: path, example: GeocoderSettings.example, ifMissing: "write one, such as \(example)")
        guard var section = try file.takeSection("geocoding") else {
            throw file.missing("geocoding", "name a server, such as \(example)")
        }
        return try take(from: &section)
    }

    private static let example = "geocoding: { server: \"https://nominatim.example\" }"

    private static func take(from section: inout ConfigurationSection) throws(ConfigurationError) -> GeocoderSettings {
        guard let server = try section.takeString("server") else {
            throw section.missing("server", "name one, such as \(example)")
        }
        var settings = GeocoderSettings(server: server)
        settings.allowPlain = try section.takeBool("allowPlain") ?? false
        settings.format = try section.takeWord("format", ServerFormat.self) ?? settings.format
        settings.contact = try section.takeString("contact")
        settings.interval = try section.takeNumber("interval", in: 0.01...60, "seconds") ?? settings.interval
        settings.timeout = try section.takeNumber("timeout", in: 1...10, "seconds") ?? settings.timeout
        settings.perClient = try whole("perClient", in: 1...1000, "lookups", &section) ?? settings.perClient
        settings.cacheDays = try whole("cacheDays", in: 0...365, "days", &section) ?? settings.cacheDays
        settings.level = try section.takeWord("level", OwnersLevel.self)?.level ?? settings.level
        try section.finish()
        try settings.checkServer(in: section)
        try settings.checkManners(in: section)
        return settings
    }

    private enum OwnersLevel: String, CaseIterable {
        case street, town

        var level: ServerLevel { self == .street ? .street : .town }
    }

    private static func whole(
        _ key: String, in range: ClosedRange<Double>, _ unit: String, _ section: inout ConfigurationSection
    ) throws(ConfigurationError) -> Int? {
        guard let number = try section.takeNumber(key, in: range, unit) else { return nil }
        guard let whole = Int(exactly: number) else {
            throw section.wrong(key, .number(number), expected: "a whole number of \(unit)")
        }
        return whole
    }

    private mutating func checkServer(in section: ConfigurationSection) throws(ConfigurationError) {
        guard let address = ServerAddress(server) else {
            throw section.wrong(
                "server", .string(server), expected: "an address such as https://nominatim.example, without ? # and @")
        }
        guard !address.isPlain || allowPlain else {
            throw section.wrong(
                "server", .string(server),
                expected: "https; for a server on this machine or in a private network "
                    + "allowPlain: true permits http")
        }
        guard !address.isPlain || address.isPrivate else {
            throw section.wrong(
                "server", .string(server),
                expected: "https, since http is for localhost and for the addresses of "
                    + "private networks, such as 192.168.1.2")
        }
        server = address.text
    }

    private func checkManners(in section: ConfigurationSection) throws(ConfigurationError) {
        if let contact, !contact.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x28 && $0 != 0x29 }) {
            throw section.wrong("contact", .string(contact), expected: "plain ASCII without brackets")
        }
        guard ServerAddress(server)?.host == GeocoderSettings.publicServer else { return }
        guard contact != nil else {
            throw section.missing(
                "contact", "\(GeocoderSettings.publicServer) wants to know whom to write to, by mail address or page")
        }
        guard interval >= 1 else {
            throw section.wrong(
                "interval", .number(interval), expected: "1 or more for \(GeocoderSettings.publicServer)")
        }
    }
}

/// The address of a server: scheme, host, port and the path before the paths of its programming interface.
struct ServerAddress: Equatable {
    /// The server's address without a slash at its end.
    let text: String
    let isPlain: Bool
    /// The address's host in lower case, without a dot at its end; an IPv6 address without its brackets.
    let host: String

    /// Parses a server's address; nil if the text is not a valid one.
    init?(_ given: String) {
        guard given.utf8.count <= 500,
            given.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"?#@\\\"".utf8.contains($0) })
        else { return nil }
        let lower = given.lowercased()
        isPlain = lower.hasPrefix("http://")
        guard isPlain || lower.hasPrefix("https://") else { return nil }
        let rest = lower.dropFirst(isPlain ? 7 : 8)
        let authority = rest.prefix { $0 != "/" }
        guard let host = ServerAddress.host(of: authority), !host.isEmpty else { return nil }
        self.host = host
        var text = Substring(given)
        while text.last == "/" { text.removeLast() }
        self.text = String(text)
    }

    private static func host(of authority: Substring) -> String? {
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]"), isPort(authority[end...].dropFirst()) else { return nil }
            return String(authority[authority.index(after: authority.startIndex)..<end])
        }
        let host = authority.prefix { $0 != ":" }
        guard isPort(authority.dropFirst(host.count)) else { return nil }
        return String(host.last == "." ? host.dropLast() : host)
    }

    /// Whether a text is the port part of an address: empty, or a colon and a port number.
    private static func isPort(_ text: Substring) -> Bool {
        guard text.first == ":" else { return text.isEmpty }
        return UInt16(text.dropFirst()).map { $0 > 0 } ?? false
    }

    /// Whether the host is this machine, or a numeric address of a private network (RFC 1918, 3927, 4193, 4291).
    ///
    /// A host name can lead anywhere, so localhost is the only name that is accepted.
    var isPrivate: Bool {
        if host == "localhost" { return true }
        if host.utf8.contains(0x3A) {
            return host == "::1" || ["fc", "fd", "fe8", "fe9", "fea", "feb"].contains { host.hasPrefix($0) }
        }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        // The C library reads a number with a leading zero as octal, so such numbers are refused.
        let bytes = parts.compactMap { $0.count > 1 && $0.first == "0" ? nil : UInt8($0) }
        guard parts.count == 4, bytes.count == 4 else { return false }
        return switch (bytes[0], bytes[1]) {
        case (10, _), (127, _), (172, 16...31), (192, 168), (169, 254): true
        default: false
        }
    }
}
