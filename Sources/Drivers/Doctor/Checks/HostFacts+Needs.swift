internal import Boards

/// What checks need; where it is missing, they are left out and say why.
extension HostFacts {
    func needBoot() throws(Skipped) -> BootConfiguration {
        guard let boot else { throw .noBootFile }
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

    /// What the daemon's user lacks to use a node, and how he gets it; nil where he may.
    func refusal(of node: NodeFacts, to user: ServiceUser) -> (what: String, mend: Mend)? {
        guard let entry = node.entry, !user.may(6, entry) else { return nil }
        let group = accounts.groupName(entry.group)
        guard entry.mode & 0o060 == 0o060, entry.group != 0 else {
            let mend = "install Sextant's udev rules, /lib/udev/rules.d/60-sextant.rules, and restart"
            return ("\(node.path) belongs to \(accounts.userName(entry.owner)) alone", Mend(mend))
        }
        return (
            "\(user.name) is not in the group \(group), which \(node.path) has",
            Mend("sudo usermod -aG \(group) \(user.name), and restart sextantd")
        )
    }
}
