public import SextantJSON
public import SextantUnits

/// gpsd's TOFF or PPS: what the host's wall clock showed when an epoch's first byte or a pulse came, beside the time that
/// the epoch names or at which the pulse was.
///
/// Source: gpsd_json(5), TOFF and PPS.
public struct GPSDTimeOffset: Sendable {
    public enum Event: Sendable {
        case epoch
        case pulse
    }

    public var event: Event
    /// The time that the receiver names.
    public var real: UTCInstant
    /// What the wall clock showed.
    public var clock: UTCInstant

    public init(_ event: Event, real: UTCInstant, clock: UTCInstant) {
        self.event = event
        self.real = real
        self.clock = clock
    }

    /// Appends a line that ends in CR and LF.
    public func append(device: String, to text: inout TextBuffer) {
        text.append(
            event == .epoch ? "{\"class\":\"TOFF\"," : "{\"class\":\"PPS\"," as StaticString)
        text.member("\"device\":", device)
        text.member("\"real_sec\":", real.seconds)
        text.member("\"real_nsec\":", real.nanosecondsOfSecond)
        text.member("\"clock_sec\":", clock.seconds)
        text.member("\"clock_nsec\":", clock.nanosecondsOfSecond)
        if event == .pulse {
            // A power of 2 of seconds, as gpsd says it of pulses that the kernel times; the name of where chrony gets them.
            text.member("\"precision\":", -20)
            text.member("\"shm\":", "SOCK")
        }
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
