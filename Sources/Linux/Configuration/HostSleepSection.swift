internal import HostSleep
internal import SextantJSON

/// The section `hostSleep` of the configuration file: when the owner allows the board to switch itself off.
///
/// | key | value (default) | meaning |
/// |---|---|---|
/// | `allowed` | true or false (false) | whether the board is allowed to switch itself off while no client needs it |
/// | `floorSeconds` | 120 to 86 400 (600) | the shortest sleep |
/// | `maximumSeconds` | 600 to 2 332 800 (21 600) | the longest sleep |
/// | `maintenanceSeconds` | 300 to 86 400 (900) | how long the board stays on after it was switched on by hand |
/// | `onlyWhenAsked` | true or false (false) | whether the board stays on while no client has a request |
/// | `onExternalPower` | `stayAwake`, `sleep` (`stayAwake`) | what the board does while its switch has external power |
/// | `lowPercent` | 0 to 90 (20) | at this battery charge or below, the board wakes only once a day |
/// | `criticalPercent` | 0 to 50 (5) | at this battery charge or below, no client keeps the board on |
/// | `withoutBackstop` | true or false (false) | whether an alarm is enough, without a second way to wake the board |
/// | `afterPowerOff` | `stayOff`, `wake` (`stayOff`) | whether the board wakes by itself after a power-off by hand |
enum HostSleepSection {
    private enum ExternalPower: String, CaseIterable {
        case stayAwake, sleep
    }

    static func take(from file: inout ConfigurationSection) throws(ConfigurationError) -> HostSleepSettings? {
        guard var section = try file.takeSection("hostSleep") else { return nil }
        var settings = HostSleepSettings()
        settings.isAllowed = try section.takeBool("allowed") ?? settings.isAllowed
        settings.floor = try section.takeNumber("floorSeconds", in: 120...86_400, "seconds") ?? settings.floor
        settings.longest = try section.takeNumber("maximumSeconds", in: 600...2_332_800, "seconds") ?? settings.longest
        settings.maintenance =
            try section.takeNumber("maintenanceSeconds", in: 300...86_400, "seconds") ?? settings.maintenance
        settings.onlyWhenAsked = try section.takeBool("onlyWhenAsked") ?? settings.onlyWhenAsked
        settings.sleepsOnExternalPower = try section.takeWord("onExternalPower", ExternalPower.self) == .sleep
        settings.lowPercent = try section.takeNumber("lowPercent", in: 0...90, "per cent") ?? settings.lowPercent
        settings.criticalPercent =
            try section.takeNumber("criticalPercent", in: 0...50, "per cent") ?? settings.criticalPercent
        settings.withoutBackstop = try section.takeBool("withoutBackstop") ?? settings.withoutBackstop
        settings.afterPowerOff =
            try section.takeWord("afterPowerOff", HostSleepSettings.AfterPowerOff.self) ?? settings.afterPowerOff
        try section.finish()
        guard settings.floor <= settings.longest else {
            throw file.wrong(
                "hostSleep.floorSeconds", .number(settings.floor), expected: "no more than maximumSeconds")
        }
        return settings
    }
}
