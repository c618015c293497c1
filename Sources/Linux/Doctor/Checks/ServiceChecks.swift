/// Checks of the daemon's unit and user, and of the host's services that it needs.
enum ServiceChecks {
    static func service(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        guard facts.units.daemon != nil else {
            let mend = Mend("install the package sextant, or start sextantd by hand")
            return [Finding(.service, .note, "there is no sextantd.service, so nothing starts the daemon", mend)]
        }
        if facts.units.isEnabled("sextantd.service") || facts.units.isEnabled("sextantd.socket") { return [] }
        let mend = Mend("sudo systemctl enable --now sextantd.service")
        return [Finding(.service, .warning, "sextantd.service is not started with the system", mend)]
    }

    static func user(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        guard let settings = facts.units.daemon else { throw .noUser }
        guard settings["DynamicUser"] != "yes" else {
            throw Skipped("systemd makes the daemon's user when it starts it")
        }
        let name = settings["User"] ?? "root"
        var findings: [Finding] = []
        if facts.user == nil {
            let mend =
                "sudo groupadd --force --system \(name) && "
                + "sudo useradd --system --gid \(name) --home-dir /nonexistent --shell /usr/sbin/nologin \(name)"
            findings.append(
                Finding(
                    .user, "there is no user \(name), whom sextantd.service runs as",
                    Mend(mend, at: FilePosition("/etc/passwd"))))
        }
        let groups = [settings["Group"]].compactMap { $0 } + (settings["SupplementaryGroups"] ?? "").words
        for group in Set(groups + (name == "root" ? [] : [name])).sorted() where facts.accounts.group(group) == nil {
            let mend = Mend("sudo groupadd --system \(group)", at: FilePosition("/etc/group"))
            findings.append(Finding(.user, "there is no group \(group), which sextantd.service needs", mend))
        }
        return findings
    }

    static func udevRules(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        guard facts.units.daemon != nil else { throw .noUser }
        if facts.hasUdevRules { return [] }
        let mend = Mend("install the package sextant anew", at: FilePosition("/lib/udev/rules.d/60-sextant.rules"))
        return [Finding(.udevRules, .warning, "the rules that give the daemon its devices are not installed", mend)]
    }

    static func daemons(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        try facts.needRunning()
        let daemons = facts.processes.filter { $0.command == "sextantd" }
        guard daemons.count > 1 else { return [] }
        let list = daemons.map { "\($0.id)" }.joined(separator: ", ")
        let mend = Mend("stop those that systemd did not start: systemctl status sextantd.service names the one it did")
        return [
            Finding(.daemons, "\(daemons.count) daemons run (processes \(list)), and one receiver serves one", mend)
        ]
    }

    static func uplink(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        guard facts.units.isEnabled("sextant-uplink.service") else { throw Skipped("no uplink is enabled") }
        if facts.units.uplinkReachesBroker { return [] }
        let mend = Mend(
            "sudo sextant-uplink --drop-in prints what opens it, then: sudo systemctl daemon-reload && "
                + "sudo systemctl restart sextant-uplink.service",
            at: FilePosition("/etc/systemd/system/sextant-uplink.service.d/broker.conf"))
        return [Finding(.uplink, .warning, "sextant-uplink.service may reach a broker on this machine alone", mend)]
    }

    static func services(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        try facts.needRunning()
        guard let problems = facts.live.serviceProblems else { throw Skipped("only root can ask the services") }
        return problems.map { Finding(.services, "\($0.unit) cannot use its configuration", Mend($0.reason)) }
    }

    static func clock(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        if facts.clock.hasBatteryClock || facts.clock.service != nil { return [] }
        let mend = Mend(
            "sudo apt install systemd-timesyncd && sudo systemctl enable --now systemd-timesyncd.service, or fit a "
                + "battery clock")
        let what = "nothing sets the clock when the board starts: until the first fix, times in logs are wrong"
        return [Finding(.clock, .note, what, mend)]
    }

    static func supply(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        guard let isLow = facts.isUndervolted else { throw Skipped("this system does not measure its supply") }
        guard isLow else { return [] }
        let mend = Mend("use a shorter or thicker cable, or a stronger supply")
        return [Finding(.supply, "the supply fell below 4.63 V", mend)]
    }
}
