/// A way to put a receiver to sleep while its supply stays on.
enum SleepMethod: Sendable, Equatable {
    /// u-blox: RXM-PMREQ with a duration, so that the sleep always ends.
    case powerRequest(isLong: Bool)
    /// CASIC: PCAS12 with a duration, so that the sleep always ends.
    case timedStandby
    /// Sentences after which the receiver sleeps until bytes or a pin wake it.
    case sentences([ReceiverCommand])
    /// The board's wake line, driven low for as long as the sleep lasts.
    case wakeLine

    /// The longest sleep that one command is allowed to ask for, in nanoseconds; nil where the receiver has no timer.
    ///
    /// The limit is a safety net: some receivers never woke from a request without a duration (meshtastic firmware
    /// 2851).
    var longestNap: Int64? {
        switch self {
        case .powerRequest: 7_200_000_000_000
        case .timedStandby: 600_000_000_000
        case .sentences, .wakeLine: nil
        }
    }

    /// The number of failures in a row after which a sleep method is given up; 1 for PCAS12, whose effect is disputed.
    var failuresAllowed: Int {
        switch self {
        case .timedStandby: 1
        case .powerRequest, .sentences, .wakeLine: 2
        }
    }

    /// The commands that start a sleep of `nanoseconds`.
    func commands(napNanoseconds nanoseconds: Int64) -> [ReceiverCommand] {
        switch self {
        case .powerRequest(let isLong): [.powerRequest(napNanoseconds: nanoseconds, isLong: isLong)]
        case .timedStandby: [.timedStandby(napNanoseconds: nanoseconds)]
        case .sentences(let commands): commands
        case .wakeLine: []
        }
    }
}
