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
    /// Whether the receiver accepts a time, a position and its saved navigation database in MGA messages.
    var takesAssistance = false
    var databaseKeepers: [DatabaseKeeper] = []

    struct Cyclic: Sendable {
        var on: [ReceiverCommand]
        var off: [ReceiverCommand]
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
