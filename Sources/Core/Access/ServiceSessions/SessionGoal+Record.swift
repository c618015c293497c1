public import ClientProtocol
public import SextantUnits

extension SessionGoal {
    /// Whether the session can continue an earlier one: it has the same kind, asks for no more, and is not explicit if
    /// the earlier one was implicit.
    func continues(_ other: SessionGoal) -> Bool {
        kind == other.kind && authorization <= other.authorization && (isImplicit || !other.isImplicit)
    }
}

/// The sessions of one client, in the form in which they are stored.
///
/// Version (1 byte: 1), the number of sessions (1 byte), then for each session: kind (1), authorization (1), flags (1;
/// 1: implicit, 2: with a purpose key), and the key, if the session has one: its length (2, little-endian) and its
/// UTF-8.
public struct HeldSessions: Recorded {
    public var sessions: [SessionGoal]

    public init(_ sessions: [SessionGoal]) { self.sessions = Array(sessions.prefix(Int(UInt8.max))) }

    public static var blank: HeldSessions { HeldSessions([]) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.version(1)
        try record.code(&sessions, count: UInt8.self, blank: SessionGoal(kind: .service, authorization: .none)) {
            (session, record) throws(DamagedRecord) in
            try record.code(&session.kind)
            try record.code(&session.authorization)
            var bits: InlineArray<2, Bool> = [session.isImplicit, session.fullAccuracyPurposeKey != nil]
            try record.code(&bits)
            session.isImplicit = bits[0]
            try record.code(&session.fullAccuracyPurposeKey, where: bits[1])
        }
    }
}
