/// How a receiver of a family is talked to: all that its folder says.
struct ReceiverBehaviour: Sendable {
    /// Brings it to report what is needed, once a second, and to stay awake; the first is answered by any receiver of
    /// the family.
    var configuration: [ReceiverCommand]
    /// Sets its UART's rate, where one is wanted that it has not.
    var raise: ReceiverCommand?
    /// The ways to put it to sleep with the supply on, the best first.
    var sleepMethods: [SleepMethod] = []
    /// Cyclic tracking on and off.
    var cyclic: Cyclic?
    /// What wakes it on its receive pin: bytes that mean nothing.
    var wakeBytes: [UInt8] = []
    /// Nanoseconds from those to where it listens.
    var wakeNanoseconds: Int64 = 500_000_000
    /// Stops its reports, until it is configured again, so that a database dump has the line.
    var quieting: [ReceiverCommand] = []
    /// Whether it was told to send no sentences.
    var isSilencedNMEA = false
    /// Whether it takes the time, a position and its database in MGA messages.
    var takesAssistance = false
    var databaseKeepers: [DatabaseKeeper] = []

    struct Cyclic: Sendable {
        var on: [ReceiverCommand]
        var off: [ReceiverCommand]
    }
}

/// What a behaviour depends on beside the receiver itself.
struct BehaviourSettings: Sendable {
    var link = ReceiverLink.uart
    /// The port's rate now; nil where it has no meaning.
    var baud: Int?
    /// The rate that is wanted; nil leaves it.
    var wantedBaud: Int?
    var skyInterval: UInt8
    var cyclicPeriodSeconds: Int
    var lines: Set<LineRole>

    /// The rate to go to; nil to stay.
    var raise: Int? { baud == nil || wantedBaud == baud ? nil : wantedBaud }
    /// The rate once the receiver is configured.
    var finalBaud: Int? { raise ?? baud }
}

/// One way to put a receiver to sleep.
enum SleepMethod: Sendable, Equatable {
    /// u-blox: RXM-PMREQ for a time that always ends.
    case powerRequest(isLong: Bool)
    /// CASIC: PCAS12 for a time that always ends.
    case timedStandby
    /// Sentences after which it rests until it is woken.
    case sentences([ReceiverCommand])
    /// The board's wake line, given up.
    case wakeLine

    /// Nanoseconds that one command is let to last; nil where the receiver has no timer.
    ///
    /// The end is a safety net: some receivers never woke from a request without one (meshtastic firmware 2851).
    var longestNap: Int64? {
        switch self {
        case .powerRequest: 7_200_000_000_000
        case .timedStandby: 600_000_000_000
        case .sentences, .wakeLine: nil
        }
    }

    /// Failures after which it is given up: a disputed command gets no second chance.
    var failuresAllowed: Int {
        switch self {
        case .timedStandby: 1
        case .powerRequest, .sentences, .wakeLine: 2
        }
    }

    /// What is sent for a nap of `nanoseconds`.
    func commands(napNanoseconds nanoseconds: Int64) -> [ReceiverCommand] {
        switch self {
        case .powerRequest(let isLong): [.powerRequest(napNanoseconds: nanoseconds, isLong: isLong)]
        case .timedStandby: [.timedStandby(napNanoseconds: nanoseconds)]
        case .sentences(let commands): commands
        case .wakeLine: []
        }
    }
}

extension ReceiverIdentity {
    func behaviour(_ settings: BehaviourSettings) -> ReceiverBehaviour {
        switch family {
        case .ublox6to8: UBlox6to8.behaviour(self, settings)
        case .ublox9and10: UBlox9and10.behaviour(self, settings)
        case .mediaTek: MediaTek.behaviour(settings)
        case .airoha: Airoha.behaviour(settings)
        case .casic: CASIC.behaviour(settings)
        case .generic: Generic.behaviour()
        }
    }

    /// Where its database can be kept.
    var databaseKeepers: [DatabaseKeeper] {
        if let model { return model.databaseKeepers }
        guard let generation else { return [] }
        return generation >= 8 ? [.host] : []
    }
}

extension ReceiverFamily {
    /// Asks the receiver who it is, changing nothing.
    var query: ReceiverCommand {
        switch self {
        case .ublox6to8, .ublox9and10: UBlox.query
        case .mediaTek: MediaTek.query
        case .airoha: Airoha.query
        case .casic: CASIC.query
        case .generic: Generic.query
        }
    }

    /// The questions for a receiver of which nothing is known, in this order.
    static let queries = [UBlox.query, MediaTek.query, Airoha.query, CASIC.query]
}
