internal import HostSleep

/// Checks of what would prevent or disturb a sleep of the whole board; for boards with a switch that cuts their supply.
enum HostSleepChecks {
    // MARK: Right now

    /// The findings about what keeps the board from sleeping right now, except other programs that use the supply
    /// switch, for which there is a separate check.
    static func staysOn(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        guard let survey = try facts.needSleep().survey else { throw .notRunning }
        return survey.obstacles.filter { $0.reason != .secondMaster }.map { obstacle in
            Finding(.staysOn, obstacle.reason == .unanswered ? .warning : .note, obstacle.what, obstacle.mend)
        }
    }

    // MARK: Second masters

    static func secondMaster(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let sleep = try facts.needSleep()
        return RivalProgram.all.compactMap { program in
            let running = sleep.survey?.programs.rivals.first { $0.program == program }
            let link = facts.units.enabled[program.unit] ?? sleep.scripts[program.unit]
            guard running != nil || link != nil else { return nil }
            let what = running.map { "\(program.unit) (process \($0.process)) works" } ?? "\(program.unit) will work"
            return Finding(
                .secondMaster, "\(what) on the board's switch too, and changes its alarms",
                Mend(program.stopping, at: link.map { FilePosition($0) }))
        }
    }

    // MARK: The kernel's drivers

    static func driver(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let sleep = try facts.needSleep()
        guard sleep.hostSwitch.address != nil else { throw Skipped("the board's switch is on no I2C bus") }
        if let (overlay, chip) = clockOverlay(facts, sleep.hostSwitch) {
            let what = "an overlay gives the switch's clock to the kernel's driver for \(chip)"
            return [Finding(.switchDriver, what, mend(overlay, chip, sleep.hostSwitch))]
        }
        return sleep.drivers.map { driver in
            let mend = Mend.unbinding(driver.device, from: driver.name)
            return Finding(
                .switchDriver, driver.description,
                mend.or("remove what loads the driver, and restart"))
        }
    }

    /// The overlay `i2c-rtc` in config.txt, and the clock chip that it names, if they give the supply switch's clock to
    /// a kernel driver that sets alarms; nil if not.
    private static func clockOverlay(
        _ facts: HostFacts, _ hostSwitch: ExaminedSwitch
    ) -> (BootConfiguration.Overlay, chip: String)? {
        for overlay in facts.boot?.overlays ?? [] where overlay.name == "i2c-rtc" {
            // A parameter such as i2c0 or i2c_csi_dsi puts the overlay's clock on another bus than the switch's.
            guard !overlay.parameters.contains(where: { $0.name.hasPrefix("i2c") }) else { continue }
            let chip = overlay.parameters.first { parameter in
                clocks[parameter.name].map { hostSwitch.isDisturbed(byDriverFor: parameter.name, at: $0) } ?? false
            }
            if let chip { return (overlay, chip.name) }
        }
        return nil
    }

    /// The clock chips that the overlay i2c-rtc knows, with their I2C addresses; only those at addresses that a supply
    /// switch can have.
    ///
    /// Source: Raspberry Pi's Linux, `arch/arm/boot/dts/overlays/i2c-rtc-common.dtsi`.
    private static let clocks: [String: UInt8] = [
        "bq32000": 0x68, "ds1307": 0x68, "ds1338": 0x68, "ds1339": 0x68, "ds1340": 0x68, "ds3231": 0x68, "m41t62": 0x68,
        "pcf8523": 0x68, "pcf2127": 0x51, "pcf2129": 0x51, "pcf85063": 0x51, "pcf85063a": 0x51, "pcf85363": 0x51,
        "pcf8563": 0x51, "rv3032": 0x51, "rv8263": 0x51,
    ]

    private static func mend(
        _ overlay: BootConfiguration.Overlay, _ chip: String, _ hostSwitch: ExaminedSwitch
    ) -> Mend {
        hostSwitch.clockAddress != nil
            ? Mend("change \(chip) to ds1307, or remove the line, and restart", at: overlay.place)
            : Mend("remove the line, and restart", at: overlay.place)
    }

    // MARK: The watchdog

    static func watchdog(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let watchdog = try facts.needSleep().watchdog
        if let seconds = watchdog.seconds, seconds <= RebootWatchdog.longest { return [] }
        let what =
            watchdog.seconds.map { "a shutdown that hangs is ended after \(Int($0.rounded())) s only" }
            ?? "nothing ends a shutdown that hangs"
        let line = "RebootWatchdogSec=1min"
        let own = "/etc/systemd/system.conf.d/90-sextant.conf"
        // A file of the owner's in /etc is changed, because an upgrade would overwrite a file that a package installed.
        let mend =
            if let place = watchdog.place, place.path.hasPrefix("/etc/") {
                Mend("change the line to \(line)", at: place)
            } else {
                Mend("add the lines [Manager] and \(line), and restart", at: FilePosition(own))
            }
        return [Finding(.rebootWatchdog, .warning, what, mend)]
    }

    // MARK: The boot loader of a Raspberry Pi 5

    static func bootLoader(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        guard let loader = try facts.needSleep().bootLoader, let model = facts.model else {
            throw Skipped("the board's switch is not a Raspberry Pi 5's own")
        }
        guard let cutsSupply = loader.cutsSupply(of: model) else {
            throw Skipped("the kernel does not show the boot loader's configuration")
        }
        var findings: [Finding] = []
        if !cutsSupply {
            let mend = Mend(
                "sudo -E rpi-eeprom-config --edit, with the lines POWER_OFF_ON_HALT=1 and WAKE_ON_GPIO=0, and restart")
            findings.append(
                Finding(.bootLoader, "a board that is off still draws more than a watt, by its boot loader", mend))
        }
        if loader.keepsCause == false {
            let mend = Mend("sudo rpi-eeprom-update -a, and restart")
            let what = "the boot loader is older than 2026-01-16, and does not tell whether the alarm woke the board"
            findings.append(Finding(.bootLoader, .warning, what, mend))
        }
        return findings
    }

    // MARK: What the daemon says

    static func told(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let missing = missingParts(facts)
        guard missing.isEmpty else { return missing }
        _ = try facts.needSleep()
        guard let told = facts.live.hostSleep else {
            throw Skipped("the daemon does not run, or its configuration does not speak of hostSleep")
        }
        var findings = told.reasons.compactMap { reason in
            mend(reason).map { Finding(.hostSleep, .warning, $0.what, $0.mend) }
        }
        if !told.ends.isEmpty {
            let causes = WakeCause.allCases.compactMap { cause in
                let count = told.ends.count { $0 == cause }
                return count > 0 ? "\(count) ended by \(cause.rawValue)" : nil
            }
            let late = told.late > 0 ? ", \(told.late) more than a minute late" : ""
            findings.append(
                Finding(
                    .hostSleep, .note, "of the last sleeps \(causes.joined(separator: ", "))\(late)",
                    Mend("sextant host lists them")))
        }
        return findings
    }

    /// The findings if the configuration lets the board sleep, but the board has no supply switch, or sextant-host,
    /// which powers the board off, is missing.
    private static func missingParts(_ facts: HostFacts) -> [Finding] {
        guard facts.installation.allowsHostSleep else { return [] }
        guard facts.installation.hostSwitch != nil else {
            let mend = Mend(
                "add the switch to board, such as \"zero-2w+neo-m8n+pijuice\", or take hostSleep out",
                at: FilePosition(facts.installation.configuration))
            let what = "hostSleep allows a sleep, but the board has no switch that could cut its supply"
            return [Finding(.hostSleep, .warning, what, mend)]
        }
        guard !facts.units.isEnabled("sextant-host.path") else { return [] }
        let mend = Mend(
            "sudo apt install ./sextant-host_*.deb, then sudo systemctl enable --now sextant-host.path")
        return [Finding(.hostSleep, .warning, "sextant-host, which powers the board off, is not enabled", mend)]
    }

    /// A reason for which the board stays on, in words, and its remedy; nil if the owner need not act, because the
    /// reason ends by itself or another check reports it.
    private static func mend(_ reason: StayAwakeReason) -> (what: String, mend: Mend)? {
        switch reason {
        case .notAllowed:
            (
                "the configuration does not allow a sleep",
                Mend("hostSleep: { allowed: true } in sextant.json5, if you want it")
            )
        case .notTried:
            (
                "the switch was not tried out with this board, kernel and firmware",
                Mend("sudo sextant host try, three times, and sudo reboot once")
            )
        case .noBackstop:
            (
                "an alarm is the switch's only way back",
                Mend("wire motion to it, or hostSleep: { withoutBackstop: true } in sextant.json5")
            )
        case .clock:
            (
                "the switch does not answer, or its clock or the board's is not known to be right",
                Mend("journalctl -u sextantd names the switch's fault, if any; else sextant locate finds the time")
            )
        case .alarmUnverified:
            (
                "the switch did not hold the alarm that it was told",
                Mend("journalctl -u sextantd names the fault; update the switch's firmware, or replace it")
            )
        case .missedAlarms:
            ("two alarms in a row did not wake the board", Mend("find out why, then sudo sextant host allow"))
        case .bootLoop:
            ("the board started again and again without serving", Mend("journalctl -b -1; it is tried again later"))
        case .bootsUnknown: ("what was stored of the boots before cannot be read", Mend("sudo reboot; it begins anew"))
        case .storeFails: ("the state cannot be written to the card", Mend("sextant status says why"))
        case .refused: ("the system refused to power off", Mend("journalctl -u sextant-host says why"))
        case .noSwitch, .stayAwake, .gpsdClient, .everyEpoch, .heading, .operator, .foreground, .singleRequest,
            .background, .veto, .nobodyAsks, .moving, .tooSoon, .maintenance, .externalPower, .inhibitor, .session,
            .secondMaster, .packageManager, .unanswered:
            nil
        }
    }
}
