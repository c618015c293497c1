internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

extension ClientState {
    /// Handles a request that the daemon refused: reports the request's failure, and prints the daemon's message on
    /// standard error, for each kind of error only the first time.
    mutating func takeError(_ line: DaemonLine) -> [EventDelivery] {
        if let message = line.text(.message), complaints.insert(line.text(.code) ?? message).inserted {
            handOver.effects.append { Complaint.print("sextantd: \(message)") }
        }
        if line.isUnserved, registry.isAsking { finishAsking() }
        guard let name = line.id else { return [] }
        if MonitoredService(switched: name) != nil {
            let failure = ClientEvent.failed(
                line.isUnserved ? .denied : .locationUnknown, of: CLLocationManager.nobody, reason: line.cause)
            return [EventDelivery(event: failure, sinks: managers)]
        }
        if let key = registry.takeOpen(name) { return refuse(key, line) }
        if line.isUnserved, let sink = holds.values.first(where: { $0.name == name })?.sink {
            return [EventDelivery(event: .diagnostics(.authorizationDenied, isActive: false), sinks: [sink])]
        }
        if histories[name] != nil { return endHistory(name, .historicalLocationError) }
        if let question = stateQuestions.removeValue(forKey: name), let sink = question.sink {
            return [EventDelivery(event: .regionState(question.region, .unknown), sinks: [sink])]
        }
        return sessions.keys.sorted().flatMap { refuse(name, of: $0, line) }
    }

    private mutating func refuse(_ key: RegionRegistry.Key, _ line: DaemonLine) -> [EventDelivery] {
        if let monitor = key.monitor {
            guard let sink = monitors[monitor]?.sink else { return [] }
            let flags: SessionDiagnostics =
                line.isUnserved
                ? .authorizationDenied : line.isNotStored ? .persistenceUnavailable : .conditionUnsupported
            let event = ClientEvent.conditionRefused(identifier: key.identifier, flags)
            return [EventDelivery(event: event, sinks: [sink])]
        }
        guard let region = registry.regions[key.identifier]?.watched.region(key.identifier) else { return [] }
        registry.refuse(key.identifier)
        let code: CLError.Code = line.isUnserved ? .regionMonitoringDenied : .regionMonitoringFailure
        return [EventDelivery(event: .monitoringFailed(region, CLError(code, because: line.cause)), sinks: managers)]
    }

    private mutating func refuse(_ name: String, of number: Int, _ line: DaemonLine) -> [EventDelivery] {
        guard let session = sessions[number], let sink = session.sink else { return [] }
        let code: CLError.Code = line.isUnserved ? .denied : .locationUnknown
        if session.locate?.name == name {
            sessions[number]?.locate = nil
            return [EventDelivery(event: .failed(code, of: name, reason: line.cause), sinks: [sink])]
        }
        if let watch = session.watch, watch.name == name {
            let isLiveAndDenied = watch.settings.isLive && code == .denied
            let event: ClientEvent =
                isLiveAndDenied
                ? .diagnostics(.authorizationDenied, isActive: false)
                : .failed(code, of: name, reason: line.cause)
            return [EventDelivery(event: event, sinks: [sink])]
        }
        if session.heading?.name == name {
            return [EventDelivery(event: .failed(code, of: name, reason: line.cause), sinks: [sink])]
        }
        if session.deferral?.name == name {
            sessions[number]?.deferral = nil
            return [EventDelivery(event: .deferralFinished(.deferredFailed), sinks: [sink])]
        }
        if let event = refuseRanging(name, of: number, isDenied: code == .denied, because: line.cause) {
            return [EventDelivery(event: event, sinks: [sink])]
        }
        guard session.fullAccuracy[name] != nil else { return [] }
        sessions[number]?.fullAccuracy[name] = nil
        return [EventDelivery(event: .fullAccuracy(of: name, .promptDeclined), sinks: [sink])]
    }
}

extension DaemonLine {
    /// Whether the daemon refuses this program all services.
    ///
    /// Either no manifest names the program, or its manifest requires hardware that the board does not have.
    fileprivate var isUnserved: Bool { code == .noManifest || code == .unmetRequirement }

    fileprivate var cause: CLError.Reason {
        if isNotStored { return .notStored }
        return switch code {
        case .noManifest: .noManifest
        case .unmetRequirement: .unmetRequirement
        default: .refused(text(.message))
        }
    }

    /// Whether the daemon refused a change because it could not store the change on the SD card.
    fileprivate var isNotStored: Bool { code == .notStored || code == .storeBusy }
}
