import NMEA0183
import Testing

/// A sentence with its checksum, as bytes and their fields.
struct Checked {
    var bytes: [UInt8]
    var fields = NMEAFields()

    /// The sentence whose body is `body`, without `$` and checksum.
    init(_ body: String) throws {
        var bytes: [UInt8] = []
        NMEAEncoder.append(body, to: &bytes)
        bytes.removeLast(2)
        let match = NMEAFraming.match(bytes.span, fields: &fields)
        try #require(match == .sentence(length: bytes.count))
        self.bytes = bytes
    }

    var talker: NMEATalker { fields.talker(in: bytes.span) }

    func message() throws(NMEAFieldError) -> NMEAMessage { try NMEAMessage(fields, in: bytes.span) }
}

/// What is wrong with the sentence, or nil where nothing is.
func fault(_ body: String) throws -> NMEAFieldError? {
    let checked = try Checked(body)
    do {
        _ = try checked.message()
        return nil
    } catch {
        return error
    }
}

func gga(_ body: String) throws -> GGA {
    guard case .gga(let message) = try Checked(body).message() else { throw OtherSentence() }
    return message
}

func rmc(_ body: String) throws -> RMC {
    guard case .rmc(let message) = try Checked(body).message() else { throw OtherSentence() }
    return message
}

func acknowledgement(_ body: String) throws -> CommandAcknowledgement {
    guard case .acknowledgement(let message) = try Checked(body).message() else { throw OtherSentence() }
    return message
}

struct OtherSentence: Error {}

func match(_ bytes: [UInt8]) -> NMEAFraming.Match {
    var fields = NMEAFields()
    return NMEAFraming.match(bytes.span, fields: &fields)
}
