internal import GNSS
public import SextantUnits
public import UBX

/// The assembly of epochs from UBX messages.
extension EpochAssembler {
    /// Takes a UBX frame's payload; messages without a time of week do not concern an epoch.
    ///
    /// - Throws: The fault of the payload; the epoch stays as if the frame had not come.
    public mutating func push(
        _ id: UBXMessageID, payload: borrowing Span<UInt8>, at instant: MonotonicInstant
    ) throws(UBXPayloadError) {
        closedCount = 0
        lastByte = instant
        guard id.messageClass == 0x01 || id == .hnrPVT else { return }
        switch id {
        case .navPVT: try add(NavPVT(payload: payload), at: instant)
        case .navSAT: try add(NavSAT(payload: payload), payload, at: instant)
        case .navSVINFO: try add(NavSVINFO(payload: payload), payload, at: instant)
        case .navDOP:
            let message = try NavDOP(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) {
                ubx.add(message, to: &open.fix)
                // The satellites came without dilutions, so their SKY has those of its geometry.
                if open.hasSky { open.skyDilution = DilutionOfPrecision() }
            }
        case .navSOL:
            let message = try NavSOL(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navSTATUS:
            let message = try NavSTATUS(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navPOSLLH:
            let message = try NavPOSLLH(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navHPPOSLLH:
            let message = try NavHPPOSLLH(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navVELNED:
            let message = try NavVELNED(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navPOSECEF:
            let message = try NavPOSECEF(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navVELECEF:
            let message = try NavVELECEF(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navTIMEUTC:
            let message = try NavTIMEUTC(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message) }
        case .navTIMEGPS:
            let message = try NavTIMEGPS(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navTIMELS:
            // As the answer to a question it may come when its epoch has closed, and it holds for the next one too; so it
            // neither begins nor ends an epoch.
            let message = try NavTIMELS(payload: payload)
            if message.areLeapSecondsValid {
                leapSeconds = Int16(message.leapSeconds)
                leap = LeapKnowledge(message)
            }
            return
        case .hnrPVT:
            let message = try HnrPVT(payload: payload)
            if join(message.timeOfWeekMilliseconds, at: instant) { ubx.add(message, to: &open.fix) }
        case .navEOE:
            let message = try NavEOE(payload: payload)
            end(message.timeOfWeekMilliseconds, at: instant)
            lastKind = MessageKind(id)
            return
        default: return
        }
        ended(with: MessageKind(id), canEnd: true)
    }
}

extension EpochAssembler {
    private mutating func add(_ pvt: NavPVT, at instant: MonotonicInstant) {
        let utc = pvt.utc
        if pvt.isTimeFullyResolved, pvt.isTimeValid, let utc {
            leapMilliseconds = EpochKey.leap(timeOfWeek: pvt.timeOfWeekMilliseconds, utc: utc) ?? leapMilliseconds
        }
        if join(pvt.timeOfWeekMilliseconds, at: instant) {
            ubx.add(pvt, utc: utc, to: &open.fix)
            open.isTimeResolved = pvt.isTimeFullyResolved
        }
    }

    private mutating func add(_ view: NavSAT, _ payload: borrowing Span<UInt8>, at instant: MonotonicInstant) {
        _ = join(view.timeOfWeekMilliseconds, at: instant)
        open.satellites.removeAll(keepingCapacity: true)
        view.append(satellitesIn: payload, to: &open.satellites, limit: SkyAssembler.capacity)
        open.hasSky = true
    }

    private mutating func add(_ view: NavSVINFO, _ payload: borrowing Span<UInt8>, at instant: MonotonicInstant) {
        _ = join(view.timeOfWeekMilliseconds, at: instant)
        guard !open.hasSky else { return }
        for index in 0..<view.count where open.satellites.count < SkyAssembler.capacity {
            guard let satellite = view.satellite(at: index, in: payload) else { continue }
            open.satellites.append(satellite)
        }
        open.hasSky = true
    }

    /// Makes the open epoch the one of this time of week.
    ///
    /// - Returns: False where that epoch is closed already, so that only its sky may still be used.
    private mutating func join(_ timeOfWeek: UInt32, at instant: MonotonicInstant) -> Bool {
        let joined = begin(timeOfWeek, at: instant)
        guard !isLate(joined) else {
            noteLateness()
            return false
        }
        if !hasContent { open.firstByte = instant }
        hasContent = true
        return true
    }

    /// Closes the open epoch if this time of week belongs to another epoch.
    ///
    /// - Returns: The key of the time, by the leap seconds that the closed epoch may have given.
    private mutating func begin(_ timeOfWeek: UInt32, at instant: MonotonicInstant) -> EpochKey {
        let next = EpochKey(timeOfWeek: timeOfWeek, leapMilliseconds: leapMilliseconds)
        begin(next, at: instant, repeats: .none, hasFix: nil)
        let renewed = EpochKey(timeOfWeek: timeOfWeek, leapMilliseconds: leapMilliseconds)
        if key == next { key = renewed }
        return renewed
    }

    /// Closes the epoch of this time of week, or drops it where it has no content.
    private mutating func end(_ timeOfWeek: UInt32, at instant: MonotonicInstant) {
        let ended = begin(timeOfWeek, at: instant)
        if isLate(ended) {
            noteLateness()
        } else if hasContent {
            close()
        } else {
            key = nil
        }
    }
}

extension LeapKnowledge {
    init(_ message: NavTIMELS) {
        // 0 is the firmware's default and 255 unknown.
        self.init(
            isFromSatellites: ![0, 255].contains(message.sourceOfCurrent),
            change: message.isEventValid ? message.change : 0, secondsToChange: message.secondsToEvent)
    }
}
