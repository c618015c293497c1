internal import ClientProtocol
internal import ClientVocabulary
internal import GNSS
internal import GPSDProtocol
internal import Parts
internal import SextantJSON

/// Reports to the clients of the gpsd port, and answers to their requests.
extension Delivery {
    /// Sends an epoch to the gpsd clients that are allowed to see it; if the receiver sends only UBX frames, NMEA
    /// sentences are made from the epoch.
    mutating func report(_ epoch: Epoch, speaksUBX: Bool, _ turn: inout Turn) {
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

    /// Sends the offset of the host's clock from the receiver's time to the gpsd clients that asked for it.
    func report(_ offset: GPSDTimeOffset, _ turn: inout Turn) {
        let start = turn.text.count
        var range: Range<Int>?
        // The times at which the receiver runs reveal when the board moves, so only clients with full access get the
        // offset.
        for client in clients.gpsd where client.grant == .full && client.session.reportsTime(device) {
            if range == nil { offset.append(device: device, to: &turn.text) }
            let written = range ?? start..<turn.text.count
            range = written
            turn.actions.append(.send(client.id, written))
        }
    }

    /// Sends an estimate to the gpsd clients with reduced accuracy.
    ///
    /// `gpsdReport` is not used here, because it would reveal the errors, speed, time and geoid of the precise fixes.
    func deliverToGPSD(_ estimate: ReducedAccuracy.Estimate, _ turn: inout Turn) {
        for client in clients.gpsd where client.grant == .reduced && client.session.reports(device) {
            let start = turn.text.count
            GPSDReport.appendObject(ofFixAlone: estimate.fix, device: device, to: &turn.text)
            turn.text.append("\r\n" as StaticString)
            turn.actions.append(.send(client.id, start..<turn.text.count))
        }
    }

    // MARK: Requests

    /// Answers a request of the gpsd client with this index.
    mutating func answer(
        _ request: Result<GPSDRequest, GPSDRequestError>, of index: Int, _ described: GPSDDevice, lastEpoch: Epoch?,
        _ turn: inout Turn
    ) {
        let id = clients.gpsd[index].id
        let described = described.shown(to: clients.gpsd[index].grant)
        switch request {
        case .failure(let problem): turn.send(id) { GPSDReply.appendError(problem.message, to: &$0) }
        case .success(.nothing): break
        case .success(.version):
            turn.send(id) { GPSDReply.appendVersion(software: ProtocolVersion.software, to: &$0) }
        case .success(.devices): turn.send(id) { GPSDReply.appendDevices(described, to: &$0) }
        case .success(.device): turn.send(id) { GPSDReply.appendDevice(described, to: &$0) }
        case .success(.watch(let policy)):
            if let policy {
                clients.gpsd[index].session.watch(policy)
                turn.tell(.deliveryNeeds)
            }
            let current = clients.gpsd[index].session.policy
            turn.send(id) {
                GPSDReply.appendDevices(described, to: &$0)
                GPSDReply.appendWatch(current, to: &$0)
            }
        case .success(.poll): answerPoll(clients.gpsd[index], described, lastEpoch, &turn)
        }
    }

    private mutating func answerPoll(
        _ client: GPSDClient, _ described: GPSDDevice, _ lastEpoch: Epoch?, _ turn: inout Turn
    ) {
        let epoch = client.grant == .full ? lastEpoch : nil
        let start = turn.text.count
        gpsdReport.appendPoll(epoch, isActive: described.isActive, device: device, to: &turn.text)
        turn.text.append("\r\n" as StaticString)
        turn.actions.append(.send(client.id, start..<turn.text.count))
    }
}

extension GPSDDevice {
    /// What a client is allowed to see of the receiver's device.
    ///
    /// Only a client with full access sees the time between epochs, because after a rest it shows how long the receiver
    /// slept.
    func shown(to grant: LocationGrant) -> GPSDDevice {
        guard grant != .full else { return self }
        var shown = self
        shown.cycleSeconds = nil
        return shown
    }
}
