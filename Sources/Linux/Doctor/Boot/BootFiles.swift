/// The files of the boot partition that the checks read, wherever the system has mounted the partition.
struct BootFiles: Sendable {
    var configuration: BootConfiguration?
    /// Whether the boot partition is not mounted, so that its files cannot be seen.
    var isUnmounted = false
    /// The first line with a setting in `/boot/config.txt`, if the firmware reads another config.txt and ignores this
    /// one; nil if there is none.
    var deadFile: FilePosition?
    /// The names of the installed overlays, as the firmware calls them at present; empty if their folder cannot be
    /// read.
    var overlayFiles: Set<String> = []
    var commandLine: KernelCommandLine?

    /// The folders where the boot partition can be mounted, the preferred one first.
    ///
    /// Since Debian 12 the partition is mounted at `/boot/firmware`. Older systems mount it at `/boot`. If a card is
    /// mounted in a folder of another system, its boot partition can also be at `/boot` in that folder.
    static let folders = ["/boot/firmware", "/boot"]

    init(model: RaspberryPi?, files: some SystemFiles) {
        let found = BootFiles.folders.first { files.exists("\($0)/config.txt") }
        isUnmounted = found != BootFiles.folders[0] && BootFiles.isElsewhere(files)
        guard let folder = found, !isUnmounted else { return }
        let serial = files.value(of: "/proc/device-tree/serial-number")
        let configuration = BootConfiguration(
            path: "\(folder)/config.txt", model: model, serialNumber: serial, files: files)
        self.configuration = configuration
        let commandLine = "\(folder)/\(configuration.setting("cmdline")?.value ?? "cmdline.txt")"
        self.commandLine = files.text(of: commandLine).map {
            KernelCommandLine($0, place: FilePosition(commandLine, line: 1))
        }
        overlayFiles = Set(
            files.list("\(folder)/overlays").filter { $0.hasSuffix(".dtbo") }
                .map { BootConfiguration.present(String($0.dropLast(5))) })
        if folder != "/boot" { deadFile = BootFiles.dead("/boot/config.txt", besides: folder, files) }
    }

    /// Whether `/boot` is only a folder and not the boot partition: it contains `firmware`, or its config.txt only says
    /// that the file has moved there.
    private static func isElsewhere(_ files: some SystemFiles) -> Bool {
        if files.exists(folders[0]) { return true }
        let text = files.text(of: "/boot/config.txt") ?? ""
        let isNamed = text.split(whereSeparator: \.isWhitespace).contains { $0.hasPrefix(folders[0]) }
        return isNamed && firstSetting(in: text) == nil
    }

    private static func dead(_ path: String, besides folder: String, _ files: some SystemFiles) -> FilePosition? {
        guard let resolved = files.resolved(path), resolved != files.resolved("\(folder)/config.txt") else {
            return nil
        }
        return firstSetting(in: files.text(of: path) ?? "").map { FilePosition(path, line: $0) }
    }

    /// The number of the first line that has a setting and is no comment; nil if there is no such line.
    private static func firstSetting(in text: String) -> Int? {
        text.numberedLines.first { line in
            let text = line.text.trimmed
            return text.contains("=") && !text.hasPrefix("#")
        }?.number
    }
}
