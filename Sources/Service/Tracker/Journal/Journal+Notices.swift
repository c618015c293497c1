internal import Logging
internal import Parts
internal import Programs
internal import SextantJSON
internal import TimeService

/// Logs the events that the Engine (the daemon's logic) reports, as sentences.
extension Journal {
    func log(_ event: Notice) {
        switch event {
        case .deviceOpened(let path, let baud):
            logger.info("\(path): open\(baud.map { " at \($0) baud" } ?? "")")
        case .deviceFailed(let detail): logger.error("\(detail)")
        case .tryingRate(let baud): logger.info("\(device): no message so far; trying \(baud) baud")
        case .rateFound(let baud): logger.info("\(device): the receiver speaks at \(baud) baud")
        case .unintelligible(let path, let baud?):
            logger.warning(
                "\(path): bytes come, but no message at \(baud) baud; if the rate is wrong, let it be found: --baud auto"
            )
        case .unintelligible(let path, nil):
            logger.warning(
                "\(path): bytes come, but no NMEA or UBX message; is a GNSS receiver connected, and TX to RX?")
        case .receiving(let path): logger.info("\(path): receiving")
        case .foreignDatum(let path, let detail): logger.warning("\(path): the receiver is heard, but \(detail)")
        case .datumIsOurs(let path): logger.notice("\(path): the receiver's positions are in WGS 84 again")
        case .client(let client, let sentence):
            let line = "\(client.printable): \(sentence.printable)"
            note(line, kind: line)
        case .unreadableRow(let table, let client, let name):
            logger.warning("\(table.name) \(name.printable) of \(client.printable) cannot be read and is ignored")
        case .unreadableDeferredFix(let byteCount):
            logger.warning("a deferred fix of \(byteCount) bytes cannot be read and is ignored")
        case .receiverIdentified(let name, let firmware):
            logger.info("\(device): \(name)\(firmware.isEmpty ? "" : ", firmware \(firmware)")")
        case .receiverTrouble(let sentence): logger.warning("\(sentence)")
        case .compassFound(let sentence): logger.info("compass: \(sentence.printable)")
        case .radioTrouble(let sentence): logger.warning("\(sentence.printable)")
        case .compassTrouble(let sentence): logger.warning("\(sentence.printable)")
        case .pulseTrouble(let trouble): logger.warning("the receiver's pulse: \(trouble.sentence)")
        case .silent(let path, let seconds): logger.warning("\(path): nothing heard for \(seconds) s")
        }
    }
}

extension PulseTrouble {
    /// A fault of the receiver's time pulses and how to correct it, worded with the pulse as the subject.
    fileprivate var sentence: String {
        switch self {
        case .missing:
            "none came for a minute; check its wire, and that pps-gpio in config.txt names its pin"
        case .irregular(let nanoseconds):
            "it came \(Self.text(nanoseconds)) off the second after the one before, and sets no clock until three in a row "
                + "are regular; where that goes on, check its wire and its ground"
        case .moved(let nanoseconds):
            "it has moved by \(Self.text(nanoseconds)) against the receiver's messages, and sets no clock; check that the "
                + "receiver alone drives its line; if its messages were changed, restart sextantd"
        case .offClock(let nanoseconds):
            "it is \(Self.text(nanoseconds)) off the seconds of the clock, which is synchronised, and sets no clock; check "
                + "which edge begins the second, and the receiver's cable delay; if the clock is wrong, set serialDelay"
        case .unevenDelay(let earliest, let latest):
            "the messages come \(Self.text(earliest)) to \(Self.text(latest)) after it, which does not say which second it "
                + "begins, and it sets no clock; it takes 0.020 to 0.900 s with 0.300 s between them: raise the baud rate"
        case .lateMessages(let nanoseconds):
            "the messages come \(Self.text(nanoseconds)) after it, which few receivers take, and no other clock says that it "
                + "begins the second; check which edge does, and compare it once with a server on the network"
        }
    }

    /// A time in seconds with three decimals.
    private static func text(_ nanoseconds: Int64) -> String {
        var text = TextBuffer(capacity: 24)
        text.append(Double(nanoseconds) * 1e-9, decimals: 3)
        return String(decoding: text.copy(0..<text.count), as: UTF8.self) + " s"
    }
}
