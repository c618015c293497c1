internal import HostSleep

/// The shutdown locks that programs hold, and the users who are logged in, as logind knows them.
///
/// Both are read from logind's files, without a request to logind. The last word is logind's: it refuses to power off
/// if a program has taken a lock, or a user has logged in, after the files were read.
enum Logins {
    private static let unreadableMend =
        "see loginctl and systemd-inhibit --list, then sudo systemctl restart systemd-logind.service"

    // MARK: Locks

    static func locks(_ files: some SystemFiles, _ programs: RunningPrograms) -> ObstacleReport {
        guard programs.runsLogind else { return lacksLogind(programs, "which programs forbid to power off") }
        let found = LogindRecords(in: "/run/systemd/inhibit", needing: "WHAT", files)
        return ObstacleReport(
            found.records.filter(blocksShutdown).map(lock),
            unknown: unknown(found.unreadable, "a lock on shutdown"))
    }

    /// Whether a shutdown lock forbids powering off.
    ///
    /// A lock of mode `delay` does not count, because logind itself waits for it. Logind treats a lock without a mode
    /// as `block`, and so does this function. Any other mode counts as blocking too, such as `block-weak` of systemd
    /// 257.
    private static func blocksShutdown(_ record: LogindRecord) -> Bool {
        record["MODE"] != "delay" && (record["WHAT"] ?? "").split(separator: ":").contains("shutdown")
    }

    private static func lock(_ record: LogindRecord) -> HostObstacle {
        let process = record.text("PID").map { " (process \($0))" } ?? ""
        let why = record.text("WHY").map { ": \($0)" } ?? ""
        return HostObstacle(
            .inhibitor, "\(record.text("WHO") ?? "a program")\(process) forbids to power off\(why)",
            "wait for its end, or see systemd-inhibit --list")
    }

    // MARK: Sessions

    static func sessions(_ files: some SystemFiles, _ programs: RunningPrograms) -> ObstacleReport {
        guard programs.runsLogind else { return lacksLogind(programs, "who is logged in") }
        let found = LogindRecords(in: "/run/systemd/sessions", needing: "UID", files)
        var sessions = found.records.filter(isSomebody).map(session)
        if programs.dropbears > 1 {
            sessions.append(HostObstacle(.session, "somebody is logged in through dropbear", "log out"))
        }
        var unknown = unknown(found.unreadable, "a session")
        // Logind learns of log-ins only from the PAM module pam_systemd: pam_systemd(8).
        let modules = (files.text(of: "/etc/pam.d/common-session") ?? "").numberedLines
        if !modules.contains(where: { _, line in line.first != "#" && line.words.contains("pam_systemd.so") }) {
            unknown.append(
                HostObstacle(
                    .unanswered, "log-ins are not recorded, so that nobody knows who is logged in",
                    "sudo apt install libpam-systemd"))
        }
        return ObstacleReport(sessions, unknown: unknown)
    }

    /// Whether a session of logind belongs to a person, or to a job that a person has left running.
    ///
    /// The log-in screen and the manager of a user's services belong to no person. A session without a class counts as
    /// a person's, and so does one of a class that this release does not know.
    private static func isSomebody(_ record: LogindRecord) -> Bool {
        !["greeter", "lock-screen", "manager", "manager-early", "none"].contains(record["CLASS"] ?? "")
    }

    private static func session(_ record: LogindRecord) -> HostObstacle {
        let user = record.text("USER") ?? "user \(record.text("UID") ?? "")"
        let end = "loginctl terminate-session \(record.id)"
        if record["STATE"] == "closing" {
            return HostObstacle(
                .session, "\(user) has logged out of session \(record.id) and left programs running there",
                "run them as services, or: \(end)")
        }
        if (record["CLASS"] ?? "").hasPrefix("background") {
            return HostObstacle(
                .session, "a job of \(user) runs in session \(record.id)", "wait for its end, or: \(end)")
        }
        let terminal = record.text("TTY") ?? record.text("SEAT")
        if record["REMOTE"] != "1", let terminal {
            return HostObstacle(
                .session, "\(user) is logged in at \(terminal) (session \(record.id))",
                "log out; where the board does that by itself: sudo raspi-config nonint do_boot_behaviour B1")
        }
        let place = record.text("REMOTE_HOST").map { " from \($0)" } ?? ""
        return HostObstacle(.session, "\(user) is logged in\(place) (session \(record.id))", "log out")
    }

    // MARK: Unknown

    private static func unknown(_ paths: [String], _ kind: String) -> [HostObstacle] {
        paths.map { HostObstacle(.unanswered, "\($0) cannot be read, which may be \(kind)", unreadableMend) }
    }

    private static func lacksLogind(_ programs: RunningPrograms, _ question: String) -> ObstacleReport {
        let obstacle =
            programs.isWhole
            ? HostObstacle(
                .unanswered, "systemd-logind does not run, so that nobody knows \(question)",
                "sudo systemctl unmask systemd-logind.service && sudo systemctl start systemd-logind.service")
            : RunningPrograms.hidden(question)
        return ObstacleReport([], unknown: [obstacle])
    }
}
