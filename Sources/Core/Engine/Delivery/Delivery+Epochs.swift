internal import ClientProtocol
internal import ClientVocabulary
internal import Epochs
internal import GNSS
internal import GPSDProtocol
internal import Sessions
internal import SextantJSON
internal import SextantUnits

/// Sends whole epochs to the clients that watch them.
extension Delivery {
    mutating func publishToWatchers(_ epoch: Epoch, _ turn: inout Turn) {
        publishToWatchers(epoch, hasSatellites: false, &turn)
        publishToWatchers(epoch, hasSatellites: true, &turn)
    }

    /// Writes the epoch with or without satellites, if any client wants that form, and sends it to all that do.
    private mutating func publishToWatchers(_ epoch: Epoch, hasSatellites: Bool, _ turn: inout Turn) {
        var range: Range<Int>?
        for place in clients.local.indices {
            guard clients.local[place].session.epochs?.hasSatellites == hasSatellites,
                clients.local[place].session.grant == .full,
                clients.local[place].session.epochs?.takes(hasSky: epoch.hasSky, at: turn.instant) == true
            else { continue }
            let written =
                range
                ?? turn.line { text in
                    EpochObject.append(epoch, event: .epoch, hasSatellites: hasSatellites, to: &text)
                }
            range = written
            turn.actions.append(.send(clients.local[place].id, written))
        }
    }

    /// Sends an epoch to the gpsd clients that may see it.
    ///
    /// - Parameter speaksUBX: Whether the receiver sends UBX frames alone, so that NMEA sentences are made from the
    ///   epoch.
    mutating func publishToGPSD(_ epoch: Epoch, speaksUBX: Bool, _ turn: inout Turn) {
        guard !clients.gpsd.isEmpty else { return }
        var range: Range<Int>?
        for client in clients.gpsd where client.grant == .full && client.session.reports(device) {
            if range == nil {
                let start = turn.text.count
                gpsdReport.append(epoch, device: device, to: &turn.text)
                range = start..<turn.text.count
            }
            if let range { turn.actions.append(.send(client.id, range)) }
        }
        if speaksUBX, clients.wantNMEA {
            let start = turn.text.count
            PseudoNMEA.append(epoch, to: &turn.text)
            for client in clients.gpsd where client.grant == .full && client.session.wantsNMEA {
                turn.actions.append(.send(client.id, start..<turn.text.count))
            }
        }
    }

    mutating func deliverToGPSD(_ estimate: ReducedAccuracy.Estimate, _ turn: inout Turn) {
        for client in clients.gpsd where client.grant == .reduced && client.session.reports(device) {
            let start = turn.text.count
            gpsdReport.appendObject(estimate.fix, device: device, to: &turn.text)
            turn.text.append("\r\n" as StaticString)
            turn.actions.append(.send(client.id, start..<turn.text.count))
        }
    }
}

// MARK: Requests of gpsd clients

extension Delivery {
    /// Answers a client of the gpsd port.
    ///
    /// - Parameter lastEpoch: The last closed epoch; nil before the first.
    mutating func serve(
        _ id: ClientID, _ request: Result<GPSDRequest, GPSDRequestError>, _ described: GPSDDevice, lastEpoch: Epoch?,
        _ turn: inout Turn
    ) {
        guard let place = clients.gpsd.firstIndex(where: { $0.id == id }) else { return }
        let described = described.shown(to: clients.gpsd[place].grant)
        switch request {
        case .failure(let problem): turn.send(id) { GPSDReply.appendError(problem.message, to: &$0) }
        case .success(.nothing): break
        case .success(.version):
            turn.send(id) { GPSDReply.appendVersion(software: ProtocolVersion.software, to: &$0) }
        case .success(.devices): turn.send(id) { GPSDReply.appendDevices(described, to: &$0) }
        case .success(.device): turn.send(id) { GPSDReply.appendDevice(described, to: &$0) }
        case .success(.watch(let policy)):
            if let policy {
                clients.gpsd[place].session.watch(policy)
                turn.tell(.deliveryNeeds)
            }
            let current = clients.gpsd[place].session.policy
            turn.send(id) {
                GPSDReply.appendDevices(described, to: &$0)
                GPSDReply.appendWatch(current, to: &$0)
            }
        case .success(.poll): answerPoll(clients.gpsd[place], described, lastEpoch, &turn)
        }
    }

    private mutating func answerPoll(
        _ client: GPSDClient, _ described: GPSDDevice, _ lastEpoch: Epoch?, _ turn: inout Turn
    ) {
        let epoch = client.grant == .full ? lastEpoch : nil
        let start = turn.text.count
        turn.text.append("{\"class\":\"POLL\"," as StaticString)
        if let epoch, epoch.fix.isTimeValidated { turn.text.member("\"time\":", epoch.fix.time) }
        turn.text.member("\"active\":", described.isActive ? 1 : 0)
        turn.text.beginArray("\"tpv\":")
        if let epoch { gpsdReport.appendObject(epoch.fix, device: device, to: &turn.text) }
        turn.text.endArray()
        turn.text.beginArray("\"gst\":")
        turn.text.endArray()
        turn.text.beginArray("\"sky\":")
        if let epoch { gpsdReport.appendSkyObject(epoch, device: device, to: &turn.text) }
        turn.text.endArray()
        turn.text.endObject()
        turn.text.append("\r\n" as StaticString)
        turn.actions.append(.send(client.id, start..<turn.text.count))
    }

    /// Tells gpsd clients that watch in JSON that the device came or went.
    func announce(_ described: GPSDDevice, _ turn: inout Turn) {
        for client in clients.gpsd where client.session.wantsReports {
            turn.send(client.id) { GPSDReply.appendDevice(described.shown(to: client.grant), to: &$0) }
        }
    }
}

extension GPSDDevice {
    /// The device as a client may see it: after a rest, the time between epochs tells how long the receiver slept.
    fileprivate func shown(to grant: LocationGrant) -> GPSDDevice {
        guard grant != .full else { return self }
        var shown = self
        shown.cycleSeconds = nil
        return shown
    }
}
