internal import HostSleep

/// Those running programs on which it depends whether the host may sleep.
struct RunningPrograms: Sendable, Equatable {
    /// A running program of the supply switch's vendor that controls the switch.
    struct Rival: Sendable, Equatable {
        var program: RivalProgram
        var process: Int
    }

    var rivals: [Rival] = []
    var runsLogind = false
    /// The number of dropbear (SSH server) processes: one that listens, and one for each connection; logind does not
    /// know of these connections.
    var dropbears = 0
    /// Whether the processes of all users could be examined.
    var isWhole: Bool

    /// The largest number of processes that are examined; a Raspberry Pi has some hundred processes.
    private static let maximumProcesses = 16_384

    init(_ files: some SystemFiles) {
        let processes = (files.names(in: "/proc") ?? []).compactMap { Int($0) }.sorted()
        // Process 1 belongs to root and always exists, so if it is not visible, the processes of other users are
        // hidden.
        isWhole = processes.first == 1 && processes.count <= RunningPrograms.maximumProcesses
        for process in processes.prefix(RunningPrograms.maximumProcesses) {
            take(process, files)
        }
    }

    private mutating func take(_ process: Int, _ files: some SystemFiles) {
        let folder = "/proc/\(process)"
        guard let command = RunningPrograms.text(files.read("\(folder)/comm")) else {
            // If the name cannot be read and the process still runs, the examination is incomplete; a process that has
            // ended does not matter.
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

/// A vendor's program that sets the alarms of its supply switch, and so must not run beside Sextant.
struct RivalProgram: Sendable, Equatable {
    /// The names of the program's processes; for scripts, the last part of the script's path.
    var commands: [String]
    /// The systemd unit that runs the program.
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

    /// The number of bytes to which the kernel cuts a process's name: proc(5), `/proc/pid/comm`.
    private static let longestName = 15

    /// Whether a process runs this program: by the process's name, or by a path among its first arguments.
    fileprivate func isNamed(_ name: Substring, arguments: [Substring]) -> Bool {
        commands.contains { command in
            // The interpreter, its options and the script's path are among the first four arguments.
            name == command.prefix(RivalProgram.longestName)
                || arguments.prefix(4).contains { $0 == command || $0.hasSuffix("/\(command)") }
        }
    }

    /// Whether a process belongs to the program's systemd unit.
    ///
    /// - Parameter groups: The text of `/proc/PID/cgroup`: cgroups(7).
    fileprivate func isUnit(in groups: String) -> Bool {
        groups.split(separator: "\n").contains { $0.split(separator: "/").contains(Substring(unit)) }
    }

    /// The command that stops the program and keeps it from starting with the system.
    var stopping: String { "sudo systemctl disable --now \(unit)" }
}
