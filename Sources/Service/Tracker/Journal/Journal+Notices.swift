internal import Logging
internal import Parts

/// The Engine's log events as sentences.
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
        case .silent(let path, let seconds): logger.warning("\(path): nothing heard for \(seconds) s")
        }
    }
}
