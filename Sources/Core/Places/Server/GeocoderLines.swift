internal import SextantJSON

/// A request to the geocoder service's socket: one line of JSON.
///
/// Examples: `{"reverse":[47.4111,8.5446],"level":"street","language":"de"}`, `{"forward":"Bahnhofstrasse
/// 1","near":[47.4,8.5,50000]}`, `{"erase":"logbook"}`, `{"kept":true}`.
public enum GeocoderRequest: Sendable, Hashable {
    case question(ServerQuestion)
    /// Erase the answers that the geocoder keeps for a client.
    case erase(client: String)
    /// Report how many answers the geocoder keeps for each client.
    case kept

    /// The largest size in bytes of a line that holds a request.
    public static let maximumBytes = 4096

    /// Returns nil if the line is not a valid request.
    public init?(line: [UInt8]) {
        guard line.count <= GeocoderRequest.maximumBytes, let members = (try? JSONValue(parsing: line))?.members else {
            return nil
        }
        if let client = members["erase"]?.string {
            self = .erase(client: client)
        } else if members["kept"] == .bool(true) {
            self = .kept
        } else if let subject = GeocoderRequest.subject(of: members) {
            let level = members["level"]?.string.flatMap(ServerLevel.init(rawValue:)) ?? .street
            self = .question(ServerQuestion(subject, level: level, language: members["language"]?.string))
        } else {
            return nil
        }
    }

    private static func subject(of members: [String: JSONValue]) -> ServerQuestion.Subject? {
        if let reverse = members["reverse"] {
            guard let numbers = reverse.numbers, numbers.count == 2,
                PlaceRules.isPlace(latitude: numbers[0], longitude: numbers[1])
            else { return nil }
            return .reverse(latitude: numbers[0], longitude: numbers[1])
        }
        guard let text = members["forward"]?.string, FoldedText(text).isQuestion else { return nil }
        guard let near = members["near"] else { return .forward(text: text, near: nil) }
        guard let circle = near.numbers, circle.count == 3,
            let near = PlaceQuestion.Hint(latitude: circle[0], longitude: circle[1], radius: circle[2])
        else { return nil }
        return .forward(text: text, near: near)
    }

    /// The request as a line of JSON, without the line end.
    public var line: [UInt8] {
        var members: [String: JSONValue] = [:]
        switch self {
        case .erase(let client): members["erase"] = .string(client)
        case .kept: members["kept"] = .bool(true)
        case .question(let question):
            members["level"] = .string(question.level.rawValue)
            if let language = question.language { members["language"] = .string(language) }
            switch question.subject {
            case .reverse(let latitude, let longitude):
                members["reverse"] = .array([.number(latitude), .number(longitude)])
            case .forward(let text, let near):
                members["forward"] = .string(text)
                if let near {
                    members["near"] = .array([.number(near.latitude), .number(near.longitude), .number(near.radius)])
                }
            }
        }
        return Array(JSONValue.object(members).text.utf8)
    }
}

/// The number of answers that the geocoder keeps for a client.
public struct KeptLookups: Sendable, Hashable {
    public var client: String
    public var count: Int

    public init(client: String, count: Int) {
        self.client = client
        self.count = count
    }

    init?(members: [String: JSONValue]) {
        guard let client = members["client"]?.string,
            let count = members["count"]?.number.flatMap({ Int(exactly: $0) })
        else { return nil }
        self.init(client: client, count: count)
    }

    var members: [String: JSONValue] { ["client": .string(client), "count": .number(Double(count))] }
}

/// The answer to a request to the geocoder service's socket: one line of JSON.
public enum GeocoderReply: Sendable, Hashable {
    /// The places that the server found, best first; empty if it found none.
    case places([Placemark])
    /// The client has sent too many lookups; `retryAfter` is the number of seconds that it must wait.
    case tooMany(retryAfter: Double)
    /// The geocoding server cannot be asked at present, or gave no usable answer; the client must use the tables of
    /// places on the board.
    case unavailable
    /// The number of a client's kept answers that were erased.
    case erased(Int)
    /// The number of answers that the geocoder keeps for each client.
    case kept([KeptLookups])
    /// The line was not a valid request, or the process is not allowed to make this request.
    case refused

    /// The longest time, in seconds, for which a client with too many lookups is told to wait.
    public static let longestWait = 86_400.0

    /// Returns nil if the line is not a valid reply.
    public init?(line: [UInt8]) {
        guard let members = (try? JSONValue(parsing: line))?.members else { return nil }
        if let places = members["places"]?.elements {
            self = .places(places.compactMap { $0.members.flatMap(Placemark.init(members:)) })
        } else if let seconds = members["retryAfter"]?.number {
            self = .tooMany(retryAfter: min(max(0, seconds), GeocoderReply.longestWait))
        } else if let kept = members["kept"]?.elements {
            self = .kept(kept.compactMap { $0.members.flatMap(KeptLookups.init(members:)) })
        } else if let count = members["erased"]?.number.flatMap({ Int(exactly: $0) }) {
            self = .erased(count)
        } else {
            switch members["failure"]?.string {
            case "unavailable": self = .unavailable
            case "refused": self = .refused
            default: return nil
            }
        }
    }

    /// The reply as a line of JSON, without the line end.
    public var line: [UInt8] {
        let members: [String: JSONValue] =
            switch self {
            case .places(let marks): ["places": .array(marks.map { .object($0.members) })]
            case .tooMany(let seconds): ["failure": .string("tooMany"), "retryAfter": .number(seconds)]
            case .unavailable: ["failure": .string("unavailable")]
            case .erased(let count): ["erased": .number(Double(count))]
            case .kept(let kept): ["kept": .array(kept.map { .object($0.members) })]
            case .refused: ["failure": .string("refused")]
            }
        return Array(JSONValue.object(members).text.utf8)
    }
}
