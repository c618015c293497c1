internal import SextantUnits

/// Finds the UTC second that a pulse begins, from the delay of the receiver's messages after their pulses.
///
/// A pulse does not say which second it begins. The message of a second comes 20 to 900 ms after the pulse of that
/// second, so the last pulse before a message begins the message's second, provided that the delays of 60 epochs were
/// all within these bounds. Each delay is computed from the previous epoch's delay and the clock since boot, so that a
/// delay that grows beyond a second is not taken for a short one. A delay that exceeds a second from the first epoch on
/// cannot be told from a short one.
struct PulsePairing: Sendable {
    enum Outcome: Equatable {
        /// The pulse begins this UTC second.
        case named(UTCInstant)
        /// The UTC second that this pulse begins was found before.
        case repeated
        case refused(TimeRefusal, PulseTrouble?)
    }

    /// The last pulse; `regularCount` is how many successive intervals before it were whole seconds.
    private var last: (pulse: Pulse, instant: MonotonicInstant)?
    private var regularCount = 0
    /// Nanoseconds by which the last pulse came later than a whole number of seconds after the previous one; nil where
    /// it was regular, or the previous one was too long ago.
    private var lateness: Int64?
    /// The delays of the newest 60 epochs, unordered: nanoseconds from a pulse to the first byte of its message.
    private var delays: [Int64] = []
    private var oldest = 0
    /// The last epoch for which the delay of its messages after the pulse was accepted.
    private var tracked: (utc: UTCInstant, firstByte: MonotonicInstant, delay: Int64)?
    private var named: UInt32?
    /// The number of epochs in a row that had no pulse.
    private var missingCount = 0
    private var hasToldLateMessages = false

    init() { delays.reserveCapacity(Self.window) }

    /// The mean delay from a pulse to its message in nanoseconds; nil until 60 epochs have shown a steady delay.
    var delay: Int64? { isSettled ? delays.reduce(0, +) / Int64(delays.count) : nil }

    /// Returns the fault `lateMessages`, only once, if the messages come unusually late after their pulses; otherwise
    /// nil.
    mutating func doubt() -> PulseTrouble? {
        guard !hasToldLateMessages, let delay, delay > Self.longDelay else { return nil }
        hasToldLateMessages = true
        return .lateMessages(nanoseconds: delay)
    }

    /// Compares the newest pulse of a clock reading with the previous pulse; called also for an epoch that gives no
    /// time sample.
    mutating func hear(_ reading: ClockReading) {
        guard let pulse = reading.pulse, pulse.sequence != last?.pulse.sequence else { return }
        let instant = reading.instant(of: pulse.wall)
        defer { last = (pulse, instant) }
        guard let last else { return }
        let count = Int64(pulse.sequence &- last.pulse.sequence)
        let elapsed = instant.nanoseconds(since: last.instant)
        let isNear =
            (1...Self.longestRun).contains(count) && elapsed.magnitude <= UInt64(Self.longestRun * Self.second)
        let late = elapsed &- count &* Self.second
        guard isNear, late.magnitude <= UInt64(count * Self.jitter) else {
            regularCount = 0
            lateness = isNear ? late : nil
            return
        }
        regularCount += 1
        if regularCount >= 2 { lateness = nil }
    }

    /// Stops following the delay's whole seconds, because the receiver has set its UTC back: it has learned the leap
    /// seconds, or a leap second has passed.
    ///
    /// Messages that only come late do not set UTC back: each still has a later time than the one before.
    mutating func forgetSecond() { tracked = nil }

    /// Finds the UTC second that the last pulse begins, from an epoch with a trusted time.
    ///
    /// - Parameter firstByte: When the epoch's first byte was read.
    mutating func name(by utc: UTCInstant, _ firstByte: MonotonicInstant) -> Outcome {
        guard let last, case let age = firstByte.nanoseconds(since: last.instant), age.magnitude < Self.longestAge
        else {
            missingCount += 1
            return .refused(.noPulse, missingCount == Self.window ? .missing : nil)
        }
        missingCount = 0
        guard regularCount >= 2 else {
            guard let lateness, abs(lateness) >= Self.tellable else { return .refused(.irregularPulse, nil) }
            return .refused(.irregularPulse, .irregular(nanoseconds: lateness))
        }
        let delay = self.delay(of: utc, firstByte, age: age)
        if let middle, abs(delay - middle) > Self.shift {
            return .refused(.pulseOff, .moved(nanoseconds: middle - delay))
        }
        tracked = (utc, firstByte, delay)
        learn(delay)
        guard delays.count == Self.window else { return .refused(.delayNotLearned, nil) }
        guard isSettled else {
            return .refused(.delayUncertain, bounds.map { .unevenDelay(earliest: $0, latest: $1) })
        }
        guard last.pulse.sequence != named else { return .repeated }
        named = last.pulse.sequence
        return .named(utc.advanced(byNanoseconds: delay - age))
    }
}

extension PulsePairing {
    private static let second: Int64 = 1_000_000_000
    /// The largest accepted error of the interval between two pulses, in nanoseconds for each second of that interval.
    private static let jitter: Int64 = 100_000
    /// The longest interval between two pulses, in seconds, that is checked for being a whole number of seconds.
    private static let longestRun: Int64 = 10
    /// The longest accepted time between a pulse and an epoch's first byte, in nanoseconds; a farther pulse does not
    /// belong to the epoch.
    private static let longestAge: UInt64 = 1_100_000_000
    /// The number of epochs from which the delay between a pulse and its message is learned.
    private static let window = 60
    private static let possible: ClosedRange<Int64> = 20_000_000...900_000_000
    /// A mean delay of the messages after their pulses is unusual if it is longer than this, in nanoseconds: that of
    /// the MTK3339 is half a second.
    private static let longDelay: Int64 = 600_000_000
    /// The largest accepted difference between the shortest and the longest delay of messages after their pulses;
    /// nanoseconds.
    private static let spread: Int64 = 300_000_000
    /// The largest accepted difference, in nanoseconds, between the delay of a message after its pulse and the middle
    /// of the known delays; if the difference is larger, the pulse has moved.
    private static let shift: Int64 = 250_000_000
    /// An irregular pulse is reported as a fault if it comes at least this many nanoseconds too early or too late:
    /// smaller errors can come from a time daemon, which corrects the host's clock by at most 1/12 s per second
    /// (chrony's `maxslewrate`).
    private static let tellable: Int64 = 100_000_000

    private var bounds: (earliest: Int64, latest: Int64)? {
        guard var least = delays.first else { return nil }
        var greatest = least
        for delay in delays { (least, greatest) = (min(least, delay), max(greatest, delay)) }
        return (least, greatest)
    }

    private var isSettled: Bool {
        guard delays.count == Self.window, let (earliest, latest) = bounds else { return false }
        return Self.possible.contains(earliest) && Self.possible.contains(latest) && latest - earliest <= Self.spread
    }

    /// The mean of the shortest and the longest delay of messages after their pulses, in nanoseconds; nil until 60
    /// delays are known.
    private var middle: Int64? {
        guard isSettled, let (earliest, latest) = bounds else { return nil }
        return (earliest + latest) / 2
    }

    /// Nanoseconds from the beginning of the epoch's second to the epoch's first byte.
    ///
    /// The time since the last pulse gives the part below one second. The whole seconds follow from the previous
    /// epoch's delay, and from how far the clock since boot and the receiver's time have advanced since then.
    private func delay(of utc: UTCInstant, _ firstByte: MonotonicInstant, age: Int64) -> Int64 {
        let phase = (age &- utc.nanoseconds % Self.second) % Self.second
        let fraction = phase < 0 ? phase + Self.second : phase
        guard let tracked else { return fraction }
        let expected =
            tracked.delay + firstByte.nanoseconds(since: tracked.firstByte) - utc.nanoseconds(since: tracked.utc)
        let distance = expected - fraction
        let seconds = (distance + (distance < 0 ? -Self.second / 2 : Self.second / 2)) / Self.second
        return fraction + seconds * Self.second
    }

    private mutating func learn(_ delay: Int64) {
        guard delays.count == Self.window else { return delays.append(delay) }
        delays[oldest] = delay
        oldest = (oldest + 1) % Self.window
    }
}
