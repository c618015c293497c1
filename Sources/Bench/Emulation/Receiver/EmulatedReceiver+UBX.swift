import Receivers
import UBX

extension EmulatedReceiver {
    /// Obeys a complete UBX frame, whose checksum has been verified.
    mutating func obeyFrame(_ frame: [UInt8]) {
        let id = UBXFraming.identifier(of: frame.span)
        let payload = Array(frame[UBXFraming.payloadRange(frameLength: frame.count)])
        if id.messageClass == UBXMessageID.cfgPRT.messageClass { return configure(id, payload) }
        if options.faults.contains(.refusesAll), id != .monVER { return }
        switch id {
        case .monVER where payload.isEmpty:
            if let version = personality.version { answer { version.encoded(into: &$0) } }
        case .monRXR where payload.isEmpty: answer { MonRXR(isAwake: true).encoded(into: &$0) }
        case .navAOPSTATUS where payload.isEmpty: answerAutonomousStatus()
        case .navTIMELS where payload.isEmpty: answerLeapSeconds()
        case .rxmPMREQ: obeyPowerRequest(payload)
        case .mgaINI where personality.isProtocol18: assist(payload)
        case .mgaDBD where personality.isProtocol18:
            if payload.isEmpty {
                beginDump()
            } else {
                acknowledgeAid(id, payload, refusal: restore(payload[...]))
            }
        case .updSOS where personality.hasFlash: saveOrClear(payload)
        default: break
        }
    }

    private mutating func answerLeapSeconds() {
        var leap = NavTIMELS()
        (leap.sourceOfCurrent, leap.leapSeconds, leap.validityFlags) = (2, 18, 1)
        answer { leap.encoded(into: &$0) }
    }

    private mutating func answerAutonomousStatus() {
        // In the payload bit 0 of byte 4 tells whether AssistNow Autonomous is enabled; byte 5 is 0 while AssistNow
        // Autonomous is idle. Source: UBX-13003221, NAV-AOPSTATUS.
        var payload = [UInt8](repeating: 0, count: 16)
        payload[4] = settings.assistsItself ? 1 : 0
        payload[5] = autonomousWork > 0 ? 1 : 0
        answer { UBXEncoder.append(.navAOPSTATUS, payload: payload.span, into: &$0) }
    }

    // MARK: RXM-PMREQ

    private mutating func obeyPowerRequest(_ payload: [UInt8]) {
        guard let request = try? RxmPMREQ(payload: payload.span), request.isBackup else { return }
        switch request.form {
        case .short:
            // Without the flag `force` a receiver at USB does not sleep, and an M9 or M10 can acknowledge the request
            // and stay awake at any port.
            guard model.family == .ublox6to8, !options.isAtUSB else { return acknowledge(.rxmPMREQ, true) }
            announceSleep(for: request.durationMilliseconds, until: .all)
        case .long(let force, let sources):
            guard personality.isProtocol18 else { return }
            guard force || model.family == .ublox6to8 && !options.isAtUSB else {
                return acknowledge(.rxmPMREQ, true)
            }
            var wakeSources: WakeSources = []
            // The USB port sleeps together with the receiver, so bytes sent to this port do not wake the receiver.
            if sources.contains(.uartRX), !options.isAtUSB { wakeSources.insert(.uart) }
            if sources.contains(.extint0) { wakeSources.insert(.line) }
            announceSleep(for: request.durationMilliseconds, until: wakeSources)
        }
    }

    private mutating func announceSleep(for milliseconds: UInt32, until sources: WakeSources) {
        if settings.wakeState > 0, settings.sendsUBX { answer { MonRXR(isAwake: false).encoded(into: &$0) } }
        sleepSoon(for: milliseconds, until: sources)
    }

    // MARK: Assistance

    private mutating func assist(_ payload: [UInt8]) {
        guard let type = payload.first else { return }
        var refusal: MgaACK.Reason?
        if type == 0x10 {
            if let time = try? MgaINITimeUTC(payload: payload.span) {
                let accuracy = Double(time.accuracySeconds) + Double(time.accuracyNanoseconds) / 1e9
                aidTime(time.utc, accuracySeconds: accuracy)
            } else {
                refusal = .wrongSize
            }
        } else if type == 0x01 {
            if let place = try? MgaINIPosLLH(payload: payload.span) {
                aidPosition(place)
            } else {
                refusal = .wrongSize
            }
        } else {
            refusal = .typeUnknown
        }
        acknowledgeAid(.mgaINI, payload, refusal: refusal)
    }

    /// Takes the receiver's position from the host; the position counts as unknown if its error exceeds both 100 km and
    /// the accuracy that the host stated.
    private mutating func aidPosition(_ place: MgaINIPosLLH) {
        let truth = trajectory.position(at: utc(now))
        let scale = LocalScale(latitude: truth.latitude)
        let north = (Double(place.latitudeE7) / 1e7 - truth.latitude) * scale.metresPerDegreeNorth
        let east =
            shortestTurn(from: truth.longitude, to: Double(place.longitudeE7) / 1e7) * scale.metresPerDegreeEast
        let error = (north * north + east * east).squareRoot()
        memory.isPositionKnown = error <= max(100_000, Double(place.accuracyCentimetres) / 100)
        reconsiderSearch()
    }

    private mutating func acknowledgeAid(_ id: UBXMessageID, _ payload: [UInt8], refusal: MgaACK.Reason?) {
        guard settings.acknowledgesAiding else { return }
        let start = payload.prefix(4).enumerated().reduce(0 as UInt32) { $0 | UInt32($1.element) << (8 * $1.offset) }
        let message = MgaACK(
            type: refusal == nil ? 1 : 0, version: 0, infoCode: (refusal ?? .accepted).rawValue, acknowledgedID: id.id,
            payloadStart: start)
        answer { message.encoded(into: &$0) }
    }

    // MARK: UPD-SOS

    private mutating func saveOrClear(_ payload: [UInt8]) {
        guard !payload.isEmpty else {
            let answered = UpdSOS.restoration(restoration)
            return answer { answered.encoded(into: &$0) }
        }
        switch try? UpdSOS(payload: payload.span) {
        case .createBackup?:
            // A backup in flash is made only while GNSS is stopped and the time is known.
            let isSaved = phase == .stopped && memory.isTimeKnown
            if isSaved { savedOnFlash = (memory, layers.batteryBacked) }
            answer { UpdSOS.backupCreated(isSaved).encoded(into: &$0) }
        case .clearBackup?:
            savedOnFlash = nil
            acknowledge(.updSOS, true)
        case .backupCreated?, .restoration?, nil: break
        }
    }
}
