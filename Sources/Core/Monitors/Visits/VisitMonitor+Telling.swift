internal import SextantUnits

/// Reports arrivals and departures, each once.
extension VisitMonitor {
    mutating func tellIfLongEnough(into events: inout [VisitEvent]) {
        guard let stay, stay.told == nil, stay.away == nil, let last = track.last,
            stay.lastInside.seconds(since: stay.arrival) >= settings.minimumStay, isBeyondJump
        else { return }
        tellArrival(confirmed: last.instant, isSeen: true, into: &events)
    }

    /// Whether the stay is certainly no error jump of the receiver: there are enough fixes at the place, or a pause
    /// among them, or the place is known.
    var isBeyondJump: Bool {
        guard let stay else { return false }
        if stay.insideCount >= VisitRules.longestJump { return true }
        let span = stay.lastInside.seconds(since: stay.firstInside)
        return span - stay.weight >= VisitRules.pause || knownPlace(at: stay) != nil
    }

    private func knownPlace(at stay: Stay) -> Int? {
        let coordinate = track.frame.coordinate(of: stay.middle)
        let doubt = min(max(1.5 * stay.spread + 20, 40), 60)
        return places.index(latitude: coordinate.latitude, longitude: coordinate.longitude, doubt: doubt)
    }

    /// The confidence in a stay, 0 to 1, which is higher with more fixes at the place and where the place is known.
    private func confidence(of stay: Stay, isSeen: Bool) -> Double {
        guard !stay.isWide else { return VisitRules.wideConfidence }
        let evidence = min(Double(stay.insideCount) / 12, 1)
        return (isSeen ? 0.7 : 0.6) + 0.2 * evidence + (knownPlace(at: stay) == nil ? 0 : 0.05)
    }

    /// - Parameter isSeen: Whether fixes show how long the stay lasted; false if the stay is assumed to go on because
    ///   no fixes come.
    mutating func tellArrival(confirmed: MonotonicInstant, isSeen: Bool, into events: inout [VisitEvent]) {
        guard var stay else { return }
        let confidence = confidence(of: stay, isSeen: isSeen)
        let visit = nextVisit
        nextVisit += 1
        let coordinate = track.frame.coordinate(of: stay.middle)
        let place =
            knownPlace(at: stay).map { places.revisit($0, visit: visit) }
            ?? places.add(
                latitude: coordinate.latitude, longitude: coordinate.longitude, spread: stay.spread, visit: visit)
        stay.told = ToldVisit(
            visit: visit, place: place.id, latitude: place.latitude, longitude: place.longitude, radius: reach,
            confidence: confidence)
        self.stay = stay
        generation &+= 1
        events.append(event(.arrival, of: stay, departure: nil, confirmed: confirmed))
    }

    mutating func tellDeparture(
        of stay: Stay, at departure: MonotonicInstant, confirmed: MonotonicInstant, into events: inout [VisitEvent]
    ) {
        guard let told = stay.told else { return }
        let coordinate = track.frame.coordinate(of: stay.middle)
        places.learn(
            id: told.place, latitude: coordinate.latitude, longitude: coordinate.longitude, spread: stay.spread,
            weight: stay.weight)
        generation &+= 1
        events.append(event(.departure, of: stay, departure: departure, confirmed: confirmed))
    }

    private func event(
        _ kind: VisitEvent.Kind, of stay: Stay, departure: MonotonicInstant?, confirmed: MonotonicInstant
    ) -> VisitEvent {
        let told = stay.told
        let coordinate = track.frame.coordinate(of: stay.middle)
        return VisitEvent(
            kind: kind, visit: told?.visit ?? 0, place: told?.place ?? 0,
            arrival: stay.isArrivalKnown ? stay.arrival : nil, since: stay.arrival, departure: departure,
            confirmed: confirmed, latitude: told?.latitude ?? coordinate.latitude,
            longitude: told?.longitude ?? coordinate.longitude, horizontalAccuracy: told?.radius ?? reach,
            confidence: told?.confidence ?? 0)
    }
}
