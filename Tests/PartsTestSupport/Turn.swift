public import Parts
public import SextantJSON
public import SextantUnits

/// The instant at which the tests' turns begin.
public let start = MonotonicInstant(nanoseconds: 1_000_000_000)

extension Turn {
    /// A turn in which nothing was done yet.
    public init(at instant: MonotonicInstant) {
        self.init()
        begin(at: instant)
    }

    /// Whether nothing that parts told one another was left over.
    public var isSettled: Bool { found.isEmpty && news.isEmpty && changes.isEmpty }

    /// The lines that were sent to a client.
    public borrowing func lines(to client: UInt32) -> [String] {
        actions.compactMap { action in
            guard case .send(ClientID(rawValue: client), let range) = action else { return nil }
            return text.string(range)
        }
    }

    /// The members of the objects that were sent to a client, one a line.
    public borrowing func objects(to client: UInt32) -> [JSONMembers] {
        lines(to: client).joined().split(separator: "\n").compactMap { JSONMembers(parsing: Array($0.utf8)) }
    }
}
