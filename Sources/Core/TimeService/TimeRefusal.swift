/// Why an epoch gave no sample of the time, or none of its pulse.
public enum TimeRefusal: UInt8, Sendable, CaseIterable {
    /// The receiver does not call date and time valid, or gave none.
    case notValid = 0
    /// The receiver says that the whole seconds may still change.
    case notResolved = 1
    /// The receiver claims an accuracy above 1 ms.
    case inaccurate = 2
    /// The difference between GPS time and UTC may be the firmware's default.
    case leapSecondsUnknown = 3
    /// The date is before the program was built, or 1024 weeks later, where GPS repeats its weeks.
    case impossibleDate = 4
    case noFix = 5
    /// The receiver's time and the host's clock since boot did not pass alike since the epoch before, or there was none.
    case discontinuous = 6
    /// The host's wall clock was set since the epoch before.
    case clockStepped = 7
    /// More than 4 s passed since the epoch's first byte.
    case stale = 8
    /// No pulse came within the second before or after the epoch's first byte.
    case noPulse = 9
    /// The last three pulses were not 1 s +-100 µs apart.
    case irregularPulse = 10
    /// Fewer than 60 epochs have shown how long after its pulse a message comes.
    case delayNotLearned = 11
    /// Messages come too early, too late or too unevenly after their pulses to say which second a pulse begins.
    case delayUncertain = 12
    /// The pulse is not where the second begins: by the pulses before it, or by a clock that is synchronised.
    case pulseOff = 13

    /// The name in the status.
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
