/// Whose deferred fixes they are: a user's program, which finds them again after it or the daemon was started anew.
public struct DeferredKey: Sendable, Hashable {
    /// The user, by the kernel's word; nil where it is not known.
    public var userID: UInt32?
    /// What tells the user's programs apart: the client's own label, as a 64-bit FNV-1a.
    ///
    /// A label that another shares by chance is one of the same user.
    public var label: UInt64

    public init(userID: UInt32?, label: String) {
        self.userID = userID
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in label.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        self.label = hash
    }

    init(userID: UInt32?, labelHash: UInt64) {
        self.userID = userID
        label = labelHash
    }
}
