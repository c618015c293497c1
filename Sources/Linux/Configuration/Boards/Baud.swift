public import SextantJSON

/// A serial line's baud rate as a configuration file gives it: a number, or "auto".
public struct Baud: Sendable, Equatable {
    /// The rate in bits per second; nil if the daemon is to find it itself.
    public var rate: Int?

    public static let expected = "bits per second from 4800 to 921600, or \"auto\""

    /// Reads the value from a configuration file; nil if it is neither a rate in range nor "auto".
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
