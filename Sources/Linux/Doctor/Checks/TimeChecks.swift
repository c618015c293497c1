internal import Boards
internal import Receivers

/// Checks of how the host's time daemon, chrony, gets the time from Sextant's daemon.
enum TimeChecks {
    static func chrony(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        guard let first = facts.chrony.first else { throw Skipped("the time goes to no time daemon") }
        guard first.isInstalled else {
            return [Finding(.time, "chrony, which the time is for, is not installed", Mend("sudo apt install chrony"))]
        }
        var findings = facts.chrony.flatMap { troubles(of: $0, isPulse: $0 != first) }
        if facts.isPulseMissing, let device = facts.installation.pulseDevice {
            let pin = facts.installation.board?.lines[.pulsePerSecond].flatMap { PinClaim.pin(ofLine: $0.name) }
            let mend = Mend("dtoverlay=pps-gpio,gpiopin=\(pin ?? 18) in config.txt, with the pulse's pin; then restart")
            findings.append(Finding(.time, "\(device), by which the kernel times the pulse, is not there", mend))
        }
        return findings
    }

    private static func troubles(of chrony: ChronyFacts, isPulse: Bool) -> [Finding] {
        var findings: [Finding] = []
        if !chrony.readsSocket {
            let mend = Mend(
                "sudo cp /usr/share/doc/sextant/examples/chrony-sextant.conf /etc/chrony/conf.d/sextant.conf && "
                    + (isPulse ? "sudo sed -i 's/^#refclock/refclock/' /etc/chrony/conf.d/sextant.conf && " : "")
                    + "sudo systemctl restart chrony")
            findings.append(Finding(.time, "chrony's configuration names no refclock SOCK \(chrony.socket)", mend))
        }
        if !chrony.givesSocket {
            let mend = Mend(
                "ExecStartPost=+-/bin/chown sextant \(chrony.socket), then: "
                    + "sudo systemctl daemon-reload && sudo systemctl restart chrony",
                at: FilePosition("/etc/systemd/system/chrony.service.d/sextant.conf"))
            findings.append(
                Finding(
                    .time,
                    "no drop-in of chrony.service gives \(chrony.socket) to the daemon, and root alone may write to it",
                    mend))
        }
        return findings
    }
}
