internal import ClientProtocol
internal import ClientVocabulary
internal import GNSS
internal import GPSDProtocol
internal import Parts
internal import SextantJSON

/// Sends whole epochs (all that the receiver reports for one solution) to the clients that asked for them.
extension Delivery {
    /// Sends an epoch, written only once, to all clients that want satellites in it, or to all that want none.
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
}
