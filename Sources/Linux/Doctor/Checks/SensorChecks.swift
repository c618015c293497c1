internal import Boards
internal import Hardware

/// Checks of the board's sensor chips, and of the I2C bus that they are on.
enum SensorChecks {
    static func isOn(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let model = try facts.needModel()
        let bus = try facts.needBus()
        let boot = try facts.needBoot()
        switch bus.number {
        // Not only the bus's parameter but also the bus's own overlay switches the bus on.
        case 0? where boot.overlay("i2c0") != nil, 1? where boot.overlay("i2c1") != nil: return []
        case 0?: return isOn(bus, boot, "i2c_vc", "i2c_vc", "i2c0")
        case 1?: return isOn(bus, boot, "i2c_arm", "i2c_arm", "i2c1", "i2c")
        case let number?:
            guard let overlay = model.overlay(ofBus: number), boot.overlay("i2c\(number)") == nil,
                !bus.isKnownToKernel
            else { return [] }
            return [Finding(.i2c, "I2C bus \(number) is off", boot.adding("dtoverlay=\(overlay)"))]
        case nil: throw Skipped("which bus \(bus.name) is can be seen only on a running system")
        }
    }

    /// - Parameters:
    ///   - written: The parameter to write into config.txt.
    ///   - names: All parameters of config.txt that switch the bus on.
    private static func isOn(
        _ bus: BusFacts, _ boot: BootConfiguration, _ written: String, _ names: String...
    ) -> [Finding] {
        let settings = names.compactMap { boot.parameter($0) }
        let last = settings.max { ($0.place.line ?? 0) < ($1.place.line ?? 0) }
        // If config.txt does not mention the bus, the kernel's own device tree can have switched it on, as Debian's
        // does.
        if last?.isOn ?? bus.isKnownToKernel { return [] }
        return [
            Finding(.i2c, "I2C is off", boot.adding("dtparam=\(written)=on", insteadOf: last?.place))
        ]
    }

    static func module(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let bus = try facts.needBus()
        let isLoadedAtStart = !facts.bootModules.isDisjoint(with: ["i2c-dev", "i2c_dev"])
        if facts.isRunning {
            guard bus.isKnownToKernel, bus.node?.entry == nil else { return [] }
            let again = isLoadedAtStart ? "sudo modprobe i2c-dev" : "sudo modprobe i2c-dev, and add the line i2c-dev"
            return [Finding(.i2cModule, missing, Mend(again, at: FilePosition("/etc/modules")))]
        }
        guard !isLoadedAtStart else { return [] }
        return [Finding(.i2cModule, .warning, missing, Mend("add the line i2c-dev", at: FilePosition("/etc/modules")))]
    }

    private static let missing = "the module i2c-dev is not loaded, so that I2C buses have no device nodes"

    static func bus(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let bus = try facts.needBus()
        try facts.needRunning()
        guard !bus.isKnownToKernel else { return [] }
        let isOn = (try? SensorChecks.isOn(facts).isEmpty) ?? true
        let there = bus.adapters.sorted { $0.key < $1.key }.map { "/dev/i2c-\($0.key) (\($0.value))" }
        let mend =
            if !there.isEmpty {
                Mend(
                    "name one of \(there.joined(separator: ", ")) as bus in the board's file, or switch \(bus.name) on",
                    at: FilePosition(facts.installation.configuration))
            } else if isOn {
                Mend("restart, so that config.txt takes effect")
            } else {
                Mend("mend the findings about I2C")
            }
        return [Finding(.i2cBus, "the sensors' bus \(bus.name) is not there", mend)]
    }

    static func permission(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let bus = try facts.needBus()
        let user = try facts.needUser()
        guard let node = bus.node, node.entry != nil else { throw Skipped("\(bus.name) is not there") }
        guard let refusal = facts.refusal(of: node, to: user) else { return [] }
        return [Finding(.i2cPermission, refusal.what, refusal.mend)]
    }

    static func driver(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let bus = try facts.needBus()
        try facts.needRunning()
        let sensors = facts.installation.board?.sensors
        let addresses = [sensors?.magnetometer?.address, sensors?.accelerometer?.address].compactMap { $0 }
        return addresses.compactMap { address -> Finding? in
            guard let driver = bus.drivers[address.rawValue] else { return nil }
            return Finding(
                .i2cDriver, "the kernel's driver \(driver) has the sensor at \(address)",
                mend(driver, bus.number ?? 0, address, facts))
        }
    }

    private static func mend(
        _ driver: String, _ bus: Int, _ address: I2CAddress, _ facts: HostFacts
    ) -> Mend {
        if let overlay = facts.boot?.overlays.first(where: { $0.name.hasPrefix("i2c-sensor") || $0.name == driver }) {
            return Mend("remove dtoverlay=\(overlay.name), and restart", at: overlay.place)
        }
        let chip = "\(bus)-00" + String(address.rawValue, radix: 16)
        return Mend("\(Mend.unbinding(chip, from: driver)), or remove its overlay")
    }

    static func sensors(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        _ = try facts.needBus()
        guard let answers = facts.live.sensors else {
            throw Skipped("the sensors can be read only by root on the running system")
        }
        return answers.compactMap { answer in
            answer.problem.map { Finding(.sensor, "the \(answer.role) does not answer", Mend($0)) }
        }
    }
}
