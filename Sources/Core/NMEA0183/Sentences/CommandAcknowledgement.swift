/// A receiver's answer to a proprietary command.
///
/// Sources: MediaTek NMEA packet manual, PMTK_ACK (`$PMTK001,command,flag`); Quectel L76 and LC76G protocol
/// specifications, PAIR_ACK (`$PAIR001,command,result`). The CASIC protocol specification (V4.2.0.3, chapter 1) gives
/// PCAS commands no answer in NMEA; a `$PCASnn` from a receiver is an echo of the command and is reported as `echoed`.
public struct CommandAcknowledgement: Sendable, Equatable {
    public enum Family: Sendable {
        case pmtk
        case pair
        case pcas
    }

    public enum Result: Sendable {
        case done
        case inProgress
        case failed
        case unsupported
        case invalid
        case busy
        /// The receiver echoed the command; it does not state whether it obeyed.
        case echoed
    }

    public var family: Family
    public var command: Int
    public var result: Result

    init(
        pmtk fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>
    ) throws(NMEAFieldError) {
        try fields.require(3)
        guard let command = fields.integer(1, in: bytes) else { throw .notANumber(field: 1) }
        family = .pmtk
        self.command = command
        switch fields.integer(2, in: bytes) {
        case 0: result = .invalid
        case 1: result = .unsupported
        case 2: result = .failed
        case 3: result = .done
        default: throw .outOfRange(field: 2)
        }
    }

    init(
        pair fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>
    ) throws(NMEAFieldError) {
        try fields.require(3)
        guard let command = fields.integer(1, in: bytes) else { throw .notANumber(field: 1) }
        family = .pair
        self.command = command
        switch fields.integer(2, in: bytes) {
        case 0: result = .done
        case 1: result = .inProgress
        case 2: result = .failed
        case 3: result = .unsupported
        case 4: result = .invalid
        case 5: result = .busy
        default: throw .outOfRange(field: 2)
        }
    }

    init(
        pcas fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>
    ) throws(NMEAFieldError) {
        let address = fields.range(0)
        guard address.count == 6,
            let command = NMEAFields.digits(bytes, address.upperBound - 2..<address.upperBound)
        else { throw .notANumber(field: 0) }
        family = .pcas
        self.command = command
        result = .echoed
    }
}
