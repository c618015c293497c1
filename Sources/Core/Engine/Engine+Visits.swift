internal import ClientProtocol
internal import Fusion
internal import JSONText
internal import Monitors
internal import Sessions
internal import Units

/// Visits: found for the board, told to the clients that monitor them.
extension Engine {
    mutating func monitorVisits(_ isEnabled: Bool, of name: String, into outputs: inout Outputs) {
        guard (registrations[name]?.visits != nil) != isEnabled else { return }
        registrations.update(name) { $0.visits = isEnabled ? VisitWatch() : nil }
        if isEnabled {
            outputs.put(.registrations, name, "visits", VisitWatch().encode())
        } else {
            outputs.remove(.registrations, name, "visits")
            withdraw(of: name, into: &outputs) { $0.service == .visits }
        }
        demandChanged()
    }

    /// What the monitor found goes to all who monitor visits, and to the list of those that were.
    mutating func tellVisitEvents(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for index in path.visitEvents.indices {
            let event = path.visitEvents[index]
            keep(visitBook.note(event, clock: clock), into: &outputs)
            for place in registrations.entries.indices {
                tell(event, toEntryAt: place, at: instant, into: &outputs)
            }
        }
        keepVisitMonitor(into: &outputs)
    }

    private mutating func tell(
        _ event: VisitEvent, toEntryAt place: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let client = registrations.entries[place].client
        guard let watch = registrations.entries[place].visits, mayMonitor(client) else { return }
        var report = PendingEvent.VisitReport(
            arrival: event.arrival.flatMap { clock.utc($0) }, departure: event.departure.flatMap { clock.utc($0) },
            latitude: event.latitude, longitude: event.longitude, horizontalAccuracy: event.horizontalAccuracy)
        switch event.kind {
        case .arrival:
            // Of a stay that was under way when monitoring began nothing is told before it ends.
            guard event.arrival != nil else { return }
            set(VisitWatch(toldVisit: event.visit), at: place, into: &outputs)
        case .departure:
            if watch.toldVisit != event.visit { report.arrival = nil }
            if watch.toldVisit != nil { set(VisitWatch(), at: place, into: &outputs) }
        }
        post(.visit(shown(report, to: client)), for: client, at: instant, into: &outputs)
    }

    private mutating func set(_ watch: VisitWatch, at place: Int, into outputs: inout Outputs) {
        registrations.update(at: place) { $0.visits = watch }
        outputs.put(.registrations, registrations.entries[place].client, "visits", watch.encode())
    }

    private func keep(_ changes: [VisitBook.Change], into outputs: inout Outputs) {
        for change in changes {
            switch change {
            case .put(let name, let value): outputs.put(.visits, "", name, value)
            case .remove(let name): outputs.remove(.visits, "", name)
            }
        }
    }

    // MARK: What must outlive the daemon

    /// Keeps how far the monitor has come: with every event, and where a stay begins or may end.
    private mutating func keepVisitMonitor(into outputs: inout Outputs) {
        guard path.visits.generation != keptVisitGeneration else { return }
        keptVisitGeneration = path.visits.generation
        outputs.put(.settings, "", "visitMonitor", path.visits.encode(offset: clock.offset))
    }

    /// Goes on where the monitor was when the daemon ended, as soon as the time is known.
    mutating func resumeVisits(into outputs: inout Outputs) {
        guard let record = visitRecord else { return }
        visitRecord = nil
        guard let monitor = VisitMonitor(decoding: record.span, offset: clock.offset) else {
            outputs.actions.append(.log(.unreadableRow(table: .settings, client: "", name: "visitMonitor")))
            return outputs.remove(.settings, "", "visitMonitor")
        }
        path.visits = monitor
        keptVisitGeneration = monitor.generation
    }

    // MARK: Operators

    mutating func serve(_ request: VisitRequest, id: String?, to connection: ClientID, into outputs: inout Outputs) {
        switch request {
        case .list(let before, let limit):
            let total = visitBook.visits.count
            let visits = visitBook.visits.filter { $0.visit < before ?? .max }.suffix(limit)
            outputs.send(connection) { text in
                for visit in visits { ClientEvent.append(PastVisitObject(visit), id: id, to: &text) }
                ClientEvent.appendVisits(count: visits.count, total: total, id: id, to: &text)
            }
        case .erase:
            let count = visitBook.visits.count
            keep(visitBook.erase(), into: &outputs)
            // Places that were learned go too; a stay that lasts begins anew.
            path.visits = VisitMonitor()
            keptVisitGeneration = path.visits.generation
            visitRecord = nil
            outputs.remove(.settings, "", "visitMonitor")
            outputs.send(connection) { ClientEvent.appendErased(count: count, id: id, to: &$0) }
        }
    }
}

extension PastVisitObject {
    fileprivate init(_ visit: PastVisit) {
        self.init(
            visit: visit.visit, place: visit.place, confidence: visit.confidence,
            stay: VisitObject(
                arrival: visit.arrival, departure: visit.departure, latitude: visit.latitude,
                longitude: visit.longitude, horizontalAccuracy: visit.horizontalAccuracy))
    }
}
