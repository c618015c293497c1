/// Checks of the header's UART: whether it is on, which UART it is, and which other programs use it.
///
/// Source of the models' wiring: Raspberry Pi documentation, configuration, "Configuring UARTs".
enum SerialChecks {
    static func uart(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let model = try facts.needModel()
        let tty = try facts.needHeaderTTY()
        let boot = try facts.needBoot()
        return model.hasRP1 ? onRP1(facts, tty, boot) : onBCM(facts, tty, boot)
    }

    /// Checks the UART of the header on a Raspberry Pi 5.
    ///
    /// On this model, GPIO14 and GPIO15 are `ttyAMA0`, which the parameter `uart0` switches on. `serial0` is the debug
    /// connector between the HDMI sockets, unless the parameter `uart0_console` makes it the header's UART.
    ///
    /// With boot loaders since the end of 2024 `enable_uart=1` has the effect of both parameters; older ones ignore it
    /// on this model. Source: rpi-eeprom, issues 643 and 673; raspberrypi/documentation, issue 3239.
    private static func onRP1(_ facts: HostFacts, _ tty: String, _ boot: BootConfiguration) -> [Finding] {
        if tty == "ttyAMA10" {
            let name = facts.serial.device?.path ?? tty
            return [
                Finding(
                    .uart, "\(name) is the debug connector's UART on this model, not that of GPIO14 and GPIO15",
                    facts.naming(device: "/dev/ttyAMA0"))
            ]
        }
        guard tty == "ttyAMA0" else { return [] }
        // The UART's device node, and the link to it, exist only if the UART is on, no matter what switched it on.
        if case .characterDevice? = facts.serial.device?.entry?.kind { return [] }
        if facts.isRunning, facts.serial.wiring.primary == tty { return [] }
        let setting = boot.parameter("uart0", "uart0_console")
        if setting?.isOn ?? false || boot.overlay("uart0") != nil { return [] }
        let older = enabling(boot)
        let mend = boot.adding("dtparam=uart0=on", insteadOf: setting?.place ?? older?.place)
        guard older != nil, !facts.isRunning else { return [Finding(.uart, off, mend)] }
        return [
            Finding(
                .uart, .warning,
                "enable_uart=1 switches the UART at GPIO14 and GPIO15 on with newer boot loaders alone", mend)
        ]
    }

    /// The setting in config.txt that switches the primary UART on; nil if there is none.
    private static func enabling(_ boot: BootConfiguration) -> BootConfiguration.Setting? {
        boot.setting("enable_uart").flatMap { $0.value == "1" ? $0 : nil }
    }

    private static func onBCM(_ facts: HostFacts, _ tty: String, _ boot: BootConfiguration) -> [Finding] {
        guard tty == "ttyAMA0" || tty == "ttyS0" else { return [] }
        // If Bluetooth uses the PL011 UART, the check of Bluetooth reports that, so this check does not.
        if tty == "ttyAMA0", !facts.serial.wiring.freesPL011 { return [] }
        let setting = boot.setting("enable_uart")
        let isOn = setting.map { $0.value == "1" } ?? (tty == "ttyAMA0")
        return isOn ? [] : [Finding(.uart, off, boot.adding("enable_uart=1", insteadOf: setting?.place))]
    }

    private static let off = "the UART at GPIO14 and GPIO15 is off"

    static func bluetooth(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let model = try facts.needModel()
        let boot = try facts.needBoot()
        guard model.givesBluetoothItsUART else {
            throw Skipped("Bluetooth has a UART of its own here, or there is none")
        }
        guard try facts.needHeaderTTY() == "ttyAMA0" else { return [] }
        if !facts.serial.wiring.freesPL011 {
            return [Finding(.bluetooth, "Bluetooth has /dev/ttyAMA0", boot.adding(facts.overlayForUART))]
        }
        guard boot.overlay("disable-bt") != nil, let link = facts.units.enabled["hciuart.service"] else { return [] }
        let mend = Mend("sudo systemctl disable hciuart", at: FilePosition(link))
        return [Finding(.bluetooth, .warning, "hciuart.service is started though Bluetooth is off", mend)]
    }

    static func miniUART(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let model = try facts.needModel()
        let boot = try facts.needBoot()
        guard try facts.needHeaderTTY() == "ttyS0", model.givesBluetoothItsUART else { return [] }
        let mend = boot.adding(facts.overlayForUART)
        // `enable_uart=1` keeps the core clock constant, from which the mini UART gets its rate; but with a core_freq
        // in config.txt the clock can still vary.
        if boot.setting("enable_uart")?.value == "1", let clock = boot.setting("core_freq"), clock.value != "250",
            boot.setting("force_turbo")?.value != "1"
        {
            return [
                Finding(
                    .miniUART, .warning, "the receiver's rate follows the core's clock, which core_freq changes",
                    Mend("remove core_freq=\(clock.value)", at: clock.place))
            ]
        }
        return [
            Finding(
                .miniUART, .note,
                "the receiver is at the mini UART, which loses bytes sooner and notices no damaged ones; "
                    + (facts.needsBeacons
                        ? "with Bluetooth at the mini UART it would be a PL011"
                        : "without Bluetooth it would be a PL011"),
                mend)
        ]
    }

    static func console(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let tty = try facts.needHeaderTTY()
        guard let line = facts.bootFiles.commandLine ?? facts.runningCommandLine else { throw .notRunning }
        let consoles = consoles(line, on: tty, facts)
        let what = "the kernel's console is on the receiver's UART"
        guard consoles.isEmpty else {
            return consoles.map { Finding(.serialConsole, what, line.removing("console=\($0)")) }
        }
        if let place = line.place, let running = facts.runningCommandLine,
            !SerialChecks.consoles(running, on: tty, facts).isEmpty
        {
            return [Finding(.serialConsole, what, Mend("restart, so that \(place.path) takes effect"))]
        }
        return coming(line, tty, facts)
    }

    private static func consoles(_ line: KernelCommandLine, on tty: String, _ facts: HostFacts) -> [String] {
        line.values("console").filter { facts.serial.wiring.tty(String($0.prefix { $0 != "," })) == tty }
    }

    /// Warns if the kernel's console is on serial0, because newer boot loaders make serial0 the UART of a Raspberry Pi
    /// 5's header.
    private static func coming(_ line: KernelCommandLine, _ tty: String, _ facts: HostFacts) -> [Finding] {
        guard facts.model?.hasRP1 ?? false, tty == "ttyAMA0", let setting = facts.boot.flatMap(enabling),
            line.values("console").contains(where: { $0.hasPrefix("serial0") })
        else { return [] }
        return [
            Finding(
                .serialConsole, .warning,
                "enable_uart=1 has newer boot loaders move the console on serial0 to the receiver's UART",
                Mend("remove enable_uart=1", at: setting.place))
        ]
    }

    static func login(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let tty = try facts.needHeaderTTY()
        let device = try facts.needDevice()
        let prefix = "serial-getty@"
        var findings: [Finding] = []
        for (unit, link) in facts.units.enabled.sorted(by: { $0.key < $1.key }) where unit.hasPrefix(prefix) {
            let name = unit.dropFirst(prefix.count).prefix { $0 != "." }
            guard facts.serial.wiring.tty(String(name)) == tty else { continue }
            let mend = Mend("sudo systemctl disable --now \(unit)", at: FilePosition(link))
            findings.append(Finding(.serialLogin, "a login prompt is on the receiver's UART", mend))
        }
        guard findings.isEmpty, case .characterDevice(let number)? = device.entry?.kind,
            let reader = facts.processes.first(where: { $0.terminal == number && $0.command != "sextantd" })
        else { return findings }
        let mend = Mend("sudo systemctl disable --now \(prefix)\(tty).service, or stop it")
        return [Finding(.serialLogin, "the receiver's UART is the terminal of \(reader.description)", mend)]
    }
}
