internal import Boards

/// Access to facts that several checks need; throws `Skipped` with the reason if a fact is not known.
extension HostFacts {
    /// The settings of config.txt; nil if the file cannot be seen.
    var boot: BootConfiguration? { bootFiles.configuration }

    var lackOfBootFile: Skipped { bootFiles.isUnmounted ? .unmountedBoot : .noBootFile }

    /// Whether anything on the system needs beacons.
    ///
    /// That is so if the board's file has a section `bluetooth` (even an empty one), if the configuration has spots
    /// that are marked by beacons, or if clients watch beacon regions or range beacons.
    var needsBeacons: Bool {
        installation.board?.bluetooth != nil || installation.hasBeaconSpots || live.wantsBeacons
    }

    /// The config.txt line that gives the PL011 UART to the header: it switches Bluetooth off, or, if beacons need
    /// Bluetooth, moves Bluetooth to the mini UART.
    var overlayForUART: String { needsBeacons ? "dtoverlay=miniuart-bt" : "dtoverlay=disable-bt" }

    func needBoot() throws(Skipped) -> BootConfiguration {
        guard let boot else { throw lackOfBootFile }
        return boot
    }

    func needModel() throws(Skipped) -> RaspberryPi {
        guard let model else { throw .noPi }
        return model
    }

    func needBoard() throws(Skipped) -> Board {
        guard let board = installation.board else { throw .noBoard }
        return board
    }

    func needDevice() throws(Skipped) -> NodeFacts {
        guard let device = serial.device else { throw .noDevice }
        return device
    }

    func needBus() throws(Skipped) -> BusFacts {
        guard try needBoard().sensors != nil, let bus else { throw Skipped("the board has no sensors on a bus") }
        return bus
    }

    func needSleep() throws(Skipped) -> HostSleepFacts {
        guard let sleep else { throw Skipped("the board has no switch of its supply") }
        return sleep
    }

    func needUser() throws(Skipped) -> ServiceUser {
        guard let user else { throw .noUser }
        return user
    }

    func needRunning() throws(Skipped) {
        guard isRunning else { throw .notRunning }
    }

    /// The name of the receiver's tty, such as `ttyAMA0`.
    func needTTY() throws(Skipped) -> String {
        let device = try needDevice()
        return serial.wiring.tty(device.resolved ?? device.path)
    }

    /// The name of the receiver's tty; skips the check if the tty is not one of the host's own UARTs.
    func needHeaderTTY() throws(Skipped) -> String {
        let tty = try needTTY()
        guard tty.hasPrefix("ttyAMA") || tty.hasPrefix("ttyS") || tty == "serial0" else {
            throw Skipped("the receiver is at no UART of the header")
        }
        return tty
    }

    /// The remedy that names another device for the receiver in the configuration.
    func naming(device: String) -> Mend {
        Mend("device: \"\(device)\"", at: FilePosition(installation.configuration))
    }

    /// Why the daemon's user is not allowed to open a device node, and the remedy; nil if the user is allowed to.
    func refusal(of node: NodeFacts, to user: ServiceUser) -> (what: String, mend: Mend)? {
        guard let entry = node.entry, !user.may(6, entry) else { return nil }
        return ("\(user.name) may not open \(node.path)", giving(node, to: user))
    }

    private func giving(_ node: NodeFacts, to user: ServiceUser) -> Mend {
        guard user.name == "sextant" else {
            return Mend("the rules give the daemon's devices to sextant: User=sextant in sextantd.service")
        }
        guard hasUdevRules else { return .installingRules }
        if node.properties.contains("SEXTANT_DEVICE=1") {
            return Mend("sudo apt install acl && sudo udevadm trigger")
        }
        if node == serial.device, let usbDevice = serial.usbDevice {
            return .rule("\(usbDevice.match), ENV{SEXTANT_RECEIVER}=\"1\"")
        }
        let name = (node.resolved ?? node.path).split(separator: "/").last ?? ""
        let subsystem = name.hasPrefix("i2c-") ? "i2c-dev" : name.hasPrefix("gpiochip") ? "gpio" : "tty"
        return .rule("SUBSYSTEM==\"\(subsystem)\", KERNEL==\"\(name)\", ENV{SEXTANT_DEVICE}=\"1\"")
    }
}

/// Remedies that make Sextant's udev rules recognise a device.
extension Mend {
    static let installingRules = Mend(
        "install Sextant's udev rules, /lib/udev/rules.d/60-sextant.rules, and restart")

    /// The remedy that adds a udev rule to the owner's own rules, as `udev/README.md` describes.
    ///
    /// - Parameter blank: The part of the rule that the owner must fill in; nil if the rule is complete.
    static func rule(_ text: String, with blank: String? = nil) -> Mend {
        Mend(
            "add\(blank.map { ", with \($0)" } ?? ""): \(text); then: sudo udevadm control --reload && sudo udevadm trigger",
            at: FilePosition("/etc/udev/rules.d/59-sextant-local.rules"))
    }

    /// This remedy with an alternative: its words, "or", and the given words; either of the two suffices.
    func or(_ other: String) -> Mend { Mend("\(action); or: \(other)", at: place) }
}
