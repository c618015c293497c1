/// The files of the boot partition, at whichever place the system has them.
struct BootFiles {
    var configuration: BootConfiguration?
    /// Whether the boot partition's files are elsewhere because it is not mounted.
    var isUnmounted = false
    /// A config.txt at the old place, which the firmware ignores, and the number of its first line that sets something.
    var deadFile: Place?
    var overlayFiles: Set<String> = []
    var commandLine: KernelCommandLine?

    /// The places of the boot partition, in order of preference.
    ///
    /// Since Debian 12 the partition is mounted at `/boot/firmware`. Older systems mount it at `/boot`, as does a card
    /// that is mounted by itself below a root.
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
            KernelCommandLine($0, place: Place(commandLine, line: 1))
        }
        overlayFiles = Set(
            files.list("\(folder)/overlays").filter { $0.hasSuffix(".dtbo") }
                .map { BootConfiguration.present(String($0.dropLast(5))) })
        if folder != "/boot" { deadFile = BootFiles.dead("/boot/config.txt", besides: folder, files) }
    }

    /// Whether `/boot` is not the boot partition, by its subfolder for the real one or a file that only refers to it.
    private static func isElsewhere(_ files: some SystemFiles) -> Bool {
        if files.exists(folders[0]) { return true }
        let text = files.text(of: "/boot/config.txt") ?? ""
        let isNamed = text.split(whereSeparator: \.isWhitespace).contains { $0.hasPrefix(folders[0]) }
        return isNamed && firstSetting(in: text) == nil
    }

    private static func dead(_ path: String, besides folder: String, _ files: some SystemFiles) -> Place? {
        guard let resolved = files.resolved(path), resolved != files.resolved("\(folder)/config.txt") else {
            return nil
        }
        return firstSetting(in: files.text(of: path) ?? "").map { Place(path, line: $0) }
    }

    /// The number of the first line that sets something and is not a comment.
    private static func firstSetting(in text: String) -> Int? {
        text.numberedLines.first { line in
            let text = line.text.trimmed
            return text.contains("=") && !text.hasPrefix("#")
        }?.number
    }
}
