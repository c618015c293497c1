public import SextantJSON
public import SextantUnits

/// gpsd's TOFF: what the host's wall clock showed when an epoch's first byte came, beside the time that the epoch names.
///
/// Source: gpsd_json(5), TOFF.
public struct GPSDTimeOffset: Sendable {
    /// The time that the receiver names.
    public var real: UTCInstant
    /// What the wall clock showed.
    public var clock: UTCInstant

    public init(real: UTCInstant, clock: UTCInstant) {
        self.real = real
        self.clock = clock
    }

    /// Appends a line that ends in CR and LF.
    public func append(device: String, to text: inout TextBuffer) {
        text.append("{\"class\":\"TOFF\"," as StaticString)
        text.member("\"device\":", device)
        text.member("\"real_sec\":", real.seconds)
        text.member("\"real_nsec\":", real.nanosecondsOfSecond)
        text.member("\"clock_sec\":", clock.seconds)
        text.member("\"clock_nsec\":", clock.nanosecondsOfSecond)
        text.endObject()
        text.append("\r\n" as StaticString)
    }
}

extension UTCInstant {
    /// Whole seconds since 1970, rounded down.
    fileprivate var seconds: Int64 { (nanoseconds &- nanosecondsOfSecond) / 1_000_000_000 }

    /// Nanoseconds since the whole second, 0 up to 1e9.
    fileprivate var nanosecondsOfSecond: Int64 {
        let rest = nanoseconds % 1_000_000_000
        return rest < 0 ? rest + 1_000_000_000 : rest
    }
}
