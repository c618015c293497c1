import Epochs
import NMEA0183
import Receivers
import SextantUnits
import UBX

/// The time in nanoseconds from a sleep command until the receiver sleeps.
private let sleepDelay: Int64 = 100_000_000
/// A dump of the navigation database continues as soon as fewer bytes than this wait to be sent.
private let dumpLowWater = 512

extension EmulatedReceiver {
    /// Obeys a message from the host if it is in a protocol that the model understands.
    mutating func obey(_ message: ReceiverStream.Message) {
        let range = stream.range
        switch message {
        case .frame:
            guard model.family == .ublox6to8 || model.family == .ublox9and10 else { return }
            obeyFrame(Array(stream.window[range]))
        case .sentence: obeySentence(String(decoding: stream.window[range], as: UTF8.self))
        }
    }

    // MARK: Answers

    /// Sends an answer to the host; `body` appends the answer's bytes.
    mutating func answer(_ body: (inout [UInt8]) -> Void) {
        guard options.faults.contains(.answersGarbage) else {
            return transmit.append(at: now, body)
        }
        var bytes: [UInt8] = []
        body(&bytes)
        let noise = bytes.map { _ in UInt8(truncatingIfNeeded: random.next()) }
        transmit.append(at: now) { $0.append(contentsOf: noise) }
    }

    /// Sends an NMEA sentence as an answer; it is given without `$` and checksum.
    mutating func answer(sentence: String) {
        answer { NMEAEncoder.append(Array(sentence.utf8).span, to: &$0) }
    }

    mutating func acknowledge(_ id: UBXMessageID, _ isAccepted: Bool) {
        answer { bytes in
            if isAccepted {
                AckAck(acknowledged: id).encoded(into: &bytes)
            } else {
                AckNak(refused: id).encoded(into: &bytes)
            }
        }
    }

    // MARK: Settings

    /// Puts the receiver's settings into effect after configuration keys have changed.
    mutating func applySettings() {
        let old = settings
        settings = ReceiverSettings(layers.inForce, isAtUSB: options.isAtUSB)
        guard isRunning else { return }
        if old.powerSave == .onOff, settings.powerSave != .onOff { deadlines.sleep = .max }
        if old.powerSave != settings.powerSave { startPowerSave() }
        if old.period != settings.period { scheduleEpoch() }
    }

    mutating func write(_ items: [(UBXConfigurationKey, Int)], to layers: CfgVALSET.Layers) {
        for (key, value) in items {
            self.layers.write(key, UInt64(truncatingIfNeeded: value), to: layers)
        }
        applySettings()
    }

    /// Restarts the receiver and clears the given parts of its memory.
    mutating func restart(forgettingEphemeris: Bool, position: Bool, time: Bool) {
        leaveTracking()
        phase = .searching
        if forgettingEphemeris { memory.ephemerisTime = nil }
        if position { memory.isPositionKnown = false }
        if time { memory.isTimeKnown = false }
        restoring = nil
        boot()
    }

    // MARK: The navigation database

    var databaseSerial: UInt32 { UInt32(truncatingIfNeeded: seed &* 0x9E37_79B9_7F4A_7C15 >> 32) }

    mutating func beginDump() {
        let count = 250 + Int(seed % 100)
        let time = ephemerisTime.map { UInt32($0) } ?? 0
        dump = DatabaseDump(
            count: count,
            stamp: DatabaseStamp(serial: databaseSerial, ephemerisTime: time, index: 0, count: UInt16(count)))
        continueDump()
    }

    /// Sends the next entries of the navigation database's dump, as long as few bytes wait to be sent.
    mutating func continueDump() {
        while var dump, transmit.count < dumpLowWater {
            guard dump.next < dump.count else {
                self.dump = nil
                let count = UInt32(dump.count)
                return answer {
                    MgaACK(type: 1, version: 0, infoCode: 0, acknowledgedID: 0x80, payloadStart: count)
                        .encoded(into: &$0)
                }
            }
            var stamp = dump.stamp
            stamp.index = UInt16(dump.next)
            var payload: [UInt8] = []
            stamp.appendPayload(to: &payload)
            answer { UBXEncoder.append(.mgaDBD, payload: payload.span, into: &$0) }
            dump.next += 1
            self.dump = dump
        }
    }

    /// Takes an entry of an earlier dump that the host sends back; returns nil if the entry is accepted, otherwise the
    /// reason for the refusal.
    mutating func restore(_ payload: ArraySlice<UInt8>) -> MgaACK.Reason? {
        guard memory.isTimeKnown else { return .timeUnknown }
        guard let stamp = DatabaseStamp(payload: payload), stamp.serial == databaseSerial else { return .notStored }
        var database = restoring ?? DatabaseRestoration(stamp)
        if !database.isSameDump(stamp) { database = DatabaseRestoration(stamp) }
        database.take(stamp)
        restoring = database
        if database.isUseful {
            memory.ephemerisTime = max(memory.ephemerisTime ?? 0, Double(database.ephemerisTime))
            reconsiderSearch()
        }
        return nil
    }

    /// Takes the time from the host; a time whose error exceeds its stated accuracy misleads the search for satellites.
    mutating func aidTime(_ told: UTCInstant?, accuracySeconds: Double) {
        guard let told else { return }
        memory.isTimeBad = abs(told.seconds - utc(now)) > accuracySeconds
        memory.isTimeKnown = true
        reconsiderSearch()
    }

    // MARK: Sleep

    /// Schedules the receiver's sleep, which begins after the answer to the command has been sent.
    mutating func sleepSoon(for milliseconds: UInt32, until sources: WakeSources, losingRAM: Bool = true) {
        fallAsleep(
            after: max(sleepDelay, autonomousWork), for: milliseconds == 0 ? nil : Int64(milliseconds) * 1_000_000,
            until: sources, losingRAM: losingRAM)
    }

    /// The nanoseconds until AssistNow Autonomous has computed its orbits, 0 if it is idle; it computes for 15 s,
    /// beginning after 30 s of tracking.
    var autonomousWork: Int64 {
        guard phase == .tracking, settings.assistsItself, model.family == .ublox6to8 || model.family == .ublox9and10
        else { return 0 }
        let begin = trackingSince + 30_000_000_000
        let end = begin + 15_000_000_000
        return now >= begin && now < end ? end - now : 0
    }
}
