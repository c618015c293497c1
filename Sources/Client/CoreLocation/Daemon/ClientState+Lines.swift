internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

extension ClientState {
    /// Handles one line (a JSON object) from the daemon, and returns the resulting events with the objects to which
    /// they go.
    mutating func take(_ line: DaemonLine, _ client: LocationClient) -> [EventDelivery] {
        switch line.event {
        case .hello: return greet(line)
        case .capabilities:
            let capabilities = Set(line.texts(.capabilities))
            // The board has got a Bluetooth radio, so the beacon conditions that the daemon refused without one are
            // requested again.
            let hasNewRadio = capabilities.contains("beacons") && greeting?.capabilities.contains("beacons") == false
            greeting?.capabilities = capabilities
            return hasNewRadio ? roomMade() : []
        // Conditions of a `CLMonitor` that the daemon refused are requested again, because the new authorization may
        // allow them.
        case .authorization: return line.authorization.map { authorize($0) + roomMade() } ?? []
        case .watching: return takeWatching(line)
        case .location: return takeLocation(line, client)
        case .heading, .watchingHeading, .headingCalibration: return takeHeading(line)
        case .ranging, .rangingFailed, .beacons: return takeRanging(line)
        case .failed: return line.errorCode == CLError.headingFailure.rawValue ? takeHeading(line) : takeFailed(line)
        case .paused, .resumed: return takePause(line)
        case .deferredFinished: return takeDeferralEnd(line)
        case .fullAccuracy: return takeFullAccuracy(line)
        case .sessionDiagnostics: return takeSessionDiagnostics(line)
        case .liveDiagnostics: return toSession(line, .diagnostics(line.flags, isActive: line.flag(.active) ?? false))
        case .monitoring, .monitoringFailed, .regionEvent, .regionState, .registration, .registrations:
            return takeRegionLine(line, client)
        case .visit: return takeNumbered(line, client)
        case .trackPoint, .history: return takeHistory(line)
        case .pong: return takeBeacons() + takePong(line)
        case .error: return takeError(line)
        default: return []
        }
    }

    private func toSession(_ line: DaemonLine, _ event: ClientEvent) -> [EventDelivery] {
        guard let sink = sessions[line.session ?? 0]?.sink else { return [] }
        return [EventDelivery(event: event, sinks: [sink])]
    }

    private mutating func takeWatching(_ line: DaemonLine) -> [EventDelivery] {
        let number = line.session ?? 0
        guard line.isEnabled, let watch = sessions[number]?.watch, line.id == watch.name else { return [] }
        sessions[number]?.watch?.isConfirmed = true
        return []
    }

    private mutating func takeLocation(_ line: DaemonLine, _ client: LocationClient) -> [EventDelivery] {
        if line.isSignificantChange { return takeNumbered(line, client) }
        let number = line.session ?? 0
        guard let session = sessions[number], let sink = session.sink else { return [] }
        if let locate = session.locate, session.watch == nil {
            // A line without the name of the request for one location belongs to updates that have ended.
            guard line.id == locate.name else { return [] }
            sessions[number]?.locate = nil
            guard let location = line.location else {
                return [EventDelivery(event: .failed(.locationUnknown, of: locate.name), sinks: [sink])]
            }
            let event = ClientEvent.locations([location], of: locate.name, isDeferred: false)
            return [EventDelivery(event: event, sinks: [sink])]
        }
        guard let location = line.location else { return [] }
        return takeReport(location, line, number)
    }

    /// Handles a location of running updates: a single location, or one of an array of deferred locations.
    private mutating func takeReport(_ location: CLLocation, _ line: DaemonLine, _ number: Int) -> [EventDelivery] {
        guard let session = sessions[number], let watch = session.watch, watch.isConfirmed else { return [] }
        sessions[number]?.watch?.skipsRepeat = false
        if watch.skipsRepeat, watch.lastTimestamp == location.timestamp { return [] }
        sessions[number]?.watch?.lastTimestamp = location.timestamp
        if session.deferral != nil, session.deferral?.origin == nil { sessions[number]?.deferral?.origin = location }
        return resumed(number) + takePart(location, line, number)
    }

    /// If updates are paused, reports that they have resumed, because a location came, for example after a
    /// reconnection.
    private mutating func resumed(_ number: Int) -> [EventDelivery] {
        guard let watch = sessions[number]?.watch, watch.isPaused, let sink = sessions[number]?.sink else { return [] }
        sessions[number]?.watch?.isPaused = false
        return [EventDelivery(event: .resumed(of: watch.name), sinks: [sink])]
    }

    private mutating func takePart(_ location: CLLocation, _ line: DaemonLine, _ number: Int) -> [EventDelivery] {
        guard let watch = sessions[number]?.watch, let sink = sessions[number]?.sink else { return [] }
        let isPart = (line.flag(.more) ?? false) || sessions[number]?.batch.isEmpty == false
        guard isPart else {
            let event = ClientEvent.locations([location], of: watch.name, isDeferred: false)
            return [EventDelivery(event: event, sinks: [sink])]
        }
        sessions[number]?.batch.append(location)
        let isFull = (sessions[number]?.batch.count ?? 0) >= Self.longestArray
        return (line.flag(.more) ?? false) && !isFull ? [] : takeBatch(number)
    }

    /// The largest number of locations in one array that a delegate gets; more deferred locations come as several
    /// arrays.
    private static let longestArray = 256

    mutating func takeBatch(_ number: Int) -> [EventDelivery] {
        guard let session = sessions[number], let sink = session.sink, let watch = session.watch, !session.batch.isEmpty
        else { return [] }
        sessions[number]?.batch = []
        let ordered = session.batch.sorted { $0.timestamp < $1.timestamp }
        return [EventDelivery(event: .locations(ordered, of: watch.name, isDeferred: true), sinks: [sink])]
    }

    private mutating func takeFailed(_ line: DaemonLine) -> [EventDelivery] {
        let number = line.session ?? 0
        guard let session = sessions[number], let code = CLError.Code(rawValue: line.errorCode ?? 0) else { return [] }
        let reason = line.reason.map(CLError.Reason.init)
        if let watch = session.watch {
            // A failure that comes before the daemon has confirmed the request belongs to an older request.
            return watch.isConfirmed ? toSession(line, .failed(code, of: watch.name, reason: reason)) : []
        }
        guard let locate = session.locate, line.id == locate.name else { return [] }
        sessions[number]?.locate = nil
        return toSession(line, .failed(code, of: locate.name, reason: reason))
    }

    private mutating func takePause(_ line: DaemonLine) -> [EventDelivery] {
        let number = line.session ?? 0
        guard let watch = sessions[number]?.watch, watch.isConfirmed else { return [] }
        let isPause = line.event == .paused
        guard watch.isPaused != isPause else { return [] }
        sessions[number]?.watch?.isPaused = isPause
        guard isPause else { return toSession(line, .resumed(of: watch.name)) }
        return toSession(line, .paused(of: watch.name, withoutFix: line.word(.reason) == PauseName.noFix))
    }

    private mutating func takeDeferralEnd(_ line: DaemonLine) -> [EventDelivery] {
        let number = line.session ?? 0
        guard let deferral = sessions[number]?.deferral, line.id == nil || line.id == deferral.name else { return [] }
        sessions[number]?.deferral = nil
        return toSession(line, .deferralFinished(line.errorCode.flatMap(CLError.Code.init)))
    }

    private mutating func takeFullAccuracy(_ line: DaemonLine) -> [EventDelivery] {
        guard let name = line.id,
            let number = sessions.first(where: { $0.value.fullAccuracy[name] != nil })?.key,
            let sink = sessions[number]?.sink
        else { return [] }
        sessions[number]?.fullAccuracy[name] = nil
        let event = ClientEvent.fullAccuracy(of: name, line.errorCode.flatMap(CLError.Code.init))
        return [EventDelivery(event: event, sinks: [sink])]
    }

    private func takeSessionDiagnostics(_ line: DaemonLine) -> [EventDelivery] {
        guard let number = line.number, let sink = holds[number]?.sink else { return [] }
        return [EventDelivery(event: .diagnostics(line.flags, isActive: line.flag(.active) ?? false), sinks: [sink])]
    }

    private mutating func takePong(_ line: DaemonLine) -> [EventDelivery] {
        if let name = line.id, let done = pings.removeValue(forKey: name) { handOver.effects.append { done(true) } }
        guard line.id == "journal", let confirming else { return [] }
        journal.confirm(confirming)
        self.confirming = nil
        confirmJournal()
        return []
    }
}
