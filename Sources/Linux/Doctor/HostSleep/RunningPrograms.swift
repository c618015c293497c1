internal import HostSleep

/// The running programs that decide whether the host may sleep.
struct RunningPrograms: Sendable, Equatable {
    /// A running program that works on a switch of the supply.
    struct Rival: Sendable, Equatable {
        var program: RivalProgram
        var process: Int
    }

    var rivals: [Rival] = []
    var runsLogind = false
    /// The number of dropbear processes: one that listens, and one per connection; logind does not know of these.
    var dropbears = 0
    /// Whether the processes of all users could be looked at.
    var isWhole: Bool

    /// The largest number of processes that are examined; a Raspberry Pi has some hundred.
    private static let mostProcesses = 16_384

    init(_ files: some SystemFiles) {
        let processes = (files.names(in: "/proc") ?? []).compactMap { Int($0) }.sorted()
        // Process 1 belongs to root and always exists: if it is hidden, the processes of other users are hidden too.
        isWhole = processes.first == 1 && processes.count <= RunningPrograms.mostProcesses
        for process in processes.prefix(RunningPrograms.mostProcesses) {
            take(process, files)
        }
    }

    private mutating func take(_ process: Int, _ files: some SystemFiles) {
        let folder = "/proc/\(process)"
        guard let command = RunningPrograms.text(files.read("\(folder)/comm")) else {
            // A process that has ended does not matter, but the name of a running process must be readable.
            if files.entry(at: folder) != nil { isWhole = false }
            return
        }
        let name = command.prefix { $0 != "\n" }
        if name == "systemd-logind" { runsLogind = true }
        if name == "dropbear" { dropbears += 1 }
        let arguments = RunningPrograms.text(files.read("\(folder)/cmdline")) ?? ""
        let groups = RunningPrograms.text(files.read("\(folder)/cgroup")) ?? ""
        let rival = RivalProgram.all.first {
            $0.isNamed(name, arguments: arguments.split(separator: "\0")) || $0.isUnit(in: groups)
        }
        if let rival, !rivals.contains(where: { $0.program == rival }) {
            rivals.append(Rival(program: rival, process: process))
        }
    }

    private static func text(_ reading: FileReading) -> String? {
        guard case .bytes(let bytes) = reading else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func hidden(_ question: String) -> HostObstacle {
        HostObstacle(
            .unanswered, "the processes of other users cannot be seen, so that nobody knows \(question)",
            "mount /proc without hidepid=, and leave ProtectProc= out of sextantd.service")
    }
}

/// A vendor's program that sets the alarms of a switch, and so must not run beside Sextant.
struct RivalProgram: Sendable, Equatable {
    /// The names of its processes, or the last parts of their scripts' paths.
    var commands: [String]
    /// The unit that runs it.
    var unit: String

    /// Source: the projects' own units: PiSupply/PiJuice, `pijuice.service`; uugear/Witty-Pi-4, `Software/install.sh`,
    /// which installs `init.sh` as `/etc/init.d/wittypi`, a script that runs `wittypi/daemon.sh` in the installation's
    /// folder; uugear/Witty-Pi-5-Software, `wp5d.service`; PiSugar/pisugar-power-manager-rs, `pisugar-server.service`;
    /// xorbit/LiFePO4wered-Pi, `systemdscript`.
    static let all = [
        RivalProgram(commands: ["pijuice_sys", "pijuice_sys.py"], unit: "pijuice.service"),
        RivalProgram(commands: ["wittypi", "wittypid", "wittypi/daemon.sh"], unit: "wittypi.service"),
        RivalProgram(commands: ["wp5d"], unit: "wp5d.service"),
        RivalProgram(commands: ["pisugar-server"], unit: "pisugar-server.service"),
        RivalProgram(commands: ["lifepo4wered-daemon"], unit: "lifepo4wered-daemon.service"),
    ]

    /// The length to which the kernel cuts a process's name: proc(5), `/proc/pid/comm`.
    private static let longestName = 15

    /// Whether a process is this program, by the process's name or by a program or script file among its arguments.
    fileprivate func isNamed(_ name: Substring, arguments: [Substring]) -> Bool {
        commands.contains { command in
            // The program, its interpreter's options and its script are among the first four arguments.
            name == command.prefix(RivalProgram.longestName)
                || arguments.prefix(4).contains { $0 == command || $0.hasSuffix("/\(command)") }
        }
    }

    /// Whether a process belongs to the program's unit, by the text of `/proc/PID/cgroup`: cgroups(7).
    fileprivate func isUnit(in groups: String) -> Bool {
        groups.split(separator: "\n").contains { $0.split(separator: "/").contains(Substring(unit)) }
    }

    /// The command that stops the program, now and at the next start.
    var stopping: String { "sudo systemctl disable --now \(unit)" }
}
