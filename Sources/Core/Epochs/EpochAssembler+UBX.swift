internal import GNSS
public import SextantUnits
public import UBX

/// The assembly of epochs from UBX messages.
extension EpochAssembler {
    /// Takes a UBX frame's payload; messages that belong to no epoch are ignored.
    ///
    /// - Throws: The error of the payload; the open epoch is then unchanged.
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
                current.ubx.add(message, to: &open.fix)
                // The satellites came before this NAV-DOP, thus without dilutions, so gpsd's SKY report gets dilutions
                // computed from the satellites' geometry.
                if open.hasSky { open.skyDilution = DilutionOfPrecision() }
            }
        case .navSOL: try gather(NavSOL(payload: payload), at: instant) { $0.add($1, to: &$2) }
        case .navSTATUS: try gather(NavSTATUS(payload: payload), at: instant) { $0.add($1, to: &$2) }
        case .navPOSLLH: try gather(NavPOSLLH(payload: payload), at: instant) { $0.add($1, to: &$2) }
        case .navHPPOSLLH: try gather(NavHPPOSLLH(payload: payload), at: instant) { $0.add($1, to: &$2) }
        case .navVELNED: try gather(NavVELNED(payload: payload), at: instant) { $0.add($1, to: &$2) }
        case .navPOSECEF: try gather(NavPOSECEF(payload: payload), at: instant) { $0.add($1, to: &$2) }
        case .navVELECEF: try gather(NavVELECEF(payload: payload), at: instant) { $0.add($1, to: &$2) }
        case .navTIMEUTC: try gather(NavTIMEUTC(payload: payload), at: instant) { ubx, time, _ in ubx.add(time) }
        case .navTIMEGPS: try gather(NavTIMEGPS(payload: payload), at: instant) { $0.add($1, to: &$2) }
        case .navTIMELS:
            // A NAV-TIMELS that answers a poll can come after its epoch has closed, and its leap seconds hold for the
            // next epoch too. So a NAV-TIMELS neither begins nor ends an epoch.
            let message = try NavTIMELS(payload: payload)
            if message.areLeapSecondsValid {
                leapSeconds = Int16(message.leapSeconds)
                open.leap = LeapKnowledge(message)
            }
            return
        case .hnrPVT: try gather(HnrPVT(payload: payload), at: instant) { $0.add($1, to: &$2) }
        case .navEOE:
            let message = try NavEOE(payload: payload)
            end(message.timeOfWeekMilliseconds, at: instant)
            _ = order.heard(MessageKind(id))
            return
        default: return
        }
        ended(with: MessageKind(id), canEnd: true)
    }
}

extension EpochAssembler {
    /// Adds a message's values to the epoch of its time of week, unless that epoch is already closed.
    private mutating func gather<Message: NavigationSolutionMessage>(
        _ message: Message, at instant: MonotonicInstant, _ add: (inout UBXEvidence, Message, inout Fix) -> Void
    ) {
        if join(message.timeOfWeekMilliseconds, at: instant) { add(&current.ubx, message, &open.fix) }
    }

    private mutating func add(_ pvt: NavPVT, at instant: MonotonicInstant) {
        let utc = pvt.utc
        if pvt.isTimeFullyResolved, pvt.isTimeValid, let utc {
            leapMilliseconds = EpochKey.leap(timeOfWeek: pvt.timeOfWeekMilliseconds, utc: utc) ?? leapMilliseconds
        }
        if join(pvt.timeOfWeekMilliseconds, at: instant) {
            current.ubx.add(pvt, utc: utc, to: &open.fix)
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

    /// Opens the epoch of this time of week, after closing the open epoch if that has another time.
    ///
    /// - Returns: False where the epoch of this time of week is already closed; then only a sky view can still be used.
    private mutating func join(_ timeOfWeek: UInt32, at instant: MonotonicInstant) -> Bool {
        let joined = begin(timeOfWeek, at: instant)
        guard !isLate(joined) else {
            noteLateness()
            return false
        }
        enter(at: instant)
        return true
    }

    /// Closes the open epoch if this time of week belongs to another epoch.
    ///
    /// - Returns: The time of week as UTC time of day, computed with the leap seconds that are known after the closing.
    private mutating func begin(_ timeOfWeek: UInt32, at instant: MonotonicInstant) -> EpochKey {
        let next = EpochKey(timeOfWeek: timeOfWeek, leapMilliseconds: leapMilliseconds)
        begin(next, at: instant, repeats: .none, hasFix: nil)
        let renewed = EpochKey(timeOfWeek: timeOfWeek, leapMilliseconds: leapMilliseconds)
        if current.key == next { current.key = renewed }
        return renewed
    }

    /// Closes the epoch of this time of week; if no message of that epoch came, only forgets its time.
    private mutating func end(_ timeOfWeek: UInt32, at instant: MonotonicInstant) {
        let ended = begin(timeOfWeek, at: instant)
        if isLate(ended) {
            noteLateness()
        } else if current.hasContent {
            close()
        } else {
            current.key = nil
        }
    }
}

extension LeapKnowledge {
    init(_ message: NavTIMELS) {
        // As the source of leap seconds, 0 means the firmware's default and 255 an unknown source.
        self.init(
            isFromSatellites: ![0, 255].contains(message.sourceOfCurrent),
            change: message.isEventValid ? message.change : 0, secondsToChange: message.secondsToEvent)
    }
}
