internal import HostSwitches

/// The facts that decide whether a board's supply switch works, both on the running system and after its next start.
struct HostSleepFacts: Sendable, Equatable {
    var hostSwitch: ExaminedSwitch
    /// What keeps the host on right now; nil if the examined system is not running.
    var survey: HostSurvey?
    /// The kernel drivers that are bound to the supply switch's chips and disturb the switch.
    var drivers: [KernelDriver] = []
    /// The links by which System V scripts start with the system; the key is the name that the script has as a systemd
    /// unit.
    var scripts: [String: String] = [:]
    var watchdog: RebootWatchdog
    /// The boot loader of a Raspberry Pi 5, which decides whether a shutdown cuts the supply; nil for other models, and
    /// if a separate part cuts the supply.
    var bootLoader: BootLoader?

    init(_ hostSwitch: ExaminedSwitch, model: RaspberryPi?, isRunning: Bool, _ files: some SystemFiles) {
        self.hostSwitch = hostSwitch
        if isRunning {
            survey = HostSurvey(files: files, hostSwitch: hostSwitch)
            drivers = KernelDriver.all(at: hostSwitch, on: BusFacts(hostSwitch.bus, files), files)
        }
        // On Debian, systemd turns each System V script with a link in this folder into a unit with the script's name:
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
