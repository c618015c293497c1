internal import SextantUnits

/// Identifies the session of a client for which fixes are deferred, even after the client or the daemon restarts.
public struct DeferredKey: Sendable, Hashable {
    /// The user ID of the client's process, as the kernel reports it; nil where it is unknown.
    public var userID: UInt32?
    /// The 64-bit FNV-1a hash of the name of the client's manifest.
    public var client: UInt64
    /// The 64-bit FNV-1a hash of the label, a name by which a program differs from the client's other programs.
    ///
    /// If two labels have the same hash, only fixes of one client and one user can be mixed up.
    public var label: UInt64
    /// The number that the program itself gave the session, 0 to 63.
    public var session: UInt8

    public init(userID: UInt32?, client: String?, label: String, session: UInt8) {
        self.userID = userID
        self.client = FNV1a.of(client ?? "")
        self.label = FNV1a.of(label)
        self.session = session
    }

    public init(userID: UInt32?, clientHash: UInt64, labelHash: UInt64, session: UInt8) {
        self.userID = userID
        client = clientHash
        label = labelHash
        self.session = session
    }

    /// Whether the key belongs to the client whose manifest has this name.
    public func isOf(_ client: String) -> Bool { self.client == FNV1a.of(client) }
}
