internal import Boards
internal import Receivers

enum LineChecks {
    /// The board's lines on the host's own GPIO chips; skips the check if there are none.
    private static func lines(_ facts: HostFacts) throws(Skipped) -> [(role: LineRole, name: String)] {
        let board = try facts.needBoard()
        let lines = LineRole.allCases.compactMap { role in
            board.lines[role].map { (role: role, name: $0.name) }
        }.filter { !$0.name.hasPrefix("unix:") }
        guard !lines.isEmpty else { throw Skipped("the board has no GPIO lines") }
        return lines
    }

    private static func chips(_ facts: HostFacts) throws(Skipped) -> [GPIOChipFacts] {
        guard let chips = facts.live.gpioChips else {
            throw Skipped("GPIO lines can be read only by root on the running system")
        }
        guard !chips.isEmpty else { throw Skipped("no GPIO chip can be looked at; try it as root") }
        return chips
    }

    static func chip(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        _ = try lines(facts)
        try facts.needRunning()
        guard facts.gpioNodes.all.isEmpty else { return [] }
        let mend = Mend("check that its driver is loaded: ls /sys/bus/gpio/devices, and dmesg | grep -i pinctrl")
        return [Finding(.gpioChip, "there is no GPIO chip in /dev", mend)]
    }

    static func permission(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        _ = try lines(facts)
        let user = try facts.needUser()
        let nodes = facts.gpioNodes.all.filter { $0.entry != nil }
        guard !nodes.isEmpty else { throw Skipped("there is no GPIO chip") }
        // Which chip has the header's lines is known only from the device name that the udev rules give it; without
        // that name every chip is tried. Chips that control the host itself are accessible to root alone.
        if let chip = facts.gpioNodes.header {
            return facts.refusal(of: chip, to: user).map { [Finding(.gpioPermission, $0.what, $0.mend)] } ?? []
        }
        let refusals = nodes.compactMap { facts.refusal(of: $0, to: user) }
        guard let first = refusals.first, refusals.count == nodes.count else { return [] }
        guard refusals.contains(where: { $0.mend != first.mend }) else {
            return [Finding(.gpioPermission, first.what, first.mend)]
        }
        let mend = Mend.rule(
            "SUBSYSTEM==\"gpio\", KERNEL==\"gpiochipN\", ENV{SEXTANT_DEVICE}=\"1\"",
            with: "the number of the chip that gpioinfo shows with the board's lines")
        let paths = nodes.map(\.path).joined(separator: ", ")
        return [Finding(.gpioPermission, "\(user.name) may open none of \(paths)", mend)]
    }

    static func names(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let wanted = try lines(facts)
        let chips = try chips(facts)
        return wanted.filter { find($0.name, in: chips).isEmpty }.map { line in
            let place = FilePosition(facts.installation.configuration)
            let mend = Mend(
                "correct lines.\(line.role.key).name in its board's file; gpioinfo lists those there are", at: place)
            return Finding(.gpioLine, "no GPIO chip has the line \(line.name) (\(line.role.key))", mend)
        }
    }

    static func holders(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let wanted = try lines(facts)
        let chips = try chips(facts)
        return wanted.compactMap { line -> Finding? in
            if line.role == .pulsePerSecond, isHeardByKernel(line.name, facts) { return nil }
            let holder = find(line.name, in: chips).compactMap(\.consumer).first { $0 != "sextant" }
            guard let holder else { return nil }
            return Finding(
                .gpioHolder, "\(line.name) (\(line.role.key)) is held by \"\(holder)\"", release(line.name, facts))
        }
    }

    /// Whether config.txt loads pps-gpio for this GPIO line: the kernel then timestamps the receiver's pulses, which
    /// does not disturb the daemon.
    private static func isHeardByKernel(_ line: String, _ facts: HostFacts) -> Bool {
        guard let pin = PinClaim.pin(ofLine: line), let boot = facts.boot else { return false }
        return PinClaim.all(in: boot, of: facts.model).contains { $0.isPulse && $0.pins.contains(pin) }
    }

    private static func release(_ line: String, _ facts: HostFacts) -> Mend {
        guard let pin = PinClaim.pin(ofLine: line), let boot = facts.boot,
            let claim = PinClaim.all(in: boot, of: facts.model).first(where: { $0.pins.contains(pin) })
        else { return Mend("stop that program, or give the board another line") }
        return claim.mend
    }

    private static func find(_ name: String, in chips: [GPIOChipFacts]) -> [GPIOChipFacts.Line] {
        chips.flatMap { chip in
            chip.lines.enumerated().filter { $0.element.name == name || "\(chip.label):\($0.offset)" == name }
                .map(\.element)
        }
    }

    static func overlays(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let boot = try facts.needBoot()
        _ = try facts.needModel()
        let board = try facts.needBoard()
        var uses = try lines(facts).compactMap { line in
            PinClaim.pin(ofLine: line.name).map { (pin: $0, what: "\(line.name) (\(line.role.key))", role: line.role) }
        }.map { (pin: $0.pin, what: $0.what, role: Optional($0.role)) }
        if let tty = try? facts.needHeaderTTY(), tty == facts.serial.wiring.primary || tty == "ttyAMA0" {
            uses += [(14, "GPIO14 (the UART)", nil), (15, "GPIO15 (the UART)", nil)]
        }
        if board.sensors != nil, facts.bus?.number == 1 { uses += [(2, "GPIO2 (I2C)", nil), (3, "GPIO3 (I2C)", nil)] }
        return PinClaim.all(in: boot, of: facts.model).flatMap { claim in
            uses.filter { claim.pins.contains($0.pin) && !isFor($0.role, claim, at: $0.pin) }
                .map { use in Finding(.lineOverlay, "\(claim.what) takes \(use.what) from the board", claim.mend) }
        }
    }

    /// Whether a line of config.txt uses a pin for the same purpose as the board, so that there is no conflict.
    ///
    /// - Parameter role: The purpose for which the board uses the pin; nil for pins of a UART or an I2C bus, which have
    ///   no role.
    private static func isFor(_ role: LineRole?, _ claim: PinClaim, at pin: Int) -> Bool {
        switch role {
        case .pulsePerSecond?: claim.isPulse
        case nil: claim.isHeaderBus && (2...3).contains(pin)
        default: false
        }
    }

    /// Checks that the kernel's pps-gpio, with which a time server gets the pulses, uses the same line as the board's
    /// file names.
    static func pulse(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let boot = try facts.needBoot()
        let board = try facts.needBoard()
        guard let line = board.lines[.pulsePerSecond] else { throw Skipped("the board has no line for the pulse") }
        guard let pin = PinClaim.pin(ofLine: line.name) else { throw Skipped("\(line.name) is not on the header") }
        guard let claim = PinClaim.all(in: boot, of: facts.model).first(where: \.isPulse) else {
            let mend = boot.adding("dtoverlay=pps-gpio,gpiopin=\(pin)")
            return [
                Finding(
                    .pulse, .note, "the pulse at \(line.name) sets no clock; a time server such as chrony can use it",
                    mend)
            ]
        }
        if claim.pins.contains(pin) { return [] }
        let mend = Mend("change it to dtoverlay=pps-gpio,gpiopin=\(pin)", at: claim.mend.place)
        return [Finding(.pulse, .warning, "pps-gpio listens at another pin than the board's \(line.name)", mend)]
    }
}
