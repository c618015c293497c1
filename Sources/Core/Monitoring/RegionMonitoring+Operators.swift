internal import ClientProtocol
internal import Parts
internal import SextantJSON

/// Answers to operators about the regions of all clients.
extension RegionMonitoring {
    /// The largest size in bytes of an answer that lists several regions; an answer with one region can be larger.
    static let maximumListBytes = 262_144

    /// Lists the regions of all clients except the first `offset`, as many as one answer holds, and reports each later
    /// change.
    ///
    /// With `isEnabled` false, stops these reports.
    mutating func serve(isEnabled: Bool, offset: Int, id: String?, on connection: ClientID, _ turn: inout Turn) {
        stopTelling(connection)
        guard isEnabled else { return turn.send(connection) { ClientEvent.appendRegionsEnded(id: id, to: &$0) } }
        watchers.append(connection)
        let total = totalCount
        turn.send(connection) { text in
            let count = list(behind: offset, id: id, to: &text)
            ClientEvent.appendRegions(
                count: count, total: total, hasMore: offset + count < total, id: id, to: &text)
        }
    }

    /// - Returns: The number of regions that were written to the answer.
    func list(behind offset: Int, id: String?, to text: inout TextBuffer) -> Int {
        let start = text.count
        var (skipped, count) = (0, 0)
        for (client, book) in books.entries {
            guard skipped + book.regions.count > offset else {
                skipped += book.regions.count
                continue
            }
            for region in book.sorted {
                guard skipped >= offset else {
                    skipped += 1
                    continue
                }
                let end = text.count
                ClientEvent.append(
                    RegionObject(region, of: client, isInside: shownState(of: region)), id: id, to: &text)
                guard count == 0 || text.count - start <= RegionMonitoring.maximumListBytes else {
                    text.truncate(to: end)
                    return count
                }
                count += 1
            }
        }
        return count
    }

    mutating func stopTelling(_ connection: ClientID) { watchers.removeAll { $0 == connection } }

    func tellWatchers(
        of region: RegionRegistration, _ client: String, _ change: RegionObject.Change, _ turn: inout Turn
    ) {
        guard !watchers.isEmpty else { return }
        let start = turn.text.count
        let object = RegionObject(region, of: client, isInside: shownState(of: region))
        ClientEvent.appendRegionChanged(object, change, to: &turn.text)
        for watcher in watchers { turn.actions.append(.send(watcher, start..<turn.text.count)) }
    }
}

extension RegionObject {
    fileprivate init(_ region: RegionRegistration, of client: String, isInside: Bool?) {
        self.init(
            client: client, region: region.request, isOfManifest: region.isOfManifest, isWatched: region.slot != nil,
            isInside: isInside, date: region.date)
    }
}
