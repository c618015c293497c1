public import ClientProtocol
internal import SextantUnits

extension SessionGoal {
    /// Whether the session continues `other` and asks for no more than that one did.
    func continues(_ other: SessionGoal) -> Bool {
        kind == other.kind && authorization <= other.authorization && (isImplicit || !other.isImplicit)
    }
}

/// The form in which the sessions of one client are stored.
///
/// Version (1 byte: 1), how many (1), then of each: kind (1), authorization (1), bits (1; 1: implicit, 2: with a
/// purpose key), and the key if there is one: its length (2, little-endian) and its UTF-8.
extension SessionGoal {
    private static let version: UInt8 = 1

    public static func encode(_ sessions: [SessionGoal]) -> [UInt8] {
        let kept = sessions.prefix(Int(UInt8.max))
        var record = RecordWriter()
        record.write(version)
        record.write(UInt8(kept.count))
        for session in kept {
            record.write(session.kind.rawValue)
            record.write(session.authorization.rawValue)
            record.write((session.isImplicit ? 1 : 0) | (session.fullAccuracyPurposeKey == nil ? 0 : 2) as UInt8)
            if let key = session.fullAccuracyPurposeKey { record.write(key) }
        }
        return record.bytes
    }

    /// Reads a record; nil where it has another version or is damaged.
    public static func decode(_ bytes: Span<UInt8>) -> [SessionGoal]? {
        var record = RecordReader(bytes)
        guard record.integer(UInt8.self) == version, let count = record.integer(UInt8.self) else { return nil }
        var sessions: [SessionGoal] = []
        for _ in 0..<count {
            guard let session = SessionGoal(from: &record) else { return nil }
            sessions.append(session)
        }
        return record.isAtEnd ? sessions : nil
    }

    private init?(from record: inout RecordReader) {
        guard let kind = record.integer(UInt8.self).flatMap(Kind.init),
            let authorization = record.integer(UInt8.self).flatMap(Authorization.init),
            let bits = record.integer(UInt8.self), bits < 4
        else { return nil }
        let key = bits & 2 == 0 ? nil : record.text()
        guard bits & 2 == 0 || key != nil else { return nil }
        self.init(
            kind: kind, authorization: authorization, fullAccuracyPurposeKey: key, isImplicit: bits & 1 != 0)
    }
}
