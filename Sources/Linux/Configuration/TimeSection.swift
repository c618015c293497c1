internal import SextantJSON

/// How the host's time daemon is given the receiver's time.
public struct TimeSettings: Sendable, Equatable {
    /// The socket of chrony's reference clock SOCK.
    public var chrony = "/run/chrony.sextant.sock"
    /// Seconds from the second that an epoch names to its first byte.
    public var serialDelay = 0.1

    public init() {}
}

/// The section `time` of the configuration file, which turns the time service on.
///
/// | key | value (default) | meaning |
/// |---|---|---|
/// | `chrony` | a path (`/run/chrony.sextant.sock`) | the socket that `refclock SOCK` of chrony.conf names |
/// | `serialDelay` | 0 to 1 (0.1) | seconds from the second that an epoch names to its first byte |
enum TimeSection {
    static func take(from file: inout ConfigurationSection) throws(ConfigurationError) -> TimeSettings? {
        guard var section = try file.takeSection("time") else { return nil }
        var settings = TimeSettings()
        if let path = try section.takeString("chrony") {
            // 107 bytes: the longest path of a Unix socket on Linux. Source: unix(7).
            guard path.hasPrefix("/"), path.utf8.count <= 107 else {
                throw section.wrong("chrony", .string(path), expected: "an absolute path of at most 107 bytes")
            }
            settings.chrony = path
        }
        settings.serialDelay = try section.takeNumber("serialDelay", in: 0...1, "seconds") ?? settings.serialDelay
        try section.finish()
        return settings
    }
}
