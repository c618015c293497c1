/// Why an epoch gave no time sample, or why its pulse gave none.
public enum TimeRefusal: UInt8, Sendable, CaseIterable {
    /// The receiver does not mark date and time as valid, or gave none.
    case notValid = 0
    /// The receiver says that the time is not fully resolved: its whole seconds can still change.
    case notResolved = 1
    /// The receiver claims that its time can be wrong by more than 1 ms or, where a pulse is refused, by more than 1
    /// µs.
    case inaccurate = 2
    /// The difference between GPS time and UTC is perhaps only the firmware's default.
    case leapSecondsUnknown = 3
    /// The date is before the build date, or at least 1024 weeks after it, where GPS repeats its week numbers.
    case impossibleDate = 4
    case noFix = 5
    /// Since the previous epoch, the receiver's time and the host's clock since boot advanced differently, or there was
    /// no previous epoch.
    case discontinuous = 6
    /// The host's wall clock was set since the previous epoch.
    case clockStepped = 7
    /// More than 4 s passed since the epoch's first byte.
    case stale = 8
    /// No pulse came within 1.1 s before or after the epoch's first byte.
    case noPulse = 9
    /// The last three pulses were not whole seconds apart, within 100 µs for each second.
    case irregularPulse = 10
    /// The delay of the messages after their pulses is known from fewer than 60 epochs.
    case delayNotLearned = 11
    /// The delay of the messages after their pulses is too short, too long or too uneven to tell which second a pulse
    /// begins.
    case delayUncertain = 12
    /// The pulse is not at the beginning of a second, judged by the pulses before it or by a synchronised clock.
    case pulseOff = 13

    /// The name that the `status` answer uses for this reason of a refusal.
    public var name: StaticString {
        switch self {
        case .notValid: "notValid"
        case .notResolved: "notResolved"
        case .inaccurate: "inaccurate"
        case .leapSecondsUnknown: "leapSecondsUnknown"
        case .impossibleDate: "impossibleDate"
        case .noFix: "noFix"
        case .discontinuous: "discontinuous"
        case .clockStepped: "clockStepped"
        case .stale: "stale"
        case .noPulse: "noPulse"
        case .irregularPulse: "irregularPulse"
        case .delayNotLearned: "delayNotLearned"
        case .delayUncertain: "delayUncertain"
        case .pulseOff: "pulseOff"
        }
    }
}
