internal import Epochs
internal import NMEA0183
internal import UBX

/// The meaning of a receiver's message to a controller that waits for an answer.
enum ReceiverReply {
    case acknowledged(UBXMessageID)
    case refused(UBXMessageID)
    case command(CommandAcknowledgement)
    case identity(ReceiverIdentity)
    case backup(UpdSOS)
    case assistance(MgaACK)
    /// An MGA-DBD message; the controller takes its payload from the frame.
    case databaseEntry
    case power(isAwake: Bool)
    /// Any other message with a valid checksum.
    case other

    init(_ message: ReceiverStream.Message, fields: borrowing NMEAFields, bytes: borrowing Span<UInt8>) {
        switch message {
        case .frame: self = ReceiverReply.frame(bytes)
        case .sentence: self = ReceiverReply.sentence(fields, bytes)
        }
    }

    private static func frame(_ frame: borrowing Span<UInt8>) -> ReceiverReply {
        let payload = frame.extracting(UBXFraming.payloadRange(frameLength: frame.count))
        do throws(UBXPayloadError) {
            switch UBXFraming.identifier(of: frame) {
            case .ackAck: return .acknowledged(try AckAck(payload: payload).acknowledged)
            case .ackNak: return .refused(try AckNak(payload: payload).refused)
            case .monVER: return .identity(ReceiverIdentity(try MonVER(payload: payload)))
            case .monRXR: return .power(isAwake: try MonRXR(payload: payload).isAwake)
            case .updSOS: return .backup(try UpdSOS(payload: payload))
            case .mgaACK: return .assistance(try MgaACK(payload: payload))
            case .mgaDBD:
                _ = try MgaDBD(payload: payload)
                return .databaseEntry
            default: return .other
            }
        } catch {
            return .other
        }
    }

    private static func sentence(
        _ fields: borrowing NMEAFields, _ bytes: borrowing Span<UInt8>
    ) -> ReceiverReply {
        if let identity = ReceiverIdentity(sentence: fields, in: bytes) { return .identity(identity) }
        guard case .acknowledgement(let answer) = try? NMEAMessage(fields, in: bytes) else { return .other }
        return .command(answer)
    }
}

extension ReceiverCommand.Answer {
    /// What a reply means to the command that waits for an answer.
    enum Verdict {
        case done
        case refused
        /// The reply is about another command, or the receiver is still working on this command.
        case unrelated
    }

    func verdict(on reply: ReceiverReply) -> Verdict {
        switch (self, reply) {
        case (.acknowledged(let id), .acknowledged(let answered)): id == answered ? .done : .unrelated
        case (.acknowledged(let id), .refused(let answered)): id == answered ? .refused : .unrelated
        case (.pmtk(let number), .command(let answer)) where answer.family == .pmtk:
            number == answer.command ? Self.verdict(answer.result) : .unrelated
        case (.pair(let number), .command(let answer)) where answer.family == .pair:
            number == answer.command ? Self.verdict(answer.result) : .unrelated
        case (.backup, .backup(let state)): Self.verdict(state)
        case (.backup, .refused(.updSOS)): .refused
        case (.identity, .identity): .done
        case (.anyMessage, _): .done
        default: .unrelated
        }
    }

    private static func verdict(_ result: CommandAcknowledgement.Result) -> Verdict {
        switch result {
        case .done, .echoed: .done
        case .inProgress, .busy: .unrelated
        case .failed, .unsupported, .invalid: .refused
        }
    }

    private static func verdict(_ state: UpdSOS) -> Verdict {
        switch state {
        case .backupCreated(let success): success ? .done : .refused
        case .restoration(let restoration): restoration == .restored ? .done : .refused
        case .createBackup, .clearBackup: .unrelated
        }
    }
}
