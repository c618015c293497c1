internal import SextantReactor
internal import SextantUnits

/// Numbers and times as readable text.
enum Text {
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (abs(value) * scale).rounded()
        // For a value that is not a number, infinite or too large for Int64, Swift's own description is used.
        guard scaled < 9e18 else { return "\(value)" }
        let units = Int64(scaled)
        let whole = "\(value < 0 && units > 0 ? "-" : "")\(units / Int64(scale))"
        guard decimals > 0 else { return whole }
        let fraction = String(units % Int64(scale))
        return whole + "." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }

    /// A count with its noun; if no plural is given, it is the noun with an s.
    static func plural(_ count: Double?, _ noun: String, _ plural: String? = nil) -> String {
        let number = Int(count ?? 0)
        return "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// A length of time in seconds, minutes or hours.
    static func duration(_ seconds: Double) -> String {
        switch seconds {
        case ..<120: "\(fixed(seconds, 0)) s"
        case ..<7200: "\(fixed(seconds / 60, 0)) min"
        default: "\(fixed(seconds / 3600, 0)) h"
        }
    }

    /// The time of day this many seconds from now, by the host's clock.
    static func clock(_ seconds: Double) -> String {
        time(Clock.utc().advanced(byNanoseconds: Int64(saturating: seconds * 1e9)))
    }

    /// The time of day to the minute, in UTC.
    static func time(_ instant: UTCInstant) -> String {
        let minutes = Int(instant.timeOfDay / 60_000_000_000)
        return "\(two(minutes / 60)):\(two(minutes % 60)) UTC"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
