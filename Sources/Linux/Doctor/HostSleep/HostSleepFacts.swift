internal import HostSwitches

/// The facts by which it is decided whether a board's supply switch works, now and after the next start.
struct HostSleepFacts: Sendable, Equatable {
    var hostSwitch: ExaminedSwitch
    /// The reasons that keep the host on now; nil where the system is not running.
    var survey: HostSurvey?
    /// The drivers of the kernel's at the switch.
    var drivers: [KernelDriver] = []
    /// The scripts that start a vendor's program with the system, by the program's unit.
    var scripts: [String: String] = [:]
    var watchdog: RebootWatchdog
    /// The boot loader; nil where the model has it on the card, or does not switch its supply itself.
    var bootLoader: BootLoader?

    init(_ hostSwitch: ExaminedSwitch, model: RaspberryPi?, isRunning: Bool, _ files: some SystemFiles) {
        self.hostSwitch = hostSwitch
        if isRunning {
            survey = HostSurvey(files: files, hostSwitch: hostSwitch)
            drivers = KernelDriver.all(at: hostSwitch, on: BusFacts(hostSwitch.bus, files), files)
        }
        // Debian starts a script of System V's that has a link here, by a unit of its name: systemd-sysv-generator(8).
        let links = "/etc/rc2.d"
        for name in files.list(links) where name.hasPrefix("S") {
            scripts["\(name.dropFirst(3)).service"] = "\(links)/\(name)"
        }
        watchdog = RebootWatchdog(files)
        if hostSwitch.model == .rtc, let model, model.hasRP1 {
            bootLoader = BootLoader(model: model, files)
        }
    }
}
