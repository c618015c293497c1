/// Checks of the folder where the daemon stores data, and of who can write the clients' files.
enum StoreChecks {
    /// The free space in bytes below which the check warns: 64 MiB, in which the recorded track of one or two months
    /// fits (`Sources/Linux/Store`).
    private static let minimumFreeBytes: UInt64 = 64 << 20

    private static func storage(_ facts: HostFacts) throws(Skipped) -> StorageFacts {
        guard let storage = facts.storage else { throw Skipped("no state directory is configured") }
        return storage
    }

    static func folder(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let storage = try storage(facts)
        let path = storage.folder.path
        let user = try facts.needUser()
        if let closed = closed(path, by: facts.units.daemon ?? [:]) { return [closed] }
        guard let entry = storage.folder.entry else {
            guard facts.units.daemon?["StateDirectory"] == nil else {
                throw Skipped("systemd makes the state directory when it starts the daemon")
            }
            let mend = Mend("sudo install -d -m 700 -o \(user.name) -g \(user.name) \(path)")
            return [Finding(.store, "there is no state directory \(path)", mend)]
        }
        guard user.may(7, entry) else {
            let mend = Mend("name a folder of its own as stateDirectory, or: sudo chown \(user.name): \(path)")
            return [Finding(.store, "\(user.name) may not write to the state directory \(path)", mend)]
        }
        return files(of: storage, for: user) + doubt(storage)
    }

    /// The finding that the settings of the daemon's unit let it only read the state directory; nil if it can write
    /// there.
    private static func closed(_ path: String, by unit: [String: String]) -> Finding? {
        guard unit["ProtectSystem"] == "strict", let name = unit["StateDirectory"] else { return nil }
        let own = "/var/lib/\(name)"
        let open = [own] + (unit["ReadWritePaths"] ?? "").split(separator: " ").map(String.init)
        guard !open.contains(where: { path == $0 || path.hasPrefix("\($0)/") }) else { return nil }
        let mend = Mend(
            "stateDirectory: \"\(own)\"; or sudo systemctl edit sextantd, with the lines [Service] and "
                + "ReadWritePaths=\(path)")
        return Finding(.store, "the daemon's unit does not let it write to the state directory \(path)", mend)
    }

    private static func files(of storage: StorageFacts, for user: ServiceUser) -> [Finding] {
        storage.files.compactMap { node -> Finding? in
            guard let entry = node.entry, !user.may(6, entry) else { return nil }
            let mend = Mend("sudo chown \(user.name):", at: FilePosition(node.path))
            let what = "\(user.name) may not read and write \(node.path), so what it holds is unknown"
            return Finding(.store, what, mend)
        }
    }

    /// Reports that the owner's decisions about clients were lost, if the file with the decisions says so.
    private static func doubt(_ storage: StorageFacts) -> [Finding] {
        guard storage.isInDoubt == true else { return [] }
        let what =
            "what was decided about clients was lost, so location services are off and no client is authorized by the "
            + "policy alone"
        let mend = Mend(
            "decide anew with sextant services on and sextant clients; or, to begin from the policy, stop sextantd and "
                + "delete this file", at: FilePosition(storage.decisions))
        return [Finding(.store, what, mend)]
    }

    static func version(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let storage = try storage(facts)
        guard let found = storage.version else { throw Skipped("no store is there that may be read") }
        let known = facts.installation.knownStoreVersion
        guard found > known else { return [] }
        let what =
            "the store was written in version \(found) by a later release, and this one knows version \(known) at most"
        let mend = Mend("install the later release again, or move the file away", at: FilePosition(storage.database))
        return [Finding(.storeVersion, what, mend)]
    }

    static func room(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let storage = try storage(facts)
        let path = storage.folder.path
        var findings: [Finding] = []
        if storage.isReadOnly ?? false {
            let point = storage.mountPoint ?? "/"
            let mend = Mend(
                "mount a file system that may be written at \(path), or remount \(point): sudo mount -o remount,rw \(point)"
            )
            findings.append(Finding(.storage, "the state directory \(path) is on a read-only file system", mend))
        } else if storage.isVolatile {
            let mend = Mend("mount a partition of the card there", at: FilePosition("/etc/fstab"))
            findings.append(Finding(.storage, .warning, "what is kept in \(path) is lost with the next restart", mend))
        }
        if let free = storage.freeBytes, free < minimumFreeBytes, storage.isReadOnly != true {
            let mend = Mend("make room: sudo apt-get clean, sudo journalctl --vacuum-size=50M")
            let severity: Finding.Severity = free < 1 << 20 ? .problem : .warning
            findings.append(Finding(.storage, severity, "\(free >> 20) MiB are free where \(path) is", mend))
        }
        return findings
    }

    /// Checks that the clients' files exist, and that other users cannot write them.
    ///
    /// Users who can write a manifest can grant themselves any right, so the daemon ignores files that other users can
    /// write.
    static func clientFiles(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let user = try facts.needUser()
        return facts.clientFiles.compactMap { node -> Finding? in
            guard let entry = node.entry else {
                let mend = Mend(
                    "put it back, or name another under clients", at: FilePosition(facts.installation.configuration))
                return Finding(.clientFiles, "\(node.path) is not there, so no client is allowed by it", mend)
            }
            let place = FilePosition(node.path)
            if entry.owner != 0, entry.owner != user.id {
                let owner = facts.accounts.userName(entry.owner)
                return Finding(
                    .clientFiles, "\(node.path) belongs to \(owner), so it is not used",
                    Mend("sudo chown root", at: place))
            }
            if entry.mode & 0o022 != 0 {
                return Finding(
                    .clientFiles, "other users may write \(node.path), so it is not used",
                    Mend("sudo chmod go-w", at: place))
            }
            guard !user.may(4, entry) else { return nil }
            return Finding(.clientFiles, "\(user.name) may not read \(node.path)", Mend("sudo chmod go+r", at: place))
        }
    }
}
