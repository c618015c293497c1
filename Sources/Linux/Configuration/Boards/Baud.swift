public import SextantJSON

/// The rate of a serial line as a configuration file gives it: a number, or "auto".
public struct Baud: Sendable, Equatable {
    /// Bits per second; nil where the daemon finds the rate itself.
    public var rate: Int?

    public static let expected = "bits per second from 4800 to 921600, or \"auto\""

    /// Reads the value in a configuration file; nil if it is neither a rate in range nor "auto".
    public init?(_ value: JSONValue) {
        switch value {
        case .string("auto"): return
        case .number(let number):
            guard let rate = Int(exactly: number), (4800...921_600).contains(rate) else { return nil }
            self.rate = rate
        default: return nil
        }
    }
}
