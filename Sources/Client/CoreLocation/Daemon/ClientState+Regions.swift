internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

extension ClientState {
    mutating func takeRegionLine(_ line: DaemonLine, _ client: LocationClient) -> [EventDelivery] {
        switch line.event {
        case .registration:
            registry.note(line)
            return []
        case .registrations:
            finishAsking()
            return retell(client, isLastTry: true)
        case .regionState: return takeRegionState(line)
        case .regionEvent where line.saysNothingToCoreLocation:
            // A dwell event (the device stayed in a region) reaches no delegate or monitor, because Core Location has
            // no callback for it.
            if let number = line.number { acknowledge(number) }
            return []
        case .regionEvent where line.monitor != nil: return isRepeated(line) ? [] : takeCondition(line)
        case .regionEvent: return takeNumbered(line, client)
        default: return takeRegistrationAnswer(line)
        }
    }

    /// Adopts the list of registered regions that the daemon has sent, and wakes the callers that wait for the list.
    mutating func finishAsking() {
        registry.finishAsking()
        handOver.effects += registryWaiters
        registryWaiters = []
    }

    private mutating func takeRegistrationAnswer(_ line: DaemonLine) -> [EventDelivery] {
        guard let identifier = line.identifier else { return refusal(nil, line) }
        if let code = line.delay { return delay(identifier, code, line) }
        registry.answered(RegionRegistry.Key(monitor: line.monitor, identifier: identifier))
        if let monitor = line.monitor {
            guard line.event == .monitoringFailed, let sink = monitors[monitor]?.sink else { return [] }
            return [EventDelivery(event: .conditionRefused(identifier: identifier, line.refusal), sinks: [sink])]
        }
        guard let region = registry.regions[identifier]?.watched.region(identifier) else { return [] }
        guard line.event == .monitoring else {
            registry.refuse(identifier)
            askRegistrations()
            return refusal(region, line)
        }
        registry.confirm(identifier)
        // The daemon keeps the region of a program without authorization, and watches the region once the program is
        // authorized.
        let denial = denialReason.map { CLError(.regionMonitoringDenied, because: $0) }
        let event = denial.map { ClientEvent.monitoringFailed(region, $0) } ?? .monitoringStarted(region)
        return [EventDelivery(event: event, sinks: managers)]
    }

    private func refusal(_ region: CLRegion?, _ line: DaemonLine) -> [EventDelivery] {
        guard line.event == .monitoringFailed, line.monitor == nil else { return [] }
        let code = line.errorCode.flatMap(CLError.Code.init) ?? .regionMonitoringFailure
        let error = CLError(code, because: line.reason.map(CLError.Reason.init))
        return [EventDelivery(event: .monitoringFailed(region, error), sinks: managers)]
    }

    /// Handles a line which says that a region is monitored, but that a larger region about the same centre would work
    /// better.
    private func delay(_ identifier: String, _ code: CLError.Code, _ line: DaemonLine) -> [EventDelivery] {
        guard let watched = registry.watched(identifier) else { return [] }
        let error = CLError(
            code, because: line.reason.map(CLError.Reason.init),
            alternate: watched.withRadius(line.number(.radius)).region(identifier))
        let region = watched.region(identifier)
        return [EventDelivery(event: .monitoringFailed(region, error), sinks: managers)]
    }

    /// Gives a condition's event to its `CLMonitor`; if the program has not opened this monitor, keeps the event until
    /// it is opened.
    mutating func takeCondition(_ line: DaemonLine) -> [EventDelivery] {
        guard let sink = line.monitor.flatMap({ monitors[$0]?.sink }) else {
            numbered.keep(line)
            return []
        }
        if let number = line.number { numbered.depart(number) }
        return [EventDelivery(event: .conditionChanged(line), sinks: [sink])]
    }

    /// Asks the daemon to watch a region or a `CLMonitor` condition; false if too many unread requests wait for the
    /// daemon.
    mutating func monitor(
        _ watched: WatchedRegion, _ key: RegionRegistry.Key, cushion: Double?, assumed: AssumedState?
    ) -> Bool {
        let name = newName("region")
        var onDisplay: Bool?
        if case .beacons(_, notifiesOnDisplay: true) = watched.shape { onDisplay = true }
        let line = DaemonRequest(.monitorRegion).with(.id, name).with(.identifier, key.identifier)
            .with(watched.shape).with(.notifyEntryStateOnDisplay, onDisplay)
            .with(.notifyOnEntry, watched.notifyOnEntry ? nil : false)
            .with(.notifyOnExit, watched.notifyOnExit ? nil : false).with(.within, watched.within)
            .with(.cushion, cushion).with(.monitor, key.monitor).with(.assumed, assumed?.rawValue)
        guard order(line) else { return false }
        registry.await(key, under: name)
        return true
    }

    /// The event that makes every open `CLMonitor` request again the conditions that the daemon refused.
    func roomMade() -> [EventDelivery] {
        let sinks = monitors.keys.sorted().compactMap { monitors[$0]?.sink }
        return sinks.isEmpty ? [] : [EventDelivery(event: .roomMade, sinks: sinks)]
    }

    mutating func sayStateQuestion(_ name: String) {
        guard let question = stateQuestions[name] else { return }
        let isKnown = registry.watched(question.region.identifier) != nil
        send(
            DaemonRequest(.regionState).with(.id, name).with(.identifier, question.region.identifier)
                .with(isKnown ? nil : WatchedRegion(question.region)?.shape))
    }

    private mutating func takeRegionState(_ line: DaemonLine) -> [EventDelivery] {
        guard let name = line.id, let question = stateQuestions.removeValue(forKey: name), let sink = question.sink
        else { return [] }
        return [EventDelivery(event: .regionState(question.region, CLRegionState(line)), sinks: [sink])]
    }
}

extension CLRegionState {
    init(_ line: DaemonLine) {
        self =
            switch line.state {
            case .inside: .inside
            case .outside: .outside
            case .unknown, nil: .unknown
            }
    }
}

extension DaemonLine {
    /// The error code for delayed monitoring in a line of the daemon (the setup or the response is delayed); nil if the
    /// line has neither.
    fileprivate var delay: CLError.Code? {
        let delays: [CLError.Code] = [.regionMonitoringSetupDelayed, .regionMonitoringResponseDelayed]
        return event == .monitoringFailed ? delays.first { $0.rawValue == errorCode } : nil
    }

    /// The reason that a line of the daemon gives for not watching a condition.
    fileprivate var refusal: SessionDiagnostics {
        switch reason {
        case .wakeOff: .authorizationRestricted
        case .impossible, .noRadio: .conditionUnsupported
        default: .conditionLimitExceeded
        }
    }

    /// Whether Core Location has no callback for the region event in this line: a dwell, or an event unknown to this
    /// version.
    fileprivate var saysNothingToCoreLocation: Bool {
        // A `CLMonitor` condition ignores only dwell events; all its other events report the condition's state.
        transition == .dwell || (monitor == nil && transition == nil)
    }
}
