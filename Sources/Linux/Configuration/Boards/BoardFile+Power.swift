extension BoardFile {
    /// Reads the section `power` of a board's file, or of the installation's file, which has the same keys.
    ///
    /// - Returns: The longest time in seconds for which the receiver may stay off while no motion sensor would report
    ///   that the board moves; nil if the file does not give this time.
    public static func takeLongestUnwatchedRest(
        from file: inout ConfigurationSection
    ) throws(ConfigurationError) -> Double? {
        guard var section = try file.takeSection("power") else { return nil }
        let seconds = try section.takeNumber("probe", in: 10...86_400, "seconds")
        try section.finish()
        return seconds
    }
}
