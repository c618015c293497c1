/// The owner of deferred fixes: a client's session, which finds them again after it or the daemon was restarted.
public struct DeferredKey: Sendable, Hashable {
    /// The user, by the kernel's word; nil where it is not known.
    public var userID: UInt32?
    /// The client by its manifest's name, as a 64-bit FNV-1a.
    public var client: UInt64
    /// What tells the client's programs apart: their own label, as a 64-bit FNV-1a.
    ///
    /// Two labels with the same hash can mix only fixes of the same client and user.
    public var label: UInt64
    /// The program's own number for the session, 0 to 63.
    public var session: UInt8

    public init(userID: UInt32?, client: String?, label: String, session: UInt8) {
        self.userID = userID
        self.client = DeferredKey.hash(client ?? "")
        self.label = DeferredKey.hash(label)
        self.session = session
    }

    public init(userID: UInt32?, clientHash: UInt64, labelHash: UInt64, session: UInt8) {
        self.userID = userID
        client = clientHash
        label = labelHash
        self.session = session
    }

    /// Whether they are those of a client, by its manifest's name.
    public func isOf(_ client: String) -> Bool { self.client == DeferredKey.hash(client) }

    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
