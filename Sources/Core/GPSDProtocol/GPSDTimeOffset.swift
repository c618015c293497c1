public import SextantJSON
public import SextantUnits

/// gpsd's TOFF or PPS object: the host's wall clock when an epoch's first byte or a pulse came, together with the true
/// time of that epoch or pulse.
///
/// Source: gpsd_json(5), TOFF and PPS.
public struct GPSDTimeOffset: Sendable {
    public enum Event: Sendable {
        case epoch
        case pulse
    }

    public var event: Event
    /// The UTC time of the epoch or pulse, as the receiver gives it.
    public var real: UTCInstant
    /// The time of the host's wall clock when the epoch's first byte or the pulse came.
    public var clock: UTCInstant

    public init(_ event: Event, real: UTCInstant, clock: UTCInstant) {
        self.event = event
        self.real = real
        self.clock = clock
    }

    /// Appends the TOFF or PPS object as a line that ends in CR and LF.
    public func append(device: String, to text: inout TextBuffer) {
        text.append(
            event == .epoch ? "{\"class\":\"TOFF\"," : "{\"class\":\"PPS\"," as StaticString)
        text.member("\"device\":", device)
        text.member("\"real_sec\":", real.seconds)
        text.member("\"real_nsec\":", real.nanosecondsOfSecond)
        text.member("\"clock_sec\":", clock.seconds)
        text.member("\"clock_nsec\":", clock.nanosecondsOfSecond)
        if event == .pulse {
            // `precision` is the base-2 logarithm of the clock's precision in seconds; gpsd gives -20 for pulses that
            // the kernel times. `shm` names the interface through which chrony gets the samples.
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

    /// Nanoseconds since the start of the second, at least 0 and below 1e9.
    fileprivate var nanosecondsOfSecond: Int64 {
        let rest = nanoseconds % 1_000_000_000
        return rest < 0 ? rest + 1_000_000_000 : rest
    }
}
