public import JSON

/// A line's rate as a file gives it: a number, or "auto".
public struct Baud: Sendable, Equatable {
    /// Bits per second; nil to find it.
    public var rate: Int?

    public static let expected = "bits per second from 4800 to 921600, or \"auto\""

    /// Nil where the value is neither.
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
