internal import ArgumentParser
internal import Glibc
internal import HardwareInLoop

/// The command `sextant-hil`, which runs hardware-in-the-loop scenarios; `scripts/hil` calls it.
@main
struct SextantHIL: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sextant-hil",
        abstract: "Run scenarios on a board, emulated behind a real kernel or real.",
        discussion: """
            Exit status: 0 where all scenarios passed; 1 where one did not; 64 for usage; 65 for a scenario that cannot \
            be understood; 69 where the board cannot be had; 74 where a file cannot be read or written.

            With SEXTANT_PATIENCE in the environment, seconds, each wait for a state lasts as long at most, whatever \
            bound the scenario gives: then nothing is judged by the speed of this machine.
            """)

    @Argument(help: ArgumentHelp("Files with scenarios.", valueName: "scenario"))
    var scenarios: [String] = []

    @Flag(help: "List the words that scenarios may use.")
    var words = false

    @Flag(help: "Say what each scenario shows, and do nothing.")
    var list = false

    @Option(help: ArgumentHelp("The guest's kernel.", valueName: "file"))
    var kernel: String?

    @Option(help: ArgumentHelp("The guest's first file system.", valueName: "file"))
    var ramdisk: String?

    @Option(help: ArgumentHelp("The guest's disk: for the daemon's state, or with Debian.", valueName: "file"))
    var disk: String?

    @Option(
        help: ArgumentHelp(
            "Sextant's package, as the guest sees it, where the guest's disk has Debian with systemd.",
            valueName: "path"))
    var package: String?

    @Option(
        help: ArgumentHelp("A word of the command that runs the agent on a real board; repeated.", valueName: "word"))
    var agent: [String] = []

    @Option(help: ArgumentHelp("The folder of sextantd and sextant on the board.", valueName: "path"))
    var programs = "/usr/bin"

    @Option(help: ArgumentHelp("The folder of libraries that they need beside the system's.", valueName: "path"))
    var libraries = ""

    @Option(help: ArgumentHelp("This machine's sextant, for replays.", valueName: "path"))
    var replayer = "sextant"

    @Option(help: ArgumentHelp("The folder for the reports.", valueName: "path"))
    var output = "."

    func validate() throws {
        guard !words, !list else { return }
        guard !scenarios.isEmpty else { throw ValidationError("name scenarios") }
        let isGuest = kernel != nil && ramdisk != nil && disk != nil
        guard isGuest != !agent.isEmpty else {
            throw ValidationError("give --kernel, --ramdisk and --disk, or --agent")
        }
        guard isGuest || package == nil else { throw ValidationError("give --package for a guest alone") }
    }

    func run() throws {
        do throws(LoopFailure) {
            guard !words else { return Scenario.words.forEach { SextantHIL.print($0) } }
            let scenarios = try read()
            guard !list else { return scenarios.forEach { SextantHIL.print("\($0.name): \($0.summary)") } }
            if try carryOut(scenarios) { return }
        } catch {
            SextantHIL.print("sextant-hil: \(error)", to: 2)
            throw ExitCode(error.status)
        }
        throw ExitCode(1)
    }

    /// Writes a line of text to a file descriptor, without buffering.
    private static func print(_ line: String, to descriptor: Int32 = 1) {
        let bytes = Array((line + "\n").utf8)
        // Safety: the bytes live for the call; a failure to write them is ignored.
        _ = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    }

    /// The time limit in seconds for every step that waits for a state, from the environment variable
    /// `SEXTANT_PATIENCE`; nil to use the scenarios' own limits.
    private var patience: Double? {
        get throws(LoopFailure) {
            // Safety: the text is copied at once, and nothing here sets environment variables.
            guard let text = unsafe getenv("SEXTANT_PATIENCE").map({ unsafe String(cString: $0) }) else { return nil }
            guard let seconds = Double(text), seconds.isFinite, seconds >= 1 else {
                throw LoopFailure(.scenario, "SEXTANT_PATIENCE: \(text): wanted is a number of seconds, 1 or more")
            }
            return seconds
        }
    }

    private func read() throws(LoopFailure) -> [Scenario] {
        var read: [Scenario] = []
        for path in scenarios { read.append(try Scenario(readFrom: path)) }
        return read
    }

    /// - Returns: Whether all scenarios that this system can run have passed.
    private func carryOut(_ scenarios: [Scenario]) throws(LoopFailure) -> Bool {
        var settings = LoopBench.Settings(programs: programs, replayer: replayer, output: output)
        settings.libraries = libraries
        settings.package = package ?? ""
        settings.patience = try patience
        let system: GuestMachine.System = package == nil ? .bare : .debian
        for scenario in scenarios where scenario.system != system {
            let wanted = scenario.system == .debian ? "a guest with Debian" : "a guest with nothing but a kernel"
            SextantHIL.print("skipped \(scenario.name): it wants \(wanted)")
        }
        let wanted = scenarios.filter { $0.system == system }
        // None of the scenarios is for this system, which is not a failure.
        guard !wanted.isEmpty else { return true }
        let bench = try LoopBench(target(of: system), settings) { SextantHIL.print($0) }
        var results: [ScenarioResult] = []
        // This order needs the fewest boots: first the scenarios that need a guest without Sextant's package, last
        // those after which the guest must be restarted.
        let early = wanted.filter { $0.wantsNoPackage && !$0.costsReset }
        let late = wanted.filter { !$0.wantsNoPackage && !$0.costsReset }
        for scenario in early + late + wanted.filter(\.costsReset) {
            let result = try bench.run(scenario)
            results.append(result)
            // The lines of a result are printed with one write, because a second run with another guest can write to
            // the same file.
            SextantHIL.print(result.text.joined(separator: "\n"))
            try LoopReport.write(results, to: output)
        }
        return results.allSatisfy(\.hasPassed)
    }

    private func target(of system: GuestMachine.System) -> LoopBench.Target {
        guard let kernel, let ramdisk, let disk else { return .device(command: agent) }
        var guest = GuestMachine(system, kernel: kernel, ramdisk: ramdisk, disk: disk, folder: output)
        if system == .debian {
            guest.disk = output + "/scenario.disk"
            guest.cleanDisk = disk
        }
        return .guest(guest)
    }
}

extension LoopFailure {
    var status: Int32 {
        switch kind {
        case .scenario: 65
        case .board, .refusal: 69
        case .file: 74
        }
    }
}
