internal import Glibc

/// Looks up the IDs of users and groups by their names.
public struct Accounts: Sendable {
    /// A user's ID by name; nil if no user has the name.
    var userID: @Sendable (String) -> UInt32?
    /// A group's ID by name; nil if no group has the name.
    var groupID: @Sendable (String) -> UInt32?

    public init(
        userID: @escaping @Sendable (String) -> UInt32?, groupID: @escaping @Sendable (String) -> UInt32?
    ) {
        self.userID = userID
        self.groupID = groupID
    }

    /// The users and groups of this computer, by getpwnam(3) and getgrnam(3).
    public static var system: Accounts { Accounts(userID: systemUser, groupID: systemGroup) }

    /// The buffer sizes to try one after the other for the texts of a user's or a group's entry, in bytes; a group's
    /// entry grows with its members.
    private static let capacities = [4096, 65_536, 1 << 20]

    private static func systemUser(_ name: String) -> UInt32? {
        for capacity in capacities {
            var storage = [CChar](repeating: 0, count: capacity)
            var entry = unsafe passwd()
            var found: UnsafeMutablePointer<passwd>? = nil
            // Safety: the entry's texts point into `storage`, and none of them is read.
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
            // Safety: the entry's texts point into `storage`, and none of them is read.
            let result = unsafe getgrnam_r(name, &entry, &storage, storage.count, &found)
            if result != ERANGE { return unsafe found == nil ? nil : entry.gr_gid }
        }
        return nil
    }
}
