internal import Beacons

extension BoardFile {
    /// Reads the section `bluetooth` of a board's file.
    ///
    /// - Returns: The section's settings; nil if the file has no such section. An empty section also gives settings: it
    ///   says that beacons are wanted, so `sextant doctor` checks what beacons need.
    static func takeBluetooth(
        from file: inout ConfigurationSection
    ) throws(ConfigurationError) -> BeaconRadio.Settings? {
        guard var section = try file.takeSection("bluetooth") else { return nil }
        var settings = BeaconRadio.Settings()
        settings.maySwitchOn = try section.takeBool("power") ?? settings.maySwitchOn
        // Eddystone is off by default, because its identifiers are no UUIDs, and because the power in its packets is
        // stated for another distance from the beacon than in iBeacon's.
        if try section.takeBool("eddystone") ?? false { settings.formats.insert(.eddystoneUID) }
        settings.listeningMilliwatts = try section.takeNumber("listeningMilliwatts", in: 0...10_000, "milliwatts")
        settings.rangingDuty = try section.takeNumber("rangingDuty", in: 0.1...1, "of the time")
        try section.finish()
        return settings
    }
}
