internal import ClientProtocol
internal import Epochs
internal import GNSS
internal import GPSDProtocol
internal import JSONText
internal import Power
internal import ReceiverStream
internal import Sessions
internal import Units

/// What clients ask, and what they are answered.
extension Engine {
    mutating func connected(
        _ id: ClientID, _ kind: ClientKind, userID: UInt32?, into outputs: inout Outputs
    ) {
        clients.add(id, kind, userID: userID)
        managed?.joined(id.rawValue, label: kind == .gpsd ? "gpsd" : userID.map { "user \($0)" } ?? "local")
        switch kind {
        case .local: outputs.send(id) { ClientEvent.appendHello(to: &$0) }
        case .gpsd: outputs.send(id) { GPSDReply.appendVersion(software: ProtocolVersion.software, to: &$0) }
        }
    }

    mutating func serve(
        _ id: ClientID, _ request: Result<ClientRequest, RefusedRequest>, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        guard let place = clients.local.firstIndex(where: { $0.id == id }) else { return }
        switch request {
        case .failure(let refused):
            let problem = refused.problem
            outputs.send(id) { ClientEvent.appendError(problem.code, problem.message, id: refused.id, to: &$0) }
        case .success(let request):
            switch request.kind {
            case .watch(let satellites):
                endLocations(ofClientAt: place, at: instant, into: &outputs)
                clients.local[place].session.watchesSatellites = satellites
                outputs.send(id) { ClientEvent.appendWatching(true, id: request.id, to: &$0) }
            case .watchLocations(let settings, let label):
                watch(settings, label: label, id: request.id, clientAt: place, at: instant, into: &outputs)
            case .unwatch:
                endLocations(ofClientAt: place, at: instant, into: &outputs)
                clients.local[place].session.watchesSatellites = nil
                outputs.send(id) { ClientEvent.appendWatching(false, id: request.id, to: &$0) }
            case .flush: flush(id: request.id, clientAt: place, at: instant, into: &outputs)
            case .locate(let seconds, let accuracy):
                let deadline = instant.advanced(byNanoseconds: Int64(seconds * 1e9))
                wait(until: deadline, accuracy: accuracy, id: request.id, clientAt: place, into: &outputs)
            case .status:
                let status = status(at: instant)
                outputs.send(id) { ClientEvent.appendStatus(status, id: request.id, to: &$0) }
            case .energy:
                let report = managed?.energyReport(at: instant)
                outputs.send(id) { Engine.append(report, id: request.id, to: &$0) }
            }
            demandChanged()
        }
    }

    private static func append(_ report: EnergyReport?, id: String?, to text: inout TextBuffer) {
        guard let report else {
            return ClientEvent.appendError(
                "unavailable",
                "nothing is known of what the board draws; start sextantd with --board, or name one in its file",
                id: id, to: &text)
        }
        ClientEvent.appendEnergy(report, id: id, to: &text)
    }

    private mutating func wait(
        until deadline: MonotonicInstant, accuracy: Double?, id: String?, clientAt place: Int,
        into outputs: inout Outputs
    ) {
        guard !clients.local[place].session.wait(until: deadline, id: id, accuracy: accuracy) else { return }
        outputs.send(clients.local[place].id) {
            ClientEvent.appendError(
                "tooMany", "at most \(LocalSession.maximumWaits) positions can be waited for", id: id, to: &$0)
        }
    }

    mutating func gone(_ id: ClientID) {
        clients.remove(id)
        managed?.left(id.rawValue)
        deferred.release(id)
        demandChanged()
    }

    /// What is needed of the receiver, after somebody came, went, asked, was answered or paused.
    mutating func demandChanged() {
        demand = Demand.merging(clients.requests)
        cause = clients.cause
    }

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
        case .success(.poll): answerPoll(id, into: &outputs)
        }
    }

    private mutating func answerPoll(_ id: ClientID, into outputs: inout Outputs) {
        let start = outputs.text.count
        outputs.text.append("{\"class\":\"POLL\"," as StaticString)
        if lastEpoch.fix.isTimeValidated { outputs.text.member("\"time\":", lastEpoch.fix.time) }
        outputs.text.member("\"active\":", line.isOpen ? 1 : 0)
        outputs.text.beginArray("\"tpv\":")
        if lastEpochAt != nil {
            gpsdReport.appendObject(lastEpoch.fix, device: configuration.device, to: &outputs.text)
        }
        outputs.text.endArray()
        outputs.text.beginArray("\"gst\":")
        outputs.text.endArray()
        outputs.text.beginArray("\"sky\":")
        if lastEpochAt != nil {
            gpsdReport.appendSkyObject(lastEpoch, device: configuration.device, to: &outputs.text)
        }
        outputs.text.endArray()
        outputs.text.endObject()
        outputs.text.append("\r\n" as StaticString)
        outputs.actions.append(.send(id, start..<outputs.text.count))
    }

    /// Tells gpsd clients that watch in JSON that the device came or went.
    mutating func announceDevice(into outputs: inout Outputs) {
        let device = device
        for (id, session) in clients.gpsd where session.wantsReports {
            outputs.send(id) { GPSDReply.appendDevice(device, to: &$0) }
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

    private func status(at instant: MonotonicInstant) -> DaemonStatus {
        var status = DaemonStatus()
        status.clients = clients.local.count + clients.gpsd.count
        status.device = configuration.device
        status.state = line.isOpen && managed?.isAsleep == true ? .resting : line.state
        status.power = managed?.status(at: instant)
        status.detail = failure
        status.baud = line.rate
        let counters = line.decoder.stream.counters
        status.bytes = counters.bytes
        status.sentences = counters.sentences
        status.frames = counters.frames
        status.checksumFailures = counters.checksumFailures
        status.skippedBytes = counters.skippedBytes
        status.epochs = epochCount
        status.secondsSinceEpoch = lastEpochAt.map { Double(instant.nanoseconds(since: $0)) * 1e-9 }
        status.time = lastEpochAt == nil ? nil : lastEpoch.fix.time
        return status
    }
}
