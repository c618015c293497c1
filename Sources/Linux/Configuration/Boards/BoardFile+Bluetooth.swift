internal import Beacons

extension BoardFile {
    /// Takes the section `bluetooth` of a board's file.
    ///
    /// - Returns: Nil where the file has no such section, which is not the same as an empty one: that says that beacons are
    ///   wanted, so that `sextant doctor` looks for what they need.
    static func takeBluetooth(
        from file: inout ConfigurationSection
    ) throws(ConfigurationError) -> BeaconRadio.Settings? {
        guard var section = try file.takeSection("bluetooth") else { return nil }
        var settings = BeaconRadio.Settings()
        settings.maySwitchOn = try section.takeBool("power") ?? settings.maySwitchOn
        // Off unless wanted: its identifiers are no UUIDs, and its power is measured at another distance.
        if try section.takeBool("eddystone") ?? false { settings.formats.insert(.eddystoneUID) }
        settings.listeningMilliwatts = try section.takeNumber("listeningMilliwatts", in: 0...10_000, "milliwatts")
        settings.rangingDuty = try section.takeNumber("rangingDuty", in: 0.1...1, "of the time")
        try section.finish()
        return settings
    }
}
