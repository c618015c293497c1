import Boards
import Doctor
import HostSleep
import HostSwitches

/// A running board with a switch of its supply, and nothing that keeps it on.
extension System {
    static var quiet: System {
        var system = System.zero2W
        system.quieten(examined(.pijuice, "/dev/i2c-1"))
        return system
    }

    /// Gives the system a switch, and whatever must be there for the host to sleep.
    mutating func quieten(_ hostSwitch: ExaminedSwitch) {
        installation.hostSwitch = hostSwitch
        process(1, "systemd", terminal: 0)
        process(301, "systemd-logind", terminal: 0)
        tree["/etc/pam.d/common-session"] = """
            session	[default=1]	pam_permit.so
            session	required	pam_unix.so
            session	optional	pam_systemd.so
            """
        tree.folder("/run/systemd/inhibit", owner: 0, mode: 0o755)
        tree.folder("/run/systemd/sessions", owner: 0, mode: 0o755)
        tree.number("/var/lib/dpkg/lock-frontend", 16_220_178)
        tree.number("/var/lib/dpkg/lock", 16_220_176)
        tree["/proc/locks"] = """
            1: POSIX  ADVISORY  WRITE 412 b3:02:4711 1073741826 1073742335
            1: -> POSIX  ADVISORY  WRITE 977 b3:02:4711 1073741826 1073742335
            2: FLOCK  ADVISORY  WRITE 301 00:19:1021 0 EOF
            3: LEASE  ACTIVE    READ 301 00:19:1022 0 EOF

            """
        tree["/boot/firmware/overlays/i2c-rtc.dtbo"] = ""
        tree["/usr/lib/systemd/system.conf.d/90-sextant.conf"] = "[Manager]\nRebootWatchdogSec=1min\n"
    }

    var survey: HostSurvey? { installation.hostSwitch.map { HostSurvey(files: tree, hostSwitch: $0) } }

    /// What keeps the host on, a line each, with its reason's name.
    var obstacles: [String]? { survey?.obstacles.map { "\($0.reason.rawValue): \($0.line)" } }

    /// A lock as logind of systemd 252 writes it.
    mutating func lock(_ id: Int, what: String, mode: String, who: String, why: String = "") {
        tree["/run/systemd/inhibit/\(id)"] = """
            # This is private data. Do not parse.
            WHAT=\(what)
            MODE=\(mode)
            UID=0
            PID=811
            WHO=\(who)
            WHY=\(why)
            FIFO=/run/systemd/inhibit/\(id).ref

            """
        tree.device("/run/systemd/inhibit/\(id).ref", 0, 0, group: 0)
    }

    /// A session as logind writes it, with the lines that differ.
    mutating func session(_ id: String, user: String, state: String = "active", _ lines: String...) {
        tree["/run/systemd/sessions/\(id)"] = """
            # This is private data. Do not parse.
            UID=1000
            USER=\(user)
            ACTIVE=1
            IS_DISPLAY=1
            STATE=\(state)
            \(lines.joined(separator: "\n"))
            SCOPE=session-\(id).scope
            FIFO=/run/systemd/sessions/\(id).ref
            LEADER=1201

            """
        tree.device("/run/systemd/sessions/\(id).ref", 0, 0, group: 0)
    }

    /// A process with its arguments and its control group.
    mutating func program(_ id: Int, _ command: String, arguments: [String] = [], unit: String? = nil) {
        process(id, command, terminal: 0)
        tree["/proc/\(id)/cmdline"] = arguments.map { "\($0)\0" }.joined()
        tree["/proc/\(id)/cgroup"] = unit.map { "0::/system.slice/\($0)\n" } ?? "0::/init.scope\n"
    }
}

/// A switch at its usual address, as the examination takes it.
func examined(_ model: HostSwitchModel, _ bus: String?) -> ExaminedSwitch {
    ExaminedSwitch(BoardHostSwitch(model: model, bus: bus, address: nil, motionWake: false))
}
