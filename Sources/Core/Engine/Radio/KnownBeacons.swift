internal import Beacons
internal import ClientProtocol
internal import ClientVocabulary
internal import Fusion
internal import Monitors
internal import Parts
internal import SextantUnits

/// The beacons that an operator named or calibrated: they are stored, and their calibrations are applied to received
/// advertisements.
struct KnownBeacons: ~Copyable {
    private(set) var book = BeaconBook()

    private static let gainName = "beaconGain"

    /// - Returns: The advertisement, with the stored calibration of its beacon applied.
    mutating func heard(_ hearing: BeaconHearing, at instant: MonotonicInstant) -> BeaconHearing {
        switch hearing {
        case .beacon(let heard): return .beacon(book.heard(heard, at: instant))
        case .telemetry(let telemetry, let sender):
            book.heard(telemetry, from: sender)
            return hearing
        }
    }

    // MARK: Operators

    /// Answers a request about known beacons; ignores other requests.
    mutating func serve(
        _ request: OperatorRequest, id: String?, of connection: ClientID, _ clock: FixClock, _ turn: inout Turn
    ) {
        switch request {
        case .knownBeacons: tell(id: id, to: connection, clock, &turn)
        case .keepBeacon(let identity, let name, let power):
            keep(identity, name: name, calibratedPower: power, id: id, of: connection, &turn)
        case .forgetBeacon(let identity):
            guard book.forget(identity) else {
                return turn.send(connection) {
                    ClientEvent.appendError(
                        .unknownBeacon, "this beacon has no name and no calibration; sextant beacons list shows all",
                        id: id, to: &$0)
                }
            }
            turn.remove(.settings, "", BeaconBook.Entry.rowName(identity))
            turn.confirm(connection) { ClientEvent.appendDone(.beaconForgotten, id: id, to: &$0) }
        case .setBeaconGain(let gain):
            book.gain = gain
            turn.put(.settings, "", KnownBeacons.gainName, gain.encode())
            turn.confirm(connection) { ClientEvent.appendDone(.beaconKept, id: id, to: &$0) }
        default: break
        }
    }

    private mutating func keep(
        _ identity: BeaconIdentity, name: String?, calibratedPower: Int8?, id: String?, of connection: ClientID,
        _ turn: inout Turn
    ) {
        do throws(BeaconBook.Problem) {
            let entry = try book.keep(identity, name: name, calibratedPower: calibratedPower)
            turn.put(.settings, "", BeaconBook.Entry.rowName(identity), entry.encode())
            turn.confirm(connection) { ClientEvent.appendDone(.beaconKept, id: id, to: &$0) }
        } catch {
            let (code, message) = KnownBeacons.refusal(error)
            turn.send(connection) { ClientEvent.appendError(code, message, id: id, to: &$0) }
        }
    }

    private static func refusal(_ problem: BeaconBook.Problem) -> (code: ErrorCode, message: String) {
        switch problem {
        case .full:
            (
                .limit,
                "\(BeaconBook.maximumBeacons) beacons are kept, which are all; forget one first: sextant beacons forget"
            )
        case .nameTaken(let owner):
            (.nameTaken, "the beacon \(owner) has this name; choose another, or forget that beacon first")
        }
    }

    private func tell(id: String?, to connection: ClientID, _ clock: FixClock, _ turn: inout Turn) {
        let (entries, gain) = (book.entries, book.gain)
        turn.send(connection) { text in
            for entry in entries {
                ClientEvent.appendKnownBeacon(
                    entry, lastSeen: entry.lastHeard.flatMap { clock.utc($0) }, id: id, to: &text)
            }
            ClientEvent.appendKnownBeacons(count: entries.count, gain: gain, id: id, to: &text)
        }
    }

    // MARK: Stored rows

    /// Takes a stored setting: true if it was read, false if it is damaged, nil if it is not about beacons.
    mutating func restore(_ row: DurableRow) -> Bool? {
        if row.name == KnownBeacons.gainName {
            guard let gain = Double.decode(row.value.span), BeaconBook.gains.contains(gain) else { return false }
            book.gain = gain
            return true
        }
        guard row.name.hasPrefix(BeaconBook.Entry.rowPrefix) else { return nil }
        guard let entry = BeaconBook.Entry.decode(row.value.span),
            (try? book.keep(entry.identity, name: entry.name, calibratedPower: entry.calibratedPower)) != nil
        else { return false }
        return true
    }
}
