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
        let fused = locate(epoch.fixWithAccuracy, at: instant)
        let fix = fused.fix
        let isWanted = managed?.take(fix, strongestSignal: epoch.strongestSignal, at: instant) ?? true
        managed?.noteJumps(jumpCount, at: instant)
        managed?.noteClaims(errorInClaims, at: instant, into: &outputs)
        publishToWatchers(epoch, into: &outputs)
        if fix.hasPosition { answerWaits(fix, at: instant, into: &outputs) }
        tellPauses(.fix(fix), at: instant, into: &outputs)
        if isWanted, accepts(fix) {
            lastLocation = (fix, instant)
            foundLocation(fix, at: instant, into: &outputs)
            deliver(fix, at: instant, into: &outputs)
            if let location = fused.location, isSomebodyServed {
                follow(location, at: instant, into: &outputs)
                track(fix, at: instant, into: &outputs)
            }
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
        for client in clients.local
        where client.session.watchesSatellites == hasSatellites && client.session.grant == .full {
            let written =
                range
                ?? outputs.line { text in
                    EpochObject.append(epoch, event: "epoch", hasSatellites: hasSatellites, to: &text)
                }
            range = written
            outputs.actions.append(.send(client.id, written))
        }
    }

    private mutating func publishToGPSDClients(_ epoch: Epoch, into outputs: inout Outputs) {
        guard !clients.gpsd.isEmpty else { return }
        var range: Range<Int>?
        for client in clients.gpsd where client.grant == .full && client.session.reports(configuration.device) {
            if range == nil {
                let start = outputs.text.count
                gpsdReport.append(epoch, device: configuration.device, to: &outputs.text)
                range = start..<outputs.text.count
            }
            if let range { outputs.actions.append(.send(client.id, range)) }
        }
        if line.speaksUBX, clients.wantNMEA {
            let start = outputs.text.count
            PseudoNMEA.append(epoch, to: &outputs.text)
            for client in clients.gpsd where client.grant == .full && client.session.wantsNMEA {
                outputs.actions.append(.send(client.id, start..<outputs.text.count))
            }
        }
    }
}
