internal import Foundation

/// One request to the daemon, as a line of JSON.
struct RequestLine: Sendable, Equatable {
    private var members: String

    init(_ request: String) {
        members = "{\"request\":" + Self.quoted(request)
    }

    /// Adds a member of text; a nil value is left out.
    func with(_ name: String, _ value: String?) -> RequestLine {
        adding(name, value.map(Self.quoted))
    }

    func with(_ name: String, _ value: Int?) -> RequestLine {
        adding(name, value.map(String.init))
    }

    func with(_ name: String, _ value: Bool?) -> RequestLine {
        adding(name, value.map { $0 ? "true" : "false" })
    }

    /// Adds a number; nil, and infinity and NaN, for which JSON has no number, are left out.
    func with(_ name: String, _ value: Double?) -> RequestLine {
        adding(name, value.flatMap { $0.isFinite ? "\($0)" : nil })
    }

    var text: String { members + "}" }

    var bytes: [UInt8] { Array(members.utf8) + [UInt8(ascii: "}"), UInt8(ascii: "\n")] }

    private func adding(_ name: String, _ value: String?) -> RequestLine {
        guard let value else { return self }
        var longer = self
        longer.members += ",\"\(name)\":\(value)"
        return longer
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..<"\u{20}": result += String(format: "\\u%04x", scalar.value)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
