/// The boot loader in a Raspberry Pi 5's EEPROM: when it was built, and its settings.
struct BootLoader: Sendable, Equatable {
    /// The time at which the boot loader was built, in seconds since 1970; nil if the device tree does not state it.
    var built: UInt64?
    /// The boot loader's settings that apply to this board; nil if the kernel does not show them.
    var configuration: BootConfiguration?

    private static let deviceTree = "/proc/device-tree"

    /// Source: Raspberry Pi documentation, configuration, "Device trees", `/chosen/bootloader` and "NVMEM nodes".
    init(model: RaspberryPi, _ files: some SystemFiles) {
        let timestamp = files.resolved("\(BootLoader.deviceTree)/chosen/bootloader/build-timestamp")
            .flatMap { files.contents(of: $0) }
        if let timestamp, timestamp.count == 4 {
            built = timestamp.reduce(0) { $0 << 8 | UInt64($1) }
        }
        configuration = BootLoader.memory(files).map {
            BootConfiguration(
                path: "\($0)/nvmem", model: model,
                serialNumber: files.value(of: "\(BootLoader.deviceTree)/serial-number"), files: files)
        }
    }

    /// The sysfs folder of the memory device that contains the boot loader's configuration as text.
    private static func memory(_ files: some SystemFiles) -> String? {
        guard let alias = files.value(of: "\(deviceTree)/aliases/blconfig"),
            let node = files.resolved("\(deviceTree)\(alias)")
        else { return nil }
        let devices = "/sys/bus/nvmem/devices"
        return files.list(devices).map { "\(devices)/\($0)" }.first {
            files.resolved("\($0)/of_node") == node && files.text(of: "\($0)/nvmem") != nil
        }
    }

    /// Whether a shutdown also switches the power chip off; nil if the boot loader's configuration is not known.
    ///
    /// `POWER_OFF_ON_HALT=1` and `WAKE_ON_GPIO=0` are both needed: Raspberry Pi documentation, Raspberry Pi 5, "Real
    /// Time Clock". Since the boot loader of 2024-11-12 they are the defaults, but only on a Compute Module 5 and a
    /// 500. Source: rpi-eeprom, `firmware-2712/release-notes.md`.
    func cutsSupply(of model: RaspberryPi) -> Bool? {
        guard let configuration else { return nil }
        let hasDefaults = [.computeModule5, .fiveHundred].contains(model) && built ?? 0 >= BootLoader.firstWithDefaults
        return [("POWER_OFF_ON_HALT", "1"), ("WAKE_ON_GPIO", "0")].allSatisfy { name, needed in
            // The memory after the configuration's text is filled with zero bytes, so the value is cut at the first
            // one.
            configuration.setting(name).map { $0.value.prefix { $0 != "\0" } == needed } ?? hasDefaults
        }
    }

    /// The date of the first boot loader in which `POWER_OFF_ON_HALT=1` and `WAKE_ON_GPIO=0` are defaults, 2024-11-12,
    /// in seconds since 1970.
    private static let firstWithDefaults: UInt64 = 1_731_369_600

    /// Whether the boot loader tells the system that the real-time clock's alarm woke the board; nil if the boot
    /// loader's date is not known.
    ///
    /// Source: raspberrypi/firmware, issue 2011, fixed in the boot loader of 2026-01-16. Taken from that issue; not
    /// tried on hardware.
    var keepsCause: Bool? { built.map { $0 >= 1_768_521_600 } }
}
