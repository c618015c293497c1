/// The user as which the daemon runs, with the user's groups.
struct ServiceUser: Sendable, Equatable {
    var name: String
    var id: UInt32
    var groups: Set<UInt32>

    /// The user that the daemon's unit names; nil if the unit is not installed or names an unknown user.
    init?(_ units: SystemdUnits, _ accounts: AccountFiles) {
        guard let settings = units.daemon else { return nil }
        name = settings["User"] ?? "root"
        (id, groups) = (0, [0])
        if name == "root" { return }
        guard let user = accounts.user(name) else { return nil }
        let named = [settings["Group"]].compactMap { $0 } + (settings["SupplementaryGroups"] ?? "").words
        id = user.id
        groups = accounts.groups(of: user).union(named.compactMap { accounts.group($0)?.id })
    }

    /// Whether the user has all the given permissions on a file or folder.
    ///
    /// - Parameter wish: The permissions: a sum of 4 for reading, 2 for writing and 1 for entering.
    func may(_ wish: UInt32, _ entry: FileEntry) -> Bool {
        if id == 0 { return true }
        if entry.owner == id { return entry.mode >> 6 & wish == wish }
        if let access = entry.access {
            if let named = access.users[id] { return named & wish == wish }
            let grants =
                groups.compactMap { access.groups[$0] }
                + (groups.contains(entry.group) ? [access.owningGroup] : [])
            guard grants.isEmpty else { return grants.contains { $0 & wish == wish } }
        } else if groups.contains(entry.group) {
            return entry.mode >> 3 & wish == wish
        }
        return entry.mode & wish == wish
    }
}
