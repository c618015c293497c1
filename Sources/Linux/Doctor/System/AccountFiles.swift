/// The users and groups of a system, from `/etc/passwd` and `/etc/group`: passwd(5), group(5).
public struct AccountFiles: Sendable, Equatable {
    struct User: Sendable, Equatable {
        var name: String
        var id: UInt32
        var group: UInt32
    }

    struct Group: Sendable, Equatable {
        var name: String
        var id: UInt32
        var members: [String]
    }

    var users: [User] = []
    var groups: [Group] = []

    init(files: some SystemFiles) {
        users = AccountFiles.rows(of: "/etc/passwd", files).compactMap { row in
            guard row.count >= 4, let id = UInt32(row[2]), let group = UInt32(row[3]) else { return nil }
            return User(name: row[0], id: id, group: group)
        }
        groups = AccountFiles.rows(of: "/etc/group", files).compactMap { row in
            guard row.count >= 4, let id = UInt32(row[2]) else { return nil }
            return Group(name: row[0], id: id, members: row[3].split(separator: ",").map(String.init))
        }
    }

    private static func rows(of path: String, _ files: some SystemFiles) -> [[String]] {
        (files.text(of: path) ?? "").split(whereSeparator: \.isNewline)
            .map { $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init) }
    }

    func user(_ name: String) -> User? { users.first { $0.name == name } }
    func group(_ name: String) -> Group? { groups.first { $0.name == name } }
    func groupName(_ id: UInt32) -> String { groups.first { $0.id == id }?.name ?? "\(id)" }
    func userName(_ id: UInt32) -> String { users.first { $0.id == id }?.name ?? "\(id)" }

    func groups(of user: User) -> Set<UInt32> {
        Set(groups.filter { $0.members.contains(user.name) }.map(\.id)).union([user.group])
    }
}
