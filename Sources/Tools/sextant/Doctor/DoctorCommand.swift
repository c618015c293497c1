internal import ArgumentParser
internal import ClientVocabulary
internal import Configuration
internal import DaemonClient
internal import Doctor
internal import Glibc
internal import HostSleep

/// `sextant doctor`.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find what is wrong with this board and how to mend it, or what it wastes.",
        discussion: """
            Checks the installation and the host that it runs on: the boot files, the UART and other programs that \
            use it, I2C and its sensors, GPIO lines, the daemon's user, its unit and its store, and the tables of \
            places. It changes nothing, \
            and the daemon need not run. As root it checks more: which program has the device open, chips that only \
            root may open, and the configurations of the page, the geocoder and the uplink where they are enabled.

            --root checks the system on a card that is mounted here; checks that need a running system are then left \
            out and listed. What beacons need is checked where the board's file, the configuration or a program asks for \
            them, and with --beacons. --json prints an object for each finding: check, severity (problem, warning or note), \
            what, mend, and if known file and line.

            --power lists what wastes energy on the host, with the change that ends it. A saving without a known \
            measurement has no figure. --json prints an object for each saving (saving, what, milliwatts, source, \
            change, file, line, loss), and last one with idleMilliwatts, idleMilliwattsAfter and savedMilliwatts.

            Exit status: 0 where nothing is wrong, and with --power; 1 where there is something to mend; 64 for \
            usage; 74 where the root cannot be read.
            """)

    @Flag(help: "List what wastes energy on the host, in milliwatts.")
    var power = false

    @Flag(help: "Check what beacons need, also where nobody looks for them.")
    var beacons = false

    @Option(help: ArgumentHelp("Check the system in this folder, not the running one.", valueName: "directory"))
    var root = "/"

    @Option(help: ArgumentHelp("The daemon's configuration file, as a path of the checked system.", valueName: "file"))
    var config = TrackerSettings.defaultConfiguration

    @Option(
        help: ArgumentHelp(
            "Check this board instead of the configuration's: its name, its parts, or a path.", valueName: "board"))
    var board: String?

    @Option(help: ArgumentHelp("Check this receiver's device instead of the configuration's.", valueName: "path"))
    var device: String?

    @Flag(help: "Print JSON, an object a line.")
    var json = false

    func validate() throws {
        guard config.hasPrefix("/") else {
            throw ValidationError("--config must be an absolute path, such as /etc/x.json5")
        }
    }

    func run() throws {
        do throws(CommandFailure) {
            let facts = try facts()
            if power { return try tell(PowerAdvice(facts)) }
            let examination = Examination(facts)
            try tell(examination)
            guard !examination.isContent else { return }
        } catch {
            error.report()
            throw ExitCode(error.status)
        }
        throw ExitCode(1)
    }

    private func facts() throws(CommandFailure) -> HostFacts {
        let isHere = root == "/"
        let folder = isHere ? "" : String(root.reversed().drop { $0 == "/" }.reversed())
        let files = RootedFiles(root: isHere ? "/" : folder)
        guard files.names(in: "/")?.contains("etc") == true else {
            throw .inputOutput("\(root): not a system's root: it has no etc; name the folder where a card is mounted")
        }
        var installation =
            board == nil && device == nil
            ? Installation.read(below: folder, configuration: config)
            : Installation.of(board: board, device: device, below: folder)
        // The path is shown as the system on the SD card has it, without the folder where the card is mounted on this
        // host.
        installation.problem = installation.problem?.replacing("\(folder)/", with: "/")
        var live = isHere && !power ? LiveFacts(of: installation.board) : LiveFacts()
        let status = isHere && !power ? RunningDaemon.status : nil
        live.wantsBeacons = beacons || status.map(RunningDaemon.looksForBeacons) ?? false
        live.receiverFault = status.flatMap(PositionStatus.fault)
        live.hostSleep = status?.object(.host).map(RunningDaemon.sleep)
        if isHere && !power { live.serviceProblems = ServiceConfigurations.problems(SystemdUnits(files: files)) }
        if !power { live.placeTables = PlaceTableFacts.all(below: folder) }
        return HostFacts(files: files, installation: installation, live: live)
    }

    private func tell(_ examination: Examination) throws(CommandFailure) {
        for line in json ? DoctorLines.objects(of: examination) : DoctorLines.text(of: examination) {
            try StandardOutput.write(line: line)
        }
    }

    private func tell(_ advice: PowerAdvice) throws(CommandFailure) {
        for line in json ? SavingLines.objects(of: advice) : SavingLines.text(of: advice) {
            try StandardOutput.write(line: line)
        }
    }
}

/// The configurations of the programs that systemd starts besides the daemon.
private enum ServiceConfigurations {
    /// The systemd units, each with the program that it starts; every such program has an option `--check`.
    private static let programs = [
        ("sextant-page.socket", "sextant-page"), ("sextant-geocoder.socket", "sextant-geocoder"),
        ("sextant-uplink.service", "sextant-uplink"),
    ]

    /// What the programs of the enabled units say is wrong in their configurations; nil unless this command runs as
    /// root, because only root may read them.
    static func problems(_ units: SystemdUnits) -> [(unit: String, reason: String)]? {
        guard geteuid() == 0 else { return nil }
        return programs.flatMap { unit, program in
            guard units.isEnabled(unit), let said = HostProgram.errors(of: program, ["--check"]), said.status != 0
            else { return [(unit: String, reason: String)]() }
            return said.text.split(separator: "\n").map { line in
                (unit, String(line.hasPrefix("\(program): ") ? line.dropFirst(program.count + 2) : line))
            }
        }
    }
}

/// The status of the daemon that runs on this host, and what the examination needs from it.
private enum RunningDaemon {
    /// The running daemon's `status`; nil if no daemon runs, or if the daemon does not answer this command.
    static var status: DaemonLine? {
        // If no daemon runs, a connection would have systemd start one; so the host's processes are first searched for
        // a daemon.
        let files = RootedFiles(root: "/")
        let runs = (files.names(in: "/proc") ?? []).contains { files.text(of: "/proc/\($0)/comm") == "sextantd\n" }
        guard runs, var daemon = try? Daemon(path: nil), (try? daemon.send(DaemonRequest(.status))) != nil else {
            return nil
        }
        return try? daemon.next([.status])
    }

    static func sleep(_ host: DaemonLine) -> ToldSleep {
        let sleeps = host.objects(.sleeps)
        return ToldSleep(
            reasons: host.texts(.reasons).compactMap { StayAwakeReason(rawValue: $0) },
            ends: sleeps.map { $0.text(.cause).flatMap { WakeCause(rawValue: $0) } ?? .unknown },
            late: sleeps.count { $0.number(.late).map { $0 > 60 } ?? false })
    }

    static func looksForBeacons(_ status: DaemonLine) -> Bool {
        let beacons = status.object(.beacons)
        return (beacons?.integer(.regions) ?? 0) + (beacons?.integer(.ranging) ?? 0) > 0
    }
}
