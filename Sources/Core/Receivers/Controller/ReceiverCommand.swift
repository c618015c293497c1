internal import NMEA0183
internal import UBX

/// One message to a receiver, and the answer awaited after it.
struct ReceiverCommand: Sendable, Equatable {
    enum Answer: Sendable, Equatable {
        /// ACK-ACK or ACK-NAK about this message.
        case acknowledged(UBXMessageID)
        /// PMTK001 with this command number.
        case pmtk(Int)
        /// PAIR001 with this command number.
        case pair(Int)
        /// UPD-SOS with the result of saving the battery-backed memory in flash, or of restoring it.
        case backup
        /// A message that states the receiver's identity.
        case identity
        /// Any message with a valid checksum, for a command language without answers.
        case anyMessage
        /// The receiver gives no answer; the controller waits this many nanoseconds instead.
        case pause(Int64)
    }

    /// The message's name in the receiver's protocol document.
    var name: String
    var bytes: [UInt8]
    var answer: Answer
    /// The number of times that the command is sent before it counts as unanswered.
    var attempts = 3
    /// The rate in bits per second to which the command changes the receiver; nil where the rate stays.
    var baudAfter: Int?
    /// Nanoseconds allowed for the answer.
    ///
    /// The receiver may send a burst of reports before the answer, which takes up to a second at 9600 baud.
    var timeout: Int64 = 1_200_000_000

    /// Nanoseconds after which an unanswered command is sent again or passed over.
    var wait: Int64 {
        if case .pause(let nanoseconds) = answer { return nanoseconds }
        return timeout
    }
}

extension ReceiverCommand {
    /// A UBX message that ACK-ACK or ACK-NAK answers.
    static func ubx<Message: UBXMessage>(_ name: String, _ message: Message) -> ReceiverCommand {
        ReceiverCommand(name: name, bytes: message.frame, answer: .acknowledged(Message.messageID))
    }

    /// CFG-VALSET with `items`.
    ///
    /// The receiver refuses all items of a message if it does not know one, so an item that it may not know is sent in
    /// a message of its own.
    static func valset(
        _ name: String, layers: CfgVALSET.Layers = [.ram, .batteryBackedRAM],
        _ items: [(key: UBXConfigurationKey, value: UInt64)]
    ) -> ReceiverCommand {
        var bytes: [UInt8] = []
        let items = items.map { UBXConfigurationItem(key: $0.key, value: $0.value) }
        CfgVALSET.encode(layers: layers, items: items.span, into: &bytes)
        return ReceiverCommand(name: "CFG-VALSET \(name)", bytes: bytes, answer: .acknowledged(.cfgVALSET))
    }

    static func sentence(_ body: String, answer: Answer) -> ReceiverCommand {
        var bytes: [UInt8] = []
        NMEAEncoder.append(body, to: &bytes)
        let name = String(body.prefix { $0 != "," })
        return ReceiverCommand(name: name, bytes: bytes, answer: answer)
    }

    /// A PMTK sentence that PMTK001 answers.
    static func pmtk(_ number: Int, _ parameters: String) -> ReceiverCommand {
        .sentence("PMTK" + padded(number) + parameters, answer: .pmtk(number))
    }

    /// A PAIR sentence that PAIR001 answers.
    static func pair(_ number: Int, _ parameters: String = "") -> ReceiverCommand {
        .sentence("PAIR" + padded(number) + parameters, answer: .pair(number))
    }

    private static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    }
}

extension ReceiverCommand {
    func asking(_ answer: Answer, attempts: Int) -> ReceiverCommand {
        var copy = self
        copy.answer = answer
        copy.attempts = attempts
        return copy
    }
}
