internal import ClientProtocol
internal import GNSS
internal import GPSDProtocol
internal import JSONText
internal import Sessions

/// What clients of the gpsd port ask, and what they are answered.
extension Engine {
    mutating func serve(
        _ id: ClientID, _ request: Result<GPSDRequest, GPSDRequestError>, into outputs: inout Outputs
    ) {
        guard let place = clients.gpsd.firstIndex(where: { $0.id == id }) else { return }
        switch request {
        case .failure(let problem): outputs.send(id) { GPSDReply.appendError(problem.message, to: &$0) }
        case .success(.nothing): break
        case .success(.version):
            outputs.send(id) { GPSDReply.appendVersion(software: ProtocolVersion.software, to: &$0) }
        case .success(.devices):
            let device = device
            outputs.send(id) { GPSDReply.appendDevices(device, to: &$0) }
        case .success(.device):
            let device = device
            outputs.send(id) { GPSDReply.appendDevice(device, to: &$0) }
        case .success(.watch(let policy)):
            if let policy {
                clients.gpsd[place].session.watch(policy)
                demandChanged()
            }
            let device = device
            let current = clients.gpsd[place].session.policy
            outputs.send(id) {
                GPSDReply.appendDevices(device, to: &$0)
                GPSDReply.appendWatch(current, to: &$0)
            }
        case .success(.poll): answerPoll(clients.gpsd[place], into: &outputs)
        }
    }

    private mutating func answerPoll(_ client: GPSDClient, into outputs: inout Outputs) {
        let start = outputs.text.count
        outputs.text.append("{\"class\":\"POLL\"," as StaticString)
        if lastEpoch.fix.isTimeValidated, client.grant == .full { outputs.text.member("\"time\":", lastEpoch.fix.time) }
        outputs.text.member("\"active\":", line.isOpen ? 1 : 0)
        outputs.text.beginArray("\"tpv\":")
        if lastEpochAt != nil, client.grant == .full {
            gpsdReport.appendObject(lastEpoch.fix, device: configuration.device, to: &outputs.text)
        }
        outputs.text.endArray()
        outputs.text.beginArray("\"gst\":")
        outputs.text.endArray()
        outputs.text.beginArray("\"sky\":")
        if lastEpochAt != nil, client.grant == .full {
            gpsdReport.appendSkyObject(lastEpoch, device: configuration.device, to: &outputs.text)
        }
        outputs.text.endArray()
        outputs.text.endObject()
        outputs.text.append("\r\n" as StaticString)
        outputs.actions.append(.send(client.id, start..<outputs.text.count))
    }

    /// Tells gpsd clients that watch in JSON that the device came or went.
    mutating func announceDevice(into outputs: inout Outputs) {
        let device = device
        for client in clients.gpsd where client.session.wantsReports {
            outputs.send(client.id) { GPSDReply.appendDevice(device, to: &$0) }
        }
    }

    var device: GPSDDevice {
        var device = GPSDDevice(path: configuration.device, isActive: line.isOpen)
        device.activated = openedAt
        device.isUBX = line.speaksUBX
        device.baud = line.rate
        device.cycleSeconds = line.cycleSeconds
        return device
    }
}
