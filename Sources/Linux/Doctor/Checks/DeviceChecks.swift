/// Checks of the device at which the receiver is, and of other programs that could open the device.
enum DeviceChecks {
    static func device(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        try facts.needRunning()
        let device = try facts.needDevice()
        if case .characterDevice? = device.entry?.kind {
            // If the daemon's user is not allowed to open the device, the check of permissions reports that with its
            // remedy, so this check does not.
            guard let fault = facts.live.receiverFault, permission(orNone: facts).isEmpty else { return [] }
            return [Finding(.device, "the daemon does not hear the receiver: \(fault)", wiring)]
        }
        guard device.entry == nil else {
            let mend = Mend(
                "device: a serial device such as \"/dev/serial0\"", at: FilePosition(facts.installation.configuration))
            return [Finding(.device, "\(device.path) is not a serial device", mend)]
        }
        return [Finding(.device, "\(device.path) is not there", absence(device, facts))]
    }

    private static let wiring = Mend(
        "check its supply, and its wires: TX to RX, RX to TX, ground to ground; at USB, its plug")

    private static func permission(orNone facts: HostFacts) -> [Finding] { (try? permission(facts)) ?? [] }

    private static func absence(_ device: NodeFacts, _ facts: HostFacts) -> Mend {
        if let receiver = facts.serial.usbReceivers.first, receiver != device.path {
            return Mend(
                "a u-blox receiver is at USB: device: \"\(receiver)\"",
                at: FilePosition(facts.installation.configuration))
        }
        if device.path.hasPrefix("/dev/sextant/"), facts.hasUdevRules {
            return Mend("mend the findings about the UART; if there are none: sudo udevadm trigger, or restart")
        }
        let tty = facts.serial.wiring.tty(device.path)
        if tty.hasPrefix("ttyUSB") || tty.hasPrefix("ttyACM") {
            return Mend("plug the receiver in, and check its cable")
        }
        if let boot = facts.boot, let model = facts.model, let number = furtherUART(tty) {
            guard let overlay = model.overlay(ofUART: number) else {
                let header = "/dev/\(facts.serial.wiring.header)"
                return Mend(
                    "this model has no such UART; the UART of GPIO14 and GPIO15 is device: \"\(header)\"",
                    at: FilePosition(facts.installation.configuration))
            }
            return boot.overlay("uart\(number)") == nil
                ? boot.adding("dtoverlay=\(overlay)") : Mend("restart, so that config.txt takes effect")
        }
        return Mend("mend the findings about the UART; if config.txt was changed, restart")
    }

    /// The number of a PL011 UART such as `ttyAMA2`; nil for the header's (0), the debug connector's (10) and other
    /// devices.
    private static func furtherUART(_ tty: String) -> Int? {
        guard tty.hasPrefix("ttyAMA"), let number = Int(tty.dropFirst("ttyAMA".count)) else { return nil }
        return number == 0 || number == 10 ? nil : number
    }

    static func permission(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let device = try facts.needDevice()
        let user = try facts.needUser()
        guard device.entry != nil else { throw Skipped("\(device.path) is not there") }
        guard let refusal = facts.refusal(of: device, to: user) else { return [] }
        // If the device is the UART of Bluetooth or of the debug connector, another finding tells the owner so;
        // Sextant's udev rules give the daemon neither, and a permission would not help.
        let others = ((try? SerialChecks.uart(facts)) ?? []) + ((try? SerialChecks.bluetooth(facts)) ?? [])
        guard !others.contains(where: { $0.severity == .problem }) else {
            throw Skipped("the header's UART is another one, or is off")
        }
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

    private static func stop(_ holder: ExaminedProcess, _ facts: HostFacts) -> Mend {
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
            let mend = Mend("sudo systemctl disable --now gpsd.socket gpsd.service", at: FilePosition(link))
            return Finding(
                .gpsd, "gpsd is started too, and takes the receiver and port 2947, both of which sextantd serves", mend)
        }.prefix(1).map { $0 }
    }

    /// Checks that ModemManager leaves the receiver alone.
    ///
    /// ModemManager ignores a port if udev has set a property on the port or on its USB device. Sextant's rules set
    /// this property on u-blox's receivers, and on devices that a rule of the owner declares to be receivers.
    ///
    /// Source: ModemManager 1.20, API reference, "Common udev tags": `ID_MM_DEVICE_IGNORE`, `ID_MM_PORT_IGNORE`.
    static func modemManager(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        try facts.needRunning()
        let device = try facts.needDevice()
        guard let usb = facts.serial.usbDevice else { throw Skipped("the receiver is not at USB") }
        let isThere =
            facts.units.isEnabled("ModemManager.service") || facts.processes.contains { $0.command == "ModemManager" }
        let sentAway: Set = ["ID_MM_DEVICE_IGNORE=1", "ID_MM_PORT_IGNORE=1"]
        guard isThere, sentAway.isDisjoint(with: device.properties.union(usb.properties)) else { return [] }
        let mend =
            if !usb.isKnownReceiver {
                Mend.rule("\(usb.match), ENV{SEXTANT_RECEIVER}=\"1\"")
            } else if facts.hasUdevRules {
                Mend("sudo udevadm trigger")
            } else {
                Mend.installingRules
            }
        return [
            Finding(
                .modemManager, .warning,
                "ModemManager may take the receiver at USB for a modem, and speak to it",
                mend.or("sudo systemctl disable --now ModemManager.service"))
        ]
    }
}
