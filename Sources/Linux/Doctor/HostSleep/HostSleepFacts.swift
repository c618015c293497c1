internal import HostSwitches

/// The facts by which it is decided whether a board's supply switch works, now and after the next start.
struct HostSleepFacts: Sendable, Equatable {
    var hostSwitch: ExaminedSwitch
    /// The reasons that keep the host on now; nil where the system is not running.
    var survey: HostSurvey?
    /// The kernel drivers that are bound to the switch's chips and disturb the switch.
    var drivers: [KernelDriver] = []
    /// The System V scripts that run at the system's start, by the name of the systemd unit for each script.
    var scripts: [String: String] = [:]
    var watchdog: RebootWatchdog
    /// The boot loader; nil if the model has none in an EEPROM, or if a separate part switches the supply.
    var bootLoader: BootLoader?

    init(_ hostSwitch: ExaminedSwitch, model: RaspberryPi?, isRunning: Bool, _ files: some SystemFiles) {
        self.hostSwitch = hostSwitch
        if isRunning {
            survey = HostSurvey(files: files, hostSwitch: hostSwitch)
            drivers = KernelDriver.all(at: hostSwitch, on: BusFacts(hostSwitch.bus, files), files)
        }
        // On Debian, systemd runs each System V script with a link here as a unit of the script's name:
        // systemd-sysv-generator(8).
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
