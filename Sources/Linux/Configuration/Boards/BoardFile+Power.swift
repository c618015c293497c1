extension BoardFile {
    /// Takes the section `power` of a board's file, or of the installation's file, which has the same keys.
    ///
    /// - Returns: Seconds for which the receiver may be off while no motion sensor watches the board's rest; nil where
    ///   the file leaves that out.
    public static func takeLongestUnwatchedRest(
        from file: inout ConfigurationSection
    ) throws(ConfigurationError) -> Double? {
        guard var section = try file.takeSection("power") else { return nil }
        let seconds = try section.takeNumber("probe", in: 10...86_400, "seconds")
        try section.finish()
        return seconds
    }
}
