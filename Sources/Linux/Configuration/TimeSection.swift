internal import SextantJSON
public import TimeService

/// How chrony, the host's time daemon, gets the receiver's time.
public struct TimeSettings: Sendable, Equatable {
    /// How the receiver's pulses per second (PPS) are used.
    public struct Pulse: Sendable, Equatable {
        /// The path of the kernel's PPS device that timestamps the pulses.
        public var device = "/dev/pps0"
        /// The path of the chrony socket (`refclock SOCK`) that gets the time of each pulse.
        public var chrony = "/run/chrony.pps.sextant.sock"

        public init() {}
    }

    /// The path of the chrony socket (`refclock SOCK`) that gets the times of the receiver's messages.
    public var chrony = "/run/chrony.sextant.sock"
    /// The delay in seconds from the time that an epoch states to the arrival of the epoch's first byte.
    public var serialDelay = 0.1
    /// How the receiver's pulses are used; nil if they are not used.
    public var pulse: Pulse?
    /// When and for how long the receiver is switched on only to get the time; nil if it never is.
    public var demand: TimeDemand?

    public init() {}
}

/// The section `time` of the configuration file, which turns the time service on.
///
/// | key | value (default) | meaning |
/// |---|---|---|
/// | `chrony` | a path (`/run/chrony.sextant.sock`) | the socket that `refclock SOCK` of chrony.conf names |
/// | `serialDelay` | 0 to 1 (0.1) | seconds from an epoch's time to its first byte, used until pulses show the delay |
/// | `pulse` | an object (absent) | if present, even as `{}`, the receiver's pulses are used as well |
/// | `pulse.device` | a path (`/dev/pps0`) | the kernel's PPS device |
/// | `pulse.chrony` | a path (`/run/chrony.pps.sextant.sock`) | the socket in chrony.conf for the pulses |
/// | `demand` | an object (absent) | if present, the receiver is also switched on only to get the time |
/// | `demand.every` | 600 to 86 400 (3600) | seconds from the end of one reception to the start of the next one |
/// | `demand.seconds` | 10 to 600 (30) | seconds from the first to the last time sample of a reception |
enum TimeSection {
    static func take(from file: inout ConfigurationSection) throws(ConfigurationError) -> TimeSettings? {
        guard var section = try file.takeSection("time") else { return nil }
        var settings = TimeSettings()
        settings.chrony = try socket(of: &section) ?? settings.chrony
        settings.serialDelay = try section.takeNumber("serialDelay", in: 0...1, "seconds") ?? settings.serialDelay
        if var pulse = try section.takeSection("pulse") {
            var taken = TimeSettings.Pulse()
            if let device = try pulse.takeString("device") {
                guard device.hasPrefix("/dev/") else {
                    throw pulse.wrong("device", .string(device), expected: "a device such as /dev/pps0")
                }
                taken.device = device
            }
            taken.chrony = try socket(of: &pulse) ?? taken.chrony
            guard taken.chrony != settings.chrony else {
                throw pulse.wrong("chrony", .string(taken.chrony), expected: "another socket than that of the messages")
            }
            try pulse.finish()
            settings.pulse = taken
        }
        if var demand = try section.takeSection("demand") {
            let every = try demand.takeNumber("every", in: 600...86_400, "seconds") ?? 3600
            let seconds = try demand.takeNumber("seconds", in: 10...600, "seconds") ?? 30
            try demand.finish()
            settings.demand = TimeDemand(interval: Int64(every * 1e9), length: Int64(seconds * 1e9))
        }
        try section.finish()
        return settings
    }

    private static func socket(of section: inout ConfigurationSection) throws(ConfigurationError) -> String? {
        guard let path = try section.takeString("chrony") else { return nil }
        // The longest path of a Unix socket on Linux has 107 bytes. Source: unix(7).
        guard path.hasPrefix("/"), path.utf8.count <= 107 else {
            throw section.wrong("chrony", .string(path), expected: "an absolute path of at most 107 bytes")
        }
        return path
    }
}
