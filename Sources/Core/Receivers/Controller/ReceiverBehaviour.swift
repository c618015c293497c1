/// The commands, delays and abilities of one receiver, as the code for its family defines them.
struct ReceiverBehaviour: Sendable {
    /// Commands that make the receiver report once a second and stay awake.
    ///
    /// Every receiver of the family answers the first command.
    var configuration: [ReceiverCommand]
    /// The command that sets the UART's baud rate; nil where the present rate is to stay.
    var raise: ReceiverCommand?
    /// The ways to put the receiver to sleep while its supply stays on, the best first.
    var sleepMethods: [SleepMethod] = []
    /// The commands for cyclic tracking; nil where the receiver has none.
    var cyclic: Cyclic?
    /// Bytes without meaning that wake the receiver through its receive pin.
    var wakeBytes: [UInt8] = []
    /// Nanoseconds from the wake bytes until the receiver listens.
    var wakeNanoseconds: Int64 = 500_000_000
    /// Commands that stop all reports until the next configuration, so that a database dump has the line to itself.
    var quieting: [ReceiverCommand] = []
    /// Whether the configuration tells the receiver to send no NMEA sentences.
    var isSilencedNMEA = false
    /// Whether the receiver takes the time, a position and its database in MGA messages.
    var takesAssistance = false
    var databaseKeepers: [DatabaseKeeper] = []

    struct Cyclic: Sendable {
        var on: [ReceiverCommand]
        var off: [ReceiverCommand]
    }
}

/// The host's settings that a receiver's behaviour depends on.
struct BehaviourSettings: Sendable {
    var link = ReceiverLink.uart
    /// The port's present rate in bits per second; nil where the link has no rate.
    var baud: Int?
    /// The rate that the board file wants, in bits per second; nil leaves the present one.
    var wantedBaud: Int?
    var skyInterval: UInt8
    var cyclicPeriodSeconds: Int
    var lines: Set<LineRole>

    /// The rate to change to, in bits per second; nil where the present one stays.
    var raise: Int? { baud == nil || wantedBaud == baud ? nil : wantedBaud }
    /// The rate in bits per second once the receiver is configured; nil where the link has no rate.
    var finalBaud: Int? { raise ?? baud }
}

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

    /// The places where the receiver's navigation database can be kept, in order of preference.
    var databaseKeepers: [DatabaseKeeper] {
        if let model { return model.databaseKeepers }
        guard let generation else { return [] }
        return generation >= 8 ? [.host] : []
    }
}

extension ReceiverFamily {
    /// Asks the receiver for its identity, changing nothing.
    var query: ReceiverCommand {
        switch self {
        case .ublox6to8, .ublox9and10: UBlox.query
        case .mediaTek: MediaTek.query
        case .airoha: Airoha.query
        case .casic: CASIC.query
        case .generic: Generic.query
        }
    }

    /// The identity queries for a receiver of unknown family, in the order in which they are sent.
    static let queries = [UBlox.query, MediaTek.query, Airoha.query, CASIC.query]
}
