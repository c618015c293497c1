public import ClientVocabulary
public import SextantJSON

/// One request to the daemon: a JSON object that is sent as one line.
public struct DaemonRequest: Sendable, Equatable {
    private var members: String

    public init(_ name: RequestName) {
        members = "{\"request\":\"\(name.rawValue)\""
    }

    /// Adds a member whose value is a string; like all functions of this name, it adds no member for a nil value.
    public func with(_ key: MemberKey, _ value: String?) -> DaemonRequest {
        adding(key, value.map(JSONValue.quoted))
    }

    /// Adds a member whose value is the raw value of an enum case.
    public func with(_ key: MemberKey, word: some RawRepresentable<String>) -> DaemonRequest {
        with(key, word.rawValue)
    }

    public func with(_ key: MemberKey, _ value: Int?) -> DaemonRequest {
        adding(key, value.map(String.init))
    }

    public func with(_ key: MemberKey, _ value: Bool?) -> DaemonRequest {
        adding(key, value.map { $0 ? "true" : "false" })
    }

    /// Adds a member whose value is a number; infinity and NaN, which JSON cannot write, add no member.
    public func with(_ key: MemberKey, _ value: Double?) -> DaemonRequest {
        adding(key, value.flatMap { $0.isFinite ? "\($0)" : nil })
    }

    /// Adds a value of any shape.
    public func with(_ key: MemberKey, json value: JSONValue?) -> DaemonRequest {
        adding(key, value?.text)
    }

    /// The request as text, without a line end.
    public var text: String { members + "}" }

    /// The bytes to send for the request, with their line end.
    public var bytes: [UInt8] { Array(members.utf8) + Array("}\n".utf8) }

    private func adding(_ key: MemberKey, _ value: String?) -> DaemonRequest {
        guard let value else { return self }
        var longer = self
        longer.members += ",\"\(key.name)\":\(value)"
        return longer
    }
}
