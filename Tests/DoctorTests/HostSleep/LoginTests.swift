import Doctor
import HostSleep
import Testing

/// Locks on shutdown and sessions are read from logind's files.
struct LoginTests {
    @Test func `a quiet system has nothing that keeps it on`() {
        let survey = System.quiet.survey
        #expect(survey?.obstacles == [])
        #expect(survey?.inspection.isInhibited == false)
        #expect(survey?.inspection.hasSession == false)
        #expect(survey?.inspection.hasSecondMaster == false)
        #expect(survey?.inspection.isPackageManagerBusy == false)
        #expect(survey?.inspection.isStayAwakeFileThere == false)
    }

    @Test func `the store, the supply and the clocks are left open`() {
        let inspection = System.quiet.survey?.inspection
        #expect(inspection?.isStoreSound == nil && inspection?.hasExternalPower == nil)
        #expect(inspection?.batteryPercent == nil && inspection?.wall == nil && inspection?.switchClock == nil)
    }

    // MARK: Locks

    @Test func `a block lock on shutdown keeps the host on, and its holder is named`() {
        var system = System.quiet
        system.lock(2, what: "shutdown:sleep", mode: "block", who: "backup", why: "copying to the server")
        #expect(
            system.obstacles == [
                "inhibitor: backup (process 811) forbids to power off: copying to the server; "
                    + "wait for its end, or see systemd-inhibit --list"
            ])
        #expect(system.survey?.inspection.isInhibited == true)
    }

    @Test(arguments: [("shutdown", "delay"), ("idle", "block"), ("handle-power-key:sleep", "block")])
    func `a lock that delays only, or forbids something else, does not count`(what: String, mode: String) {
        var system = System.quiet
        system.lock(1, what: what, mode: mode, who: "player")
        #expect(system.obstacles == [])
    }

    @Test(arguments: ["MODE=block-weak\n", "MODE=a-later-one\n", ""])
    func `a lock of any mode but delay counts`(mode: String) {
        var system = System.quiet
        system.tree["/run/systemd/inhibit/1"] = "WHAT=shutdown\n\(mode)WHO=x\n"
        #expect(system.survey?.inspection.isInhibited == true)
    }

    /// As systemd 252's logind wrote it for `systemd-inhibit --who='Back up "é" \ x'`, and as later ones quote it besides.
    @Test(arguments: [
        #"Back up \"\303\251\" \\ x"#, #""Back up \\\"\\303\\251\\\" \\\\ x""#,
    ]) func `a holder's name is shown as it was given`(written: String) {
        var system = System.quiet
        system.lock(1, what: "shutdown", mode: "block", who: written)
        #expect(system.obstacles?.first?.hasPrefix(#"inhibitor: Back up "é" \ x (process 811) forbids"#) == true)
    }

    @Test func `a name cannot write to the terminal, and not without end`() {
        var system = System.quiet
        system.lock(1, what: "shutdown", mode: "block", who: #"\033[2J\n"# + String(repeating: "x", count: 500))
        let line = system.obstacles?.first ?? ""
        #expect(line.hasPrefix("inhibitor: ?[2Jnxxx"))
        #expect(line.count < 200)
    }

    @Test func `no folder of locks is no lock`() {
        var system = System.quiet
        system.tree.remove("/run/systemd/inhibit")
        #expect(system.obstacles == [])
    }

    @Test func `a lock that is released meanwhile does not count`() {
        var system = System.quiet
        system.lock(1, what: "shutdown", mode: "block", who: "backup")
        system.tree.vanish("/run/systemd/inhibit/1")
        #expect(system.obstacles == [])
    }

    @Test(arguments: [("", 1), ("MODE=block\n", 1), ("\u{0}\u{1}\u{fffd}", 1), ("WHAT=idle\n", 20_000)])
    func `a damaged or endless lock leaves the answer open`(text: String, times: Int) {
        var system = System.quiet
        system.tree["/run/systemd/inhibit/1"] = String(repeating: text, count: times)
        #expect(system.survey?.inspection.isInhibited == nil)
        #expect(
            system.obstacles == [
                "unanswered: /run/systemd/inhibit/1 cannot be read, which may be a lock on shutdown; "
                    + "see loginctl and systemd-inhibit --list, then sudo systemctl restart systemd-logind.service"
            ])
    }

    @Test func `a lock or a folder that may not be read leaves the answer open`() {
        var system = System.quiet
        system.lock(1, what: "idle", mode: "block", who: "player")
        system.tree.close("/run/systemd/inhibit/1")
        #expect(system.survey?.inspection.isInhibited == nil)
        system = System.quiet
        system.tree.close("/run/systemd/inhibit")
        #expect(system.survey?.inspection.isInhibited == nil)
    }

    @Test func `a lock that is seen counts, whatever else could not be read`() {
        var system = System.quiet
        system.tree["/run/systemd/inhibit/1"] = ""
        system.lock(2, what: "shutdown", mode: "block", who: "backup")
        #expect(system.survey?.inspection.isInhibited == true)
        #expect(system.survey?.obstacles.count == 2)
    }

    // MARK: Sessions

    @Test func `whoever is logged in from elsewhere is named with the place`() {
        var system = System.quiet
        system.session("3", user: "pi", "REMOTE=1", "TYPE=tty", "CLASS=user", "REMOTE_HOST=192.168.1.5", "TTY=pts/0")
        #expect(system.obstacles == ["session: pi is logged in from 192.168.1.5 (session 3); log out"])
        #expect(system.survey?.inspection.hasSession == true)
    }

    @Test func `a board that logs in by itself is told how to stop that`() {
        var system = System.quiet
        system.session("1", user: "pi", "REMOTE=0", "TYPE=tty", "CLASS=user", "SEAT=seat0", "TTY=tty1")
        #expect(
            system.obstacles == [
                "session: pi is logged in at tty1 (session 1); log out; where the board does that by itself: "
                    + "sudo raspi-config nonint do_boot_behaviour B1"
            ])
    }

    @Test func `programs that were left running count, with how to end them`() {
        var system = System.quiet
        system.session("7", user: "pi", state: "closing", "REMOTE=1", "CLASS=user")
        #expect(
            system.obstacles == [
                "session: pi has logged out of session 7 and left programs running there; "
                    + "run them as services, or: loginctl terminate-session 7"
            ])
    }

    @Test(arguments: ["background", "background-light"]) func `a job in the background counts`(class name: String) {
        var system = System.quiet
        system.session("c2", user: "root", "REMOTE=0", "TYPE=unspecified", "CLASS=\(name)")
        #expect(
            system.obstacles == [
                "session: a job of root runs in session c2; wait for its end, or: loginctl terminate-session c2"
            ])
    }

    @Test(arguments: ["greeter", "lock-screen", "manager", "manager-early", "none"])
    func `a session that is no person's does not count`(class name: String) {
        var system = System.quiet
        system.session("c1", user: "lightdm", "REMOTE=0", "TYPE=x11", "CLASS=\(name)")
        #expect(system.obstacles == [])
    }

    @Test(arguments: ["CLASS=user-light", "CLASS=a-later-one", ""]) func `any other class counts`(line: String) {
        var system = System.quiet
        system.session("4", user: "pi", state: "online", line)
        #expect(system.survey?.inspection.hasSession == true)
    }

    @Test(arguments: [
        ("o'brien", "o'brien"), ("a=b=c", "a=b=c"), (#""with blank""#, "with blank"), (#"\360\237\230\200"#, "😀"),
        ("", "user 1000"), (#"\377\376"#, "\u{fffd}\u{fffd}"), ("\u{202e}ip", "?ip"),
    ]) func `a user may have any name`(written: String, shown: String) {
        var system = System.quiet
        system.session("3", user: written, "REMOTE=1", "CLASS=user")
        #expect(system.obstacles == ["session: \(shown) is logged in (session 3); log out"])
    }

    @Test func `of thousands of sessions a few are told, and the number of the rest`() {
        var system = System.quiet
        for id in 0..<3000 { system.session("\(id)", user: "pi", "REMOTE=1", "CLASS=user") }
        let survey = system.survey
        #expect(survey?.inspection.hasSession == true)
        #expect(
            survey?.obstacles.suffix(2).map(\.line) == [
                "507 more of the same kind; mend those first",
                "the rest of /run/systemd/sessions cannot be read, which may be a session; "
                    + "see loginctl and systemd-inhibit --list, then sudo systemctl restart systemd-logind.service",
            ])
        #expect(survey?.obstacles.count == 7)
    }

    @Test func `of thousands of sessions that do not count, the rest leaves the answer open`() {
        var system = System.quiet
        for id in 0..<600 { system.session("\(id)", user: "x", "CLASS=manager") }
        #expect(system.survey?.inspection.hasSession == nil)
    }

    @Test func `dropbear tells logind nothing: a connection is seen by its process`() {
        var system = System.quiet
        system.program(400, "dropbear")
        #expect(system.obstacles == [])
        system.program(988, "dropbear")
        #expect(system.obstacles == ["session: somebody is logged in through dropbear; log out"])
    }

    // MARK: What must be there

    @Test func `without logind nobody knows of locks and sessions`() {
        var system = System.quiet
        system.tree.remove("/proc/301")
        let mend =
            "sudo systemctl unmask systemd-logind.service && sudo systemctl start systemd-logind.service"
        #expect(
            system.obstacles == [
                "unanswered: systemd-logind does not run, so that nobody knows which programs forbid to power off; "
                    + mend,
                "unanswered: systemd-logind does not run, so that nobody knows who is logged in; \(mend)",
            ])
        #expect(system.survey?.inspection.isInhibited == nil && system.survey?.inspection.hasSession == nil)
    }

    @Test func `without its module of PAM logind learns of nobody`() {
        var system = System.quiet
        system.tree["/etc/pam.d/common-session"] = "session\trequired\tpam_unix.so\n"
        #expect(
            system.obstacles == [
                "unanswered: log-ins are not recorded, so that nobody knows who is logged in; "
                    + "sudo apt install libpam-systemd"
            ])
        #expect(system.survey?.inspection.hasSession == nil)
    }
}
