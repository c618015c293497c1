/// The receiver's device, and who else is after it.
enum DeviceChecks {
    static func device(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        try facts.needRunning()
        let device = try facts.needDevice()
        if case .characterDevice? = device.entry?.kind { return [] }
        guard device.entry == nil else {
            let mend = Mend(
                "device: a serial device such as \"/dev/serial0\"", at: Place(facts.installation.configuration))
            return [Finding(.device, "\(device.path) is no serial device", mend)]
        }
        return [Finding(.device, "\(device.path) is not there", absence(device, facts))]
    }

    private static func absence(_ device: NodeFacts, _ facts: HostFacts) -> Mend {
        if let receiver = facts.usbReceivers.first, receiver != device.path {
            return Mend(
                "a u-blox receiver is at USB: device: \"\(receiver)\"", at: Place(facts.installation.configuration))
        }
        if device.path.hasPrefix("/dev/sextant/"), facts.hasUdevRules {
            return Mend("see what is said of the UART here; where nothing is: sudo udevadm trigger, or restart")
        }
        let tty = facts.wiring.tty(device.path)
        if tty.hasPrefix("ttyUSB") || tty.hasPrefix("ttyACM") {
            return Mend("plug the receiver in, and check its cable")
        }
        if let boot = facts.boot, let number = additional(tty), facts.model?.hasRP1 == false {
            return boot.overlay("uart\(number)") == nil
                ? boot.adding("dtoverlay=uart\(number)") : Mend("restart, so that config.txt takes effect")
        }
        return Mend("see what is said of the UART here; where config.txt was changed, restart")
    }

    /// The number of a PL011 beside the first that an overlay switches on: on a Raspberry Pi 4, 2 to 5.
    private static func additional(_ tty: String) -> Int? {
        guard tty.hasPrefix("ttyAMA"), let number = Int(tty.dropFirst("ttyAMA".count)) else { return nil }
        return (2...5).contains(number) ? number : nil
    }

    static func permission(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let device = try facts.needDevice()
        let user = try facts.needUser()
        guard device.entry != nil else { throw Skipped("\(device.path) is not there") }
        guard let refusal = facts.refusal(of: device, to: user) else { return [] }
        return [Finding(.devicePermission, refusal.what, refusal.mend)]
    }

    static func holder(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        try facts.needRunning()
        let device = try facts.needDevice()
        let paths = Set([device.path, device.resolved].compactMap { $0 })
        let holders = facts.processes.filter { !$0.openPaths.isDisjoint(with: paths) }
        return holders.filter { $0.command != "sextantd" }.map { holder in
            Finding(.deviceHolder, "\(holder.description) has \(device.path) open", stop(holder, facts))
        }
    }

    private static func stop(_ holder: ProcessFacts, _ facts: HostFacts) -> Mend {
        switch holder.command {
        case "gpsd": Mend("sudo systemctl disable --now gpsd.socket gpsd.service")
        case "ModemManager": Mend("sudo systemctl disable --now ModemManager.service")
        case "agetty", "login", "bash", "sh":
            Mend("sudo systemctl disable --now serial-getty@\((try? facts.needTTY()) ?? "ttyS0").service")
        default: Mend("stop it: sudo kill \(holder.id)")
        }
    }

    static func gpsd(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        ["gpsd.socket", "gpsd.service"].compactMap { unit -> Finding? in
            guard let link = facts.units.enabled[unit] else { return nil }
            let mend = Mend("sudo systemctl disable --now gpsd.socket gpsd.service", at: Place(link))
            return Finding(
                .gpsd, "gpsd is started too, and takes the receiver and port 2947, both of which sextantd serves", mend)
        }.prefix(1).map { $0 }
    }

    static func modemManager(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let tty = try facts.needTTY()
        guard tty.hasPrefix("ttyACM") || tty.hasPrefix("ttyUSB") else {
            throw Skipped("the receiver is not at USB")
        }
        guard let link = facts.units.enabled["ModemManager.service"], !facts.ignoresModems else { return [] }
        let mend = Mend("sudo systemctl disable --now ModemManager.service", at: Place(link))
        return [Finding(.modemManager, "ModemManager takes a receiver at USB for a modem, and speaks to it", mend)]
    }
}
