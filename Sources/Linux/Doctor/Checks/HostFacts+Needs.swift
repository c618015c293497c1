internal import Boards

/// What checks need; where it is missing, they are left out and say why.
extension HostFacts {
    var lackOfBootFile: Skipped { isBootUnmounted ? .unmountedBoot : .noBootFile }

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
        guard let device else { throw .noDevice }
        return device
    }

    func needBus() throws(Skipped) -> BusFacts {
        guard try needBoard().sensors != nil, let bus else { throw Skipped("the board has no sensors on a bus") }
        return bus
    }

    func needUser() throws(Skipped) -> ServiceUser {
        guard let user else { throw .noUser }
        return user
    }

    func needRunning() throws(Skipped) {
        guard isRunning else { throw .notRunning }
    }

    /// The tty at the receiver's device, such as `ttyAMA0`.
    func needTTY() throws(Skipped) -> String {
        let device = try needDevice()
        return wiring.tty(device.resolved ?? device.path)
    }

    /// The same where it is one of the host's own UARTs.
    func needHeaderTTY() throws(Skipped) -> String {
        let tty = try needTTY()
        guard tty.hasPrefix("ttyAMA") || tty.hasPrefix("ttyS") || tty == "serial0" else {
            throw Skipped("the receiver is at no UART of the header")
        }
        return tty
    }

    /// How to name another device in the configuration.
    func naming(device: String) -> Mend {
        Mend("device: \"\(device)\"", at: Place(installation.configuration))
    }

    /// That the daemon's user may not use a node, and how he gets it; nil where he may.
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
        if node == device, let usbDevice { return .rule("\(usbDevice.match), ENV{SEXTANT_RECEIVER}=\"1\"") }
        let name = (node.resolved ?? node.path).split(separator: "/").last ?? ""
        let subsystem = name.hasPrefix("i2c-") ? "i2c-dev" : name.hasPrefix("gpiochip") ? "gpio" : "tty"
        return .rule("SUBSYSTEM==\"\(subsystem)\", KERNEL==\"\(name)\", ENV{SEXTANT_DEVICE}=\"1\"")
    }
}

/// How Sextant's rules for udev are brought to know a device.
extension Mend {
    static let installingRules = Mend(
        "install Sextant's udev rules, /lib/udev/rules.d/60-sextant.rules, and restart")

    /// To add a rule of the board's owner, which `udev/README.md` tells of.
    ///
    /// - Parameter blank: What the owner is to fill in; nil where nothing is left open.
    static func rule(_ text: String, with blank: String? = nil) -> Mend {
        Mend(
            "add\(blank.map { ", with \($0)" } ?? ""): \(text); then: sudo udevadm control --reload && sudo udevadm trigger",
            at: Place("/etc/udev/rules.d/59-sextant-local.rules"))
    }

    /// Where one of two suffices.
    func or(_ other: String) -> Mend { Mend("\(action); or: \(other)", at: place) }
}
