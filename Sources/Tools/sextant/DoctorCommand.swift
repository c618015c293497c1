internal import ArgumentParser
internal import Configuration
internal import Doctor
internal import Glibc

/// `sextant doctor`.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what is wrong with this board and how to mend it, or what it wastes.",
        discussion: """
            Looks at the installation and at what it needs of the host: the boot files, the UART and who else is on it, \
            I2C and its sensors, GPIO lines, the daemon's user, its unit and its store. Nothing is changed, and no daemon \
            need run. As root it sees more: who has the device open, and chips that are root's alone.

            --root looks at the system of a card that is mounted here; what shows on a running system alone is then left \
            out, and said so. --json prints an object for each finding: check, severity (problem, warning or note), what, \
            mend, and where there is one file and line.

            --power lists what the host spends without need, with the change that ends it. What nobody is known to have \
            measured has no figure. --json prints an object for each saving (saving, what, milliwatts, source, change, \
            file, line, loss), and last one with idleMilliwatts, idleMilliwattsAfter and savedMilliwatts.

            Exit status: 0 where nothing is wrong, and with --power; 1 where there is something to mend; 64 for usage; 74 \
            where the root cannot be read.
            """)

    @Flag(help: "List what the host spends without need, in milliwatts.")
    var power = false

    @Option(help: ArgumentHelp("Where the system's root is, for one that does not run here.", valueName: "directory"))
    var root = "/"

    @Option(help: ArgumentHelp("The daemon's configuration, as the system names it.", valueName: "file"))
    var config = TrackerSettings.defaultConfiguration

    @Option(
        help: ArgumentHelp(
            "Leave the configuration out, and take this board: its name, its parts, or a path.", valueName: "board"))
    var board: String?

    @Option(help: ArgumentHelp("Leave the configuration out, and take this receiver's device.", valueName: "path"))
    var device: String?

    @Flag(help: "Print JSON, an object a line.")
    var json = false

    func validate() throws {
        guard config.hasPrefix("/") else {
            throw ValidationError("--config must be a whole path, such as /etc/x.json5")
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
        guard files.names(in: "/").contains("etc") else {
            throw .inputOutput("\(root): no system's root, for it has no etc; name the folder where a card is mounted")
        }
        var installation =
            board == nil && device == nil
            ? Installation.read(below: folder, configuration: config)
            : Installation.of(board: board, device: device, below: folder)
        // The paths are shown as the card's own system has them, not with the folder where it is mounted here.
        installation.problem = installation.problem?.replacing("\(folder)/", with: "/")
        let live = isHere && !power ? LiveFacts(of: installation.board) : LiveFacts()
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
