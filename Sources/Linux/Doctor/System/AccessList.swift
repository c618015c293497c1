/// A file's access control list: permissions of users and groups besides those in the file's mode.
///
/// Source: acl(5); the binary layout is in `include/uapi/linux/posix_acl_xattr.h`.
public struct AccessList: Sendable, Hashable {
    /// The owning group's permissions, as limited by the list's mask: a sum of 4 for reading, 2 for writing and 1 for
    /// entering.
    var owningGroup: UInt32
    /// The permissions of further users, as limited by the list's mask, by user ID.
    var users: [UInt32: UInt32] = [:]
    var groups: [UInt32: UInt32] = [:]

    /// Decodes the extended attribute `system.posix_acl_access`; nil if the bytes are invalid or the list has no
    /// further user or group.
    public init?(attribute bytes: [UInt8]) {
        func number(_ index: Int, _ count: Int) -> UInt32 {
            (0..<count).reduce(0) { $0 | UInt32(bytes[index + $1]) << UInt32(8 * $1) }
        }
        guard bytes.count >= 4, number(0, 4) == 2, (bytes.count - 4) % 8 == 0 else { return nil }
        owningGroup = 0
        var mask: UInt32 = 7
        for index in stride(from: 4, to: bytes.count, by: 8) {
            let (permissions, id) = (number(index + 2, 2), number(index + 4, 4))
            switch number(index, 2) {
            case 0x02: users[id] = permissions
            case 0x04: owningGroup = permissions
            case 0x08: groups[id] = permissions
            case 0x10: mask = permissions
            default: break
            }
        }
        guard !users.isEmpty || !groups.isEmpty else { return nil }
        owningGroup &= mask
        users = users.mapValues { $0 & mask }
        groups = groups.mapValues { $0 & mask }
    }
}
