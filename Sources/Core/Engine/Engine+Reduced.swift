internal import ClientProtocol
internal import GNSS
internal import GPSDProtocol
internal import JSONText
internal import Sessions
internal import Units

/// What clients of reduced accuracy are told: an estimate every quarter of an hour, the same for all.
extension Engine {
    /// A location was found, for whomever.
    mutating func foundLocation(_ fix: Fix, at instant: MonotonicInstant, into outputs: inout Outputs) {
        endLosses(at: instant)
        if let estimate = reduced.follow(fix, at: instant) { deliver(estimate, at: instant, into: &outputs) }
        followSignificantChanges(fix, isCoarse: false, at: instant, into: &outputs)
    }

    mutating func settleReduced(at instant: MonotonicInstant, into outputs: inout Outputs) {
        if let estimate = reduced.advance(to: instant) { deliver(estimate, at: instant, into: &outputs) }
    }

    /// When the next estimate is due; nil where nobody would hear of it, for then it can wait for whoever comes.
    var reducedDeadline: MonotonicInstant? {
        let isHeard =
            clients.local.contains { $0.session.grant == .reduced } || clients.gpsd.contains { $0.grant == .reduced }
            || registrations.entries.contains { $0.significantChange != nil && isReduced($0.client) }
        return isHeard ? reduced.deadline : nil
    }

    private mutating func deliver(
        _ estimate: ReducedAccuracy.Estimate, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        for place in clients.places where clients[place].grant == .reduced && !clients[place].isPaused {
            let context = LocationObject.Context(session: clients[place].number)
            send(estimate, context, clientAt: place.client, at: instant, into: &outputs)
        }
        answerWaits(estimate, at: instant, into: &outputs)
        followSignificantChanges(estimate.fix, isCoarse: true, at: instant, into: &outputs)
        deliverToGPSD(estimate, into: &outputs)
        demandChanged()
    }

    mutating func send(
        _ estimate: ReducedAccuracy.Estimate, _ context: LocationObject.Context, clientAt client: Int,
        at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        delivered(clientAt: client, at: instant)
        outputs.send(clients.local[client].id) { [source = configuration.source] text in
            let age = Double(instant.nanoseconds(since: estimate.measured)) * 1e-9
            LocationObject.append(reduced: .init(estimate), age: age, source: source, context, to: &text)
        }
    }

    private mutating func deliverToGPSD(_ estimate: ReducedAccuracy.Estimate, into outputs: inout Outputs) {
        for client in clients.gpsd where client.grant == .reduced && client.session.reports(configuration.device) {
            let start = outputs.text.count
            gpsdReport.appendObject(estimate.fix, device: configuration.device, to: &outputs.text)
            outputs.text.append("\r\n" as StaticString)
            outputs.actions.append(.send(client.id, start..<outputs.text.count))
        }
    }
}

extension LocationObject.ReducedPlace {
    init(_ estimate: ReducedAccuracy.Estimate) {
        self.init(
            time: estimate.fix.isTimeValidated ? estimate.fix.time : nil, latitude: estimate.fix.latitude ?? 0,
            longitude: estimate.fix.longitude ?? 0,
            horizontalAccuracy: estimate.fix.horizontalAccuracy ?? 0)
    }
}
