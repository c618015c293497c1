/// Checks of the way from the daemon to the host's time daemon.
enum TimeChecks {
    static func chrony(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        guard let socket = facts.installation.timeSocket else { throw Skipped("the time goes to no time daemon") }
        guard facts.chrony.isInstalled else {
            return [Finding(.time, "chrony, which the time is for, is not installed", Mend("sudo apt install chrony"))]
        }
        var findings: [Finding] = []
        if !facts.chrony.readsSocket {
            let mend = Mend(
                "sudo cp /usr/share/doc/sextant/examples/chrony-sextant.conf /etc/chrony/conf.d/sextant.conf && "
                    + "sudo systemctl restart chrony")
            findings.append(Finding(.time, "chrony's configuration names no refclock SOCK \(socket)", mend))
        }
        if !facts.chrony.givesSocket {
            let mend = Mend(
                "ExecStartPost=+-/bin/chown sextant \(socket), then: "
                    + "sudo systemctl daemon-reload && sudo systemctl restart chrony",
                at: Place("/etc/systemd/system/chrony.service.d/sextant.conf"))
            findings.append(
                Finding(
                    .time, "no drop-in of chrony.service gives \(socket) to the daemon, and root alone may write to it",
                    mend))
        }
        return findings
    }
}
