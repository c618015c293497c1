internal import Glibc

/// The numbers behind the names of users and groups.
public struct Accounts: Sendable {
    /// Nil where nobody has the name.
    var userID: @Sendable (String) -> UInt32?
    var groupID: @Sendable (String) -> UInt32?

    public init(
        userID: @escaping @Sendable (String) -> UInt32?, groupID: @escaping @Sendable (String) -> UInt32?
    ) {
        self.userID = userID
        self.groupID = groupID
    }

    /// The board's own, by getpwnam(3) and getgrnam(3).
    public static var system: Accounts { Accounts(userID: systemUser, groupID: systemGroup) }

    /// Room for an entry's texts; a group's grow with its members.
    private static let capacities = [4096, 65_536, 1 << 20]

    private static func systemUser(_ name: String) -> UInt32? {
        for capacity in capacities {
            var storage = [CChar](repeating: 0, count: capacity)
            var entry = unsafe passwd()
            var found: UnsafeMutablePointer<passwd>? = nil
            // Safety: the entry's texts point into `storage`, and none is read.
            let result = unsafe getpwnam_r(name, &entry, &storage, storage.count, &found)
            if result != ERANGE { return unsafe found == nil ? nil : entry.pw_uid }
        }
        return nil
    }

    private static func systemGroup(_ name: String) -> UInt32? {
        for capacity in capacities {
            var storage = [CChar](repeating: 0, count: capacity)
            var entry = unsafe group()
            var found: UnsafeMutablePointer<group>? = nil
            // Safety: as above.
            let result = unsafe getgrnam_r(name, &entry, &storage, storage.count, &found)
            if result != ERANGE { return unsafe found == nil ? nil : entry.gr_gid }
        }
        return nil
    }
}
