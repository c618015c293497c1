internal import HostSleep

/// The file on the boot partition that keeps the host on; the owner can create it with any computer that can write the
/// card.
enum StayAwakeFile {
    static let name = "sextant-stay-awake"

    /// The file's accepted names, in lower case; some computers add `.txt` to a file's name and do not show it.
    private static let names = [name, "\(name).txt"]

    static func answer(_ files: some SystemFiles) -> ObstacleReport {
        var found: [HostObstacle] = []
        for folder in BootFiles.folders {
            for file in files.names(in: folder) ?? [] where names.contains(file.lowercased()) {
                found.append(
                    HostObstacle(.stayAwake, "\(folder)/\(file) keeps the host on", "sudo rm \(folder)/\(file)"))
            }
        }
        return ObstacleReport(found, unknown: found.isEmpty ? unseen(files) : [])
    }

    /// What to report if the boot partition cannot be seen, so that nobody knows whether the file is on it.
    ///
    /// Only the first existing one of the folders in which the partition can be mounted is examined. If the partition
    /// is not mounted, `/boot/firmware` has no config.txt, or `/boot` is empty. A host that has only its kernel in
    /// `/boot` has no config.txt either, and counts as mounted.
    private static func unseen(_ files: some SystemFiles) -> [HostObstacle] {
        guard let folder = BootFiles.folders.first(where: { files.entry(at: $0) != nil }) else {
            return [HostObstacle(.unanswered, "there is no boot partition to look for \(name) on", "sudo mkdir /boot")]
        }
        guard let names = files.names(in: folder) else {
            return [
                HostObstacle(
                    .unanswered, "\(folder) cannot be read, where \(name) may be",
                    "mount it with umask=022 in /etc/fstab")
            ]
        }
        let isMounted = folder == BootFiles.folders[0] ? names.contains("config.txt") : !names.isEmpty
        if isMounted { return [] }
        return [
            HostObstacle(
                .unanswered, "the boot partition is not mounted at \(folder), where \(name) may be",
                "sudo mount \(folder)")
        ]
    }
}
