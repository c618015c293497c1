internal import ClientProtocol
internal import ClientVocabulary
internal import GNSS
internal import GPSDProtocol
internal import Parts
internal import SextantJSON

/// Sends whole epochs (all that the receiver reports for one solution) to the clients that asked for them.
extension Delivery {
    /// Writes the epoch once, with or without satellites, and sends it to all clients that asked for that form.
    mutating func publishToWatchers(_ epoch: Epoch, hasSatellites: Bool, _ turn: inout Turn) {
        var range: Range<Int>?
        for index in clients.local.indices {
            guard clients.local[index].session.epochs?.hasSatellites == hasSatellites,
                clients.local[index].session.grant == .full,
                clients.local[index].session.epochs?.takes(hasSky: epoch.hasSky, at: turn.instant) == true
            else { continue }
            let written =
                range
                ?? turn.line { text in
                    EpochObject.append(epoch, event: .epoch, hasSatellites: hasSatellites, to: &text)
                }
            range = written
            turn.actions.append(.send(clients.local[index].id, written))
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
    mutating func answerPoll(
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
