public import ClientVocabulary
public import SextantJSON
public import SextantUnits

/// A line (one JSON object) from the daemon, or an object within such a line.
///
/// A member that is absent, or of another type than the caller asks for, reads as nil. Unknown members are kept.
public struct DaemonLine: Sendable {
    /// The line's bytes as received, without the line end; empty if this is an object within a line.
    public let bytes: [UInt8]
    public let members: JSONMembers

    /// An object in a line.
    public init(members: JSONMembers = [:]) {
        bytes = []
        self.members = members
    }

    /// Decodes a line; nil if it is not a JSON object.
    public init?(_ bytes: [UInt8]) {
        guard let members = JSONMembers(parsing: bytes) else { return nil }
        self.bytes = bytes
        self.members = members
    }

    /// The kind of event that the line reports; nil for a kind that this release does not know.
    public var event: EventName? { word(.event) }

    /// The code in a line that reports an error; nil for a code that this release does not know.
    public var code: ErrorCode? { word(.code) }

    /// Why no positions, headings, regions or beacons are available; nil for an error number that this release does not
    /// know.
    public var failure: FailureCode? { integer(.errorCode).flatMap { FailureCode(rawValue: $0) } }

    /// A member of any type.
    public func value(_ key: MemberKey) -> JSONValue? { members[key.name] }

    public func text(_ key: MemberKey) -> String? { members.text(key.name) }

    /// The enum case whose raw value is the text under this key; nil for a text that this release does not know.
    public func word<Word: RawRepresentable<String>>(_ key: MemberKey, as type: Word.Type = Word.self) -> Word? {
        text(key).flatMap { Word(rawValue: $0) }
    }

    public func number(_ key: MemberKey) -> Double? { members.number(key.name) }

    /// A number without a fraction.
    public func integer(_ key: MemberKey) -> Int? { number(key).flatMap { Int(exactly: $0) } }

    public func flag(_ key: MemberKey) -> Bool? { members.flag(key.name) }

    /// Whether the diagnostic flag with this name is true in the line.
    public func isSet(_ diagnostic: String) -> Bool { members.flag(diagnostic) ?? false }

    /// An instant in ISO 8601.
    public func instant(_ key: MemberKey) -> UTCInstant? { members.instant(key.name) }

    /// Those elements of the array under this key that are strings; empty if the member is absent or no array.
    public func texts(_ key: MemberKey) -> [String] { members.texts(key.name) }

    /// Those elements of the array under this key that are objects; empty if the member is absent or no array.
    public func objects(_ key: MemberKey) -> [DaemonLine] {
        members.objects(key.name).map { DaemonLine(members: $0) }
    }

    public func object(_ key: MemberKey) -> DaemonLine? {
        members.object(key.name).map { DaemonLine(members: $0) }
    }
}
