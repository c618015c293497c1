/// A request to a geocoding server, and the HTTP path with which it is sent to each kind of server.
public struct ServerQuestion: Sendable, Hashable {
    public enum Subject: Sendable, Hashable {
        /// Find the names of a point, in degrees north and east.
        case reverse(latitude: Double, longitude: Double)
        /// Find the places with a name; places in the circle `near` come first.
        case forward(text: String, near: PlaceQuestion.Hint?)
    }

    public var subject: Subject
    public var level: ServerLevel
    /// The language of the answer, such as de, pt-BR or zh-Hant-TW; nil for the server's default language.
    public var language: String?

    public init(_ subject: Subject, level: ServerLevel = .street, language: String? = nil) {
        self.subject = subject
        self.level = level
        self.language = language.flatMap(ServerQuestion.language)
    }

    /// The point whose names are requested; nil if the places with a name are requested.
    public var point: (latitude: Double, longitude: Double)? {
        if case .reverse(let latitude, let longitude) = subject { (latitude, longitude) } else { nil }
    }

    /// The language tag (RFC 5646) of a locale, such as de-CH for de_CH; nil if the text is no locale's identifier.
    static func language(_ identifier: String) -> String? {
        let parts = identifier.prefix { $0 != "." && $0 != "@" }.split { $0 == "_" || $0 == "-" }
        guard let first = parts.first, (2...3).contains(first.utf8.count), parts.count <= 4,
            parts.allSatisfy({ $0.utf8.count <= 8 && $0.utf8.allSatisfy(isLetterOrDigit) })
        else { return nil }
        return ([first.lowercased()] + parts.dropFirst().map(subtag)).joined(separator: "-")
    }

    /// A part of a language tag in the case that is usual for it and that servers use (RFC 5646, 2.1.1): Hant for a
    /// script, TW for a region.
    private static func subtag(_ text: Substring) -> String {
        switch text.utf8.count {
        case 2: text.uppercased()
        case 4: text.prefix(1).uppercased() + text.dropFirst().lowercased()
        default: String(text)
        }
    }

    /// The wanted languages for the names, the best first.
    ///
    /// These are the language with its script and region, with its script only, and alone. Nominatim itself falls back
    /// from the full tag to the language alone, but omits the language with its script.
    private var preferredLanguages: String? {
        guard let parts = language?.split(separator: "-"), parts.count > 2, parts[1].utf8.count == 4 else {
            return language
        }
        return "\(parts.joined(separator: "-")),\(parts[0])-\(parts[1]);q=0.9,\(parts[0]);q=0.8"
    }

    /// The path and the query of the HTTP request; coordinates are rounded to 4 decimals, which is 11 m of latitude.
    public func path(for format: ServerFormat) -> String {
        switch (format, subject) {
        case (.nominatim, .reverse(let latitude, let longitude)):
            return "/reverse?format=geocodejson&addressdetails=1&layer=address,poi&zoom=\(level.zoom)"
                + "&lat=\(ServerQuestion.decimal(latitude))&lon=\(ServerQuestion.decimal(longitude))"
                + parameter("accept-language", preferredLanguages)
        case (.nominatim, .forward(let text, let near)):
            return "/search?format=geocodejson&addressdetails=1&limit=\(PlaceQuestion.maximumAnswers)"
                + (level == .town ? "&featureType=settlement" : "") + parameter("q", text)
                + (near.map { "&viewbox=\(ServerQuestion.box(around: $0))" } ?? "")
                + parameter("accept-language", preferredLanguages)
        case (.photon, .reverse(let latitude, let longitude)):
            return "/reverse?lat=\(ServerQuestion.decimal(latitude))&lon=\(ServerQuestion.decimal(longitude))"
                + photonLayers + photonLanguage
        case (.photon, .forward(let text, let near)):
            let bias = near.map {
                "&lat=\(ServerQuestion.decimal($0.latitude))&lon=\(ServerQuestion.decimal($0.longitude))"
            }
            return "/api?limit=\(PlaceQuestion.maximumAnswers)" + parameter("q", text) + (bias ?? "")
                + (level == .town ? photonLayers : "") + photonLanguage
        }
    }

    /// The parameter that gives Photon the level of detail: it names kinds of objects (layers), where Nominatim has a
    /// zoom level.
    private var photonLayers: String {
        switch level {
        case .street: ""
        case .area: "&layer=district&layer=city"
        case .town: "&layer=city"
        }
    }

    /// The parameter for the language; only languages of Photon's default build are sent, because Photon answers other
    /// languages with an error.
    private var photonLanguage: String {
        switch language.map({ String($0.prefix { $0 != "-" }) }) {
        case "de": "&lang=de"
        case "en": "&lang=en"
        case "fr": "&lang=fr"
        case "it": "&lang=it"
        default: ""
        }
    }

    private func parameter(_ name: String, _ value: String?) -> String {
        value.map { "&\(name)=\(ServerQuestion.escaped($0))" } ?? ""
    }

    /// The edges, in degrees, of a box around a circle, in the order west, north, east, south.
    private static func box(around hint: PlaceQuestion.Hint) -> String {
        let height = min(hint.radius / metresPerDegree, 90)
        let width = min(height / max(0.01, UnitVector(latitude: hint.latitude, longitude: 0).x), 180)
        let corners = [
            max(-180, hint.longitude - width), min(90, hint.latitude + height), min(180, hint.longitude + width),
            max(-90, hint.latitude - height),
        ]
        return corners.map(decimal).joined(separator: ",")
    }

    /// The length of a degree of latitude in metres, on a sphere of the Earth's mean radius.
    static let metresPerDegree = 111_195.0

    /// A number of degrees with 4 decimals, never in exponential notation.
    static func decimal(_ degrees: Double) -> String {
        let units = Int((degrees * 10_000).rounded())
        let fraction = String(units.magnitude % 10_000 + 10_000).dropFirst()
        return "\(units < 0 ? "-" : "")\(units.magnitude / 10_000).\(fraction)"
    }

    /// A text, percent-encoded for a query (RFC 3986, 2.3).
    static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isLetterOrDigit(byte) || "-._~".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}
