internal import Boards

/// Everything that was found out about a system; the checks use these values alone.
public struct HostFacts: Sendable {
    public let installation: Installation
    public let live: LiveFacts

    /// The model's name from the board's device tree; nil if the board has no device tree.
    public let modelText: String?
    /// The Raspberry Pi's model, from its device tree or, without a device tree, from the board's file; nil for other
    /// hosts.
    public let model: RaspberryPi?
    /// Whether the examined system is the running one, so that its devices can be seen.
    public let isRunning: Bool

    let bootFiles: BootFiles
    let runningCommandLine: KernelCommandLine?

    public let accounts: AccountFiles
    public let units: SystemdUnits
    /// The user as which the daemon runs; nil if the daemon's unit is not installed or names an unknown user.
    let user: ServiceUser?
    let processes: [ExaminedProcess]

    let serial: SerialFacts
    let bus: BusFacts?
    let gpioNodes: GPIONodes
    /// The kernel modules that are loaded at boot.
    let bootModules: Set<String>

    let bluetooth: BluetoothFacts
    let hasUdevRules: Bool
    let storage: StorageFacts?
    let clientFiles: [NodeFacts]
    let clock: ClockFacts
    /// What chrony's files say about each socket through which chrony gets the time: one for message times, one for
    /// pulses.
    let chrony: [ChronyFacts]
    /// Whether the configuration names a pulse-per-second device that does not exist.
    let isPulseMissing: Bool
    let isUndervolted: Bool?
    public let idle: IdleFacts
    /// The facts that decide whether the board's supply switch works; nil if the board has none, or if only the checks
    /// of a daemon's start are made.
    let sleep: HostSleepFacts?

    /// Examines a system.
    ///
    /// - Parameter isStart: Whether to examine only what a daemon checks at its start. The examination then leaves out
    ///   the daemon's store, the open files of processes (a board can have ten thousand), and, if the receiver's device
    ///   is missing, all processes.
    public init(
        files: some SystemFiles, installation: Installation, live: LiveFacts = LiveFacts(), isStart: Bool = false
    ) {
        self.installation = installation
        self.live = live
        modelText = files.value(of: "/proc/device-tree/model")
        model =
            modelText.map { RaspberryPi(deviceTreeModel: $0) }
            ?? installation.board?.hostModel.map { RaspberryPi(host: $0) }
        isRunning = files.exists("/proc/cmdline")

        bootFiles = BootFiles(model: model, files: files)
        runningCommandLine = files.text(of: "/proc/cmdline").map { KernelCommandLine($0, place: nil) }

        accounts = AccountFiles(files: files)
        units = SystemdUnits(files: files)
        user = ServiceUser(units, accounts)

        serial = SerialFacts(device: installation.device, model: model, boot: bootFiles.configuration, files)
        processes =
            isStart && serial.device?.entry == nil ? [] : ExaminedProcess.all(in: files, withOpenFiles: !isStart)
        bus = installation.board?.sensors.map { BusFacts($0.bus, files) }
        gpioNodes = GPIONodes(files)
        bootModules = HostFacts.bootModules(files)

        bluetooth = BluetoothFacts(files)
        hasUdevRules = HostFacts.udevFolders.contains { files.exists("\($0)/60-sextant.rules") }
        // The database is not opened at the daemon's start: the daemon has it open, and a process that closes a file
        // loses all its locks on that file (fcntl(2)). Without SQLite's locks, another program that opens the database
        // would delete the write-ahead log in use.
        storage = isStart ? nil : installation.stateDirectory.map { StorageFacts($0, files) }
        clientFiles = HostFacts.clientFiles(installation, files)
        clock = ClockFacts(units, files)
        chrony = installation.timeSockets.map { ChronyFacts($0, files) }
        isPulseMissing = installation.pulseDevice.map { !files.exists($0) } ?? false
        isUndervolted = HostFacts.isUndervolted(files)
        idle = IdleFacts(files)
        let (model, isRunning) = (model, isRunning)
        let hostSwitch = isStart ? nil : installation.hostSwitch
        sleep = hostSwitch.map { HostSleepFacts($0, model: model, isRunning: isRunning, files) }
    }
}

extension HostFacts {
    private static let udevFolders = ["/etc/udev/rules.d", "/lib/udev/rules.d", "/usr/lib/udev/rules.d"]

    /// The kernel modules that the files of modules-load.d(5) and Debian's `/etc/modules` name.
    private static func bootModules(_ files: some SystemFiles) -> Set<String> {
        let folder = "/etc/modules-load.d"
        let paths = ["/etc/modules"] + files.list(folder).filter { $0.hasSuffix(".conf") }.map { "\(folder)/\($0)" }
        let lines = paths.flatMap { (files.text(of: $0) ?? "").numberedLines.map(\.text) }
        return Set(lines.filter { !$0.hasPrefix("#") }.compactMap(\.words.first))
    }

    private static func clientFiles(_ installation: Installation, _ files: some SystemFiles) -> [NodeFacts] {
        installation.clientFiles.flatMap { path -> [NodeFacts] in
            let own = NodeFacts(path, files)
            guard own.entry?.kind == .folder else { return [own] }
            return [own] + files.list(path).filter { $0.hasSuffix(".json5") }.map { NodeFacts("\(path)/\($0)", files) }
        }
    }

    /// Whether the firmware reports undervoltage: it raises an alarm below 4.63 V, which the driver rpi_volt shows; nil
    /// if the driver is missing.
    private static func isUndervolted(_ files: some SystemFiles) -> Bool? {
        let folder = "/sys/class/hwmon"
        let sensor = files.list(folder).first { files.value(of: "\(folder)/\($0)/name") == "rpi_volt" }
        return sensor.flatMap { files.value(of: "\(folder)/\($0)/in0_lcrit_alarm") }.map { $0 == "1" }
    }
}
