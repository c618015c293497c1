public import SextantUnits

/// A reading of the host's wall clock at a known true time.
public struct TimeSample: Sendable, Equatable {
    /// The event that marks the sample's instant.
    public enum Source: UInt8, Sendable, CaseIterable {
        /// The first byte of the receiver's messages.
        case messages = 0
        /// The receiver's pulse per second.
        case pulse = 1
    }

    /// A leap second that is announced for the end of the month.
    public enum Leap: UInt8, Sendable {
        case none = 0
        case insert = 1
        case delete = 2
    }

    /// The host's wall clock at the sample's instant.
    public var clock: UTCInstant
    /// The true time, in UTC, at the sample's instant.
    public var truth: UTCInstant
    public var leap: Leap
    public var source: Source

    public init(clock: UTCInstant, truth: UTCInstant, leap: Leap, source: Source = .messages) {
        self.clock = clock
        self.truth = truth
        self.leap = leap
        self.source = source
    }

    /// Nanoseconds by which the wall clock is behind the true time; negative where it is ahead.
    public var offset: Int64 { truth.nanoseconds &- clock.nanoseconds }
}

extension TimeSample {
    /// The datagram for chrony's reference clock SOCK: 40 bytes, little-endian as all hosts of Sextant are.
    ///
    /// The fields are: seconds and microseconds of the wall clock (64 bits each), the seconds by which the true time is
    /// ahead of it (a double), 0 for a complete time (1 would mean that only the offset from the nearest second is
    /// known), the leap second, padding, and a magic number (32 bits each). Source: chrony, `refclock_sock.c`, `struct
    /// sock_sample`, with a 64-bit `time_t`; gpsd, `timehint.c`.
    public var chronyDatagram: [UInt8] {
        let microseconds = clock.nanoseconds.flooredQuotient(by: 1000)
        let seconds = microseconds.flooredQuotient(by: 1_000_000)
        let offset = Double(truth.nanoseconds &- microseconds &* 1000) / 1e9
        var record = RecordWriter()
        record.write(seconds)
        record.write(microseconds &- seconds &* 1_000_000)
        record.write(offset)
        record.write(Int32(0))
        record.write(Int32(leap.rawValue))
        record.write(Int32(0))
        record.write(Int32(0x534F_434B))
        return record.bytes
    }
}

extension Int64 {
    fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
