internal import ClientProtocol
internal import Epochs
internal import GNSS
internal import GPSDProtocol
internal import JSONText
internal import Power
internal import Sessions
internal import Units

/// Whole epochs to those who asked for them.
extension Engine {
    mutating func publishClosedEpochs(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for index in line.decoder.closedEpochs { publish(line.decoder.closed(index), at: instant, into: &outputs) }
    }

    private mutating func publish(_ epoch: Epoch, at instant: MonotonicInstant, into outputs: inout Outputs) {
        epochCount += 1
        line.noteEpoch(epoch)
        lastEpoch.assign(epoch)
        lastEpochAt = instant
        let fix = epoch.fixWithAccuracy
        let isWanted = managed?.take(fix, strongestSignal: epoch.strongestSignal, at: instant) ?? true
        publishToWatchers(epoch, into: &outputs)
        if fix.hasPosition { answerWaits(fix, errors: epoch.errors, at: instant, into: &outputs) }
        tellPauses(.fix(fix), at: instant, into: &outputs)
        if isWanted, accepts(fix) {
            lastLocation = (fix, instant)
            deliver(fix, errors: epoch.errors, at: instant, into: &outputs)
        }
        publishToGPSDClients(epoch, into: &outputs)
    }

    private mutating func publishToWatchers(_ epoch: Epoch, into outputs: inout Outputs) {
        publishToWatchers(epoch, hasSatellites: false, into: &outputs)
        publishToWatchers(epoch, hasSatellites: true, into: &outputs)
    }

    /// Writes one form of the epoch, if anybody wants it, and sends it to all who do.
    private func publishToWatchers(_ epoch: Epoch, hasSatellites: Bool, into outputs: inout Outputs) {
        var range: Range<Int>?
        for (id, session) in clients.local where session.watchesSatellites == hasSatellites {
            let written =
                range
                ?? outputs.line { text in
                    EpochObject.append(epoch, event: "epoch", hasSatellites: hasSatellites, to: &text)
                }
            range = written
            outputs.actions.append(.send(id, written))
        }
    }

    private mutating func publishToGPSDClients(_ epoch: Epoch, into outputs: inout Outputs) {
        guard !clients.gpsd.isEmpty else { return }
        var range: Range<Int>?
        for (id, session) in clients.gpsd where session.wantsReports && session.concerns(configuration.device) {
            if range == nil {
                let start = outputs.text.count
                gpsdReport.append(epoch, device: configuration.device, to: &outputs.text)
                range = start..<outputs.text.count
            }
            if let range { outputs.actions.append(.send(id, range)) }
        }
        if line.speaksUBX, clients.wantNMEA {
            let start = outputs.text.count
            PseudoNMEA.append(epoch, to: &outputs.text)
            for (id, session) in clients.gpsd where session.wantsNMEA {
                outputs.actions.append(.send(id, start..<outputs.text.count))
            }
        }
    }

    private mutating func answerWaits(
        _ fix: Fix, errors: ErrorStatistics?, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        var hasAnswered = false
        for index in clients.local.indices where !clients.local[index].session.waits.isEmpty {
            let client = clients.local[index].id
            for wait in clients.local[index].session.takeAnswered(by: fix, at: instant) {
                hasAnswered = true
                outputs.send(client) { text in
                    LocationObject.append(fix, errors: errors, age: 0, id: wait.id, to: &text)
                }
            }
        }
        if hasAnswered { demandChanged() }
    }

    mutating func expireWaits(at instant: MonotonicInstant, into outputs: inout Outputs) {
        var hasExpired = false
        for index in clients.local.indices where !clients.local[index].session.waits.isEmpty {
            let client = clients.local[index].id
            for wait in clients.local[index].session.takeExpired(at: instant) {
                hasExpired = true
                outputs.send(client) { Engine.appendExpiry(of: wait, at: instant, to: &$0) }
            }
        }
        if hasExpired { demandChanged() }
    }

    /// The best position that came, or that none did.
    private static func appendExpiry(
        of wait: LocalSession.Wait, at instant: MonotonicInstant, to text: inout TextBuffer
    ) {
        guard let fix = wait.best, let since = wait.bestAt else {
            return ClientEvent.appendError("timeout", "no fix in the time given", id: wait.id, to: &text)
        }
        let age = Double(instant.nanoseconds(since: since)) * 1e-9
        LocationObject.append(fix, errors: nil, age: age, id: wait.id, to: &text)
    }
}
