internal import Epochs
internal import NMEA0183
internal import SextantUnits
internal import UBX

/// Saving the receiver's navigation database before its supplies are cut.
extension ReceiverController {
    /// After this many nanoseconds of silence a dump has failed; the longest message takes 0.2 s at 9600 baud.
    static let dumpSilence: Int64 = 2_000_000_000
    /// The longest time allowed for a dump, in nanoseconds: 64 KiB at 9600 baud take 70 s.
    static let dumpLimit: Int64 = 90_000_000_000

    var isSaving: Bool { state == .savingDatabase }

    mutating func beginCut(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        guard phase == .ready || phase == .asleep && rest.kind == .cyclic, isPortOpen,
            let keeper = behaviour.databaseKeepers.first
        else {
            cutSupply(.cut, at: instant, into: &orders)
            return
        }
        state = .savingDatabase
        switch keeper {
        case .host: run(.quieting, behaviour.quieting, at: instant, into: &orders)
        case .flash: saveInFlash(at: instant, into: &orders)
        }
    }

    mutating func askDatabase(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        guard let identity else { return }
        phase = .dumping
        assistance.database = NavigationDatabase(identity: identity)
        assistance.dumpLimit = instant.advanced(byNanoseconds: ReceiverController.dumpLimit)
        orders.transmit(UBlox.askDatabase)
        deadline = instant.advanced(byNanoseconds: ReceiverController.dumpSilence)
    }

    mutating func takeDump(
        _ message: ReceiverStream.Message, fields: borrowing NMEAFields, bytes: borrowing Span<UInt8>,
        at instant: MonotonicInstant, into orders: inout [ReceiverOrder]
    ) {
        switch ReceiverReply(message, fields: fields, bytes: bytes) {
        case .databaseEntry:
            let payload = bytes.extracting(UBXFraming.payloadRange(frameLength: bytes.count))
            guard assistance.database?.append(payload) == true, instant < assistance.dumpLimit else {
                dumpFailed(.tooLarge, at: instant, into: &orders)
                return
            }
            deadline = instant.advanced(byNanoseconds: ReceiverController.dumpSilence)
        case .assistance(let end) where end.acknowledgedID == MgaDBD.messageID.id:
            let count = assistance.database?.count ?? 0
            guard end.payloadStart == UInt32(count) else {
                dumpFailed(
                    .incomplete(expected: Int(end.payloadStart), received: count), at: instant, into: &orders)
                return
            }
            orders.report(.databaseSaved(messages: count))
            cutSupply(.cut, at: instant, into: &orders)
        default: break
        }
    }

    mutating func dumpTimedOut(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        dumpFailed(.silence, at: instant, into: &orders)
    }

    private mutating func dumpFailed(
        _ reason: DatabaseLoss, at instant: MonotonicInstant, into orders: inout [ReceiverOrder]
    ) {
        loseDatabase(reason, into: &orders)
        if behaviour.databaseKeepers.contains(.flash) {
            saveInFlash(at: instant, into: &orders)
        } else {
            cutSupply(.cut, at: instant, into: &orders)
        }
    }

    private mutating func saveInFlash(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        assistance.isInFlash = true
        run(.savingInFlash, [UBlox.stopGNSS, UBlox.createBackup], at: instant, into: &orders)
    }

    mutating func savedInFlash(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        orders.report(.databaseSaved(messages: 0))
        cutSupply(.cut, at: instant, into: &orders)
    }

    mutating func loseDatabase(_ reason: DatabaseLoss, into orders: inout [ReceiverOrder]) {
        assistance.database = nil
        orders.report(.databaseLost(reason))
    }

    /// Stops saving the database, because the receiver must be awake again.
    ///
    /// The receiver is configured anew, because its reports were stopped for the dump.
    mutating func abandonSaving(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        if phase == .savingInFlash { orders.transmit(UBlox.startGNSS) }
        loseDatabase(.interrupted, into: &orders)
        configure(at: instant, into: &orders)
    }
}

/// Giving the database back to the receiver, after the time and the position.
extension ReceiverController {
    /// Nanoseconds of pause after the transmission of a message of assistance, before the next message is sent.
    static let aidPause: Int64 = 10_000_000
    /// The age in nanoseconds from which a position is too old to be sent to the receiver, which may have been
    /// unreachable since the controller got the position; a vehicle on a motorway has gone 20 km by then.
    static let positionLasts: Int64 = 600_000_000_000

    mutating func beginAiding(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        guard behaviour.takesAssistance else {
            endAiding(at: instant, into: &orders)
            return
        }
        phase = .aiding
        assistance.next = 0
        sendAid(at: instant, into: &orders)
    }

    /// Sends the next message of assistance, and sets `deadline` to the end of its transmission plus a pause.
    mutating func sendAid(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        let databaseCount = assistance.isDatabaseGone ? assistance.database?.count ?? 0 : 0
        while assistance.next < 2 + databaseCount {
            let message = aid(assistance.next, at: instant)
            assistance.next += 1
            guard message.isEmpty else {
                orders.transmit(message)
                deadline = instant.advanced(byNanoseconds: onLine(message.count) + ReceiverController.aidPause)
                return
            }
        }
        if databaseCount > 0 { orders.report(.databaseRestored(messages: databaseCount)) }
        endAiding(at: instant, into: &orders)
    }

    private mutating func endAiding(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        assistance.isDatabaseGone = false
        becomeReady(at: instant, into: &orders)
    }

    /// The message of assistance with this index; empty where the host has no data for it.
    private func aid(_ index: Int, at instant: MonotonicInstant) -> [UInt8] {
        switch index {
        case 0: return timeAid(at: instant)
        case 1: return positionAid(at: instant)
        default:
            var message: [UInt8] = []
            guard let database = assistance.database else { return message }
            let payload = database.range(index - 2)
            MgaDBD.encode(payload: database.bytes.span.extracting(payload), into: &message)
            return message
        }
    }

    /// The time message: it states the UTC time at which its last byte leaves the line, and adds its duration on the
    /// line and 10 ms to the error of the host's time.
    private func timeAid(at instant: MonotonicInstant) -> [UInt8] {
        guard let time = assistance.aid?.time, (0...65_000).contains(time.accuracySeconds) else { return [] }
        let onLine = onLine(UBXFraming.overhead + 24)
        let elapsed = instant.nanoseconds(since: assistance.handedOver) + onLine
        let accuracy = UInt64(saturating: time.accuracySeconds * 1e9) + UInt64(onLine) + 10_000_000
        let utc = time.utc.advanced(byNanoseconds: elapsed)
        return MgaINITimeUTC(utc: utc, accuracyNanoseconds: accuracy, leapSeconds: nil).frame
    }

    /// The position message; a position without height gets height 0 and an error of at least two kilometres.
    private func positionAid(at instant: MonotonicInstant) -> [UInt8] {
        guard let position = assistance.aid?.position,
            instant.nanoseconds(since: assistance.handedOver) < ReceiverController.positionLasts,
            abs(position.latitude) <= 90, abs(position.longitude) <= 180,
            (0...1e7).contains(position.accuracyMetres), abs(position.altitude ?? 0) <= 1e6
        else { return [] }
        let accuracy = position.altitude == nil ? max(position.accuracyMetres, 2000) : position.accuracyMetres
        return MgaINIPosLLH(
            latitudeE7: Int32(saturating: position.latitude * 1e7),
            longitudeE7: Int32(saturating: position.longitude * 1e7),
            heightAboveEllipsoidCentimetres: Int32(saturating: (position.altitude ?? 0) * 100),
            accuracyCentimetres: UInt32(saturating: accuracy * 100, .up)
        ).frame
    }

    /// Nanoseconds that this many bytes take on the line.
    private func onLine(_ byteCount: Int) -> Int64 {
        guard let baud else { return 0 }
        return Int64(byteCount) * 10_000_000_000 / Int64(baud)
    }
}
