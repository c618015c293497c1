/// Why an epoch gave no sample of the time.
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
        }
    }
}
