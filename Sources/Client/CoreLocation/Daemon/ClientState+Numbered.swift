internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

extension ClientState {
    /// Handles a line with an event number; the daemon keeps such an event until this client acknowledges its number.
    mutating func takeNumbered(_ line: DaemonLine, _ client: LocationClient) -> [EventDelivery] {
        isRepeated(line) ? [] : tellIfMeaningful(line, client, isLastTry: false)
    }

    /// Whether the daemon sent this event before; if it was handled, it is acknowledged again, since the daemon missed
    /// the first acknowledgement.
    mutating func isRepeated(_ line: DaemonLine) -> Bool {
        guard !numbered.insert(line), let number = line.number else { return false }
        if !numbered.isOpen(number) { acknowledge(number) }
        return true
    }

    mutating func acknowledge(_ number: Int) {
        send(DaemonRequest(.acknowledge).with(.number, number))
    }

    /// Sends the event in a line of the daemon to every manager; a numbered event gets a ticket, which later tells
    /// whether a delegate took it.
    private mutating func tell(_ line: DaemonLine, _ client: LocationClient) -> [EventDelivery] {
        let ticket = line.number.map { number in
            numbered.depart(number)
            return DeliveryTicket(number: number) { [weak client] in client?.settle(line, number, wasTaken: $0) }
        }
        // The ticket must not be released here, because its deinitializer locks the state, which is locked here; the
        // event keeps the ticket alive.
        guard let event = event(of: line, ticket) else { preconditionFailure("a line without meaning was told") }
        return [EventDelivery(event: event, sinks: managers)]
    }

    private mutating func tellIfMeaningful(_ line: DaemonLine, _ client: LocationClient, isLastTry: Bool)
        -> [EventDelivery]
    {
        if isTellable(line) { return tell(line, client) }
        guard line.event == .regionEvent, !isLastTry else {
            if let number = line.number { acknowledge(number) }
            return []
        }
        numbered.keep(line)
        askRegistrations()
        return []
    }

    private func isTellable(_ line: DaemonLine) -> Bool {
        if line.event == .regionEvent { return line.identifier.map { registry.watched($0) != nil } ?? false }
        guard line.isSignificantChange else { return line.visit != nil }
        return line.location != nil && (line.number != nil || line.location?.timestamp != lastSignificantChange)
    }

    private mutating func event(of line: DaemonLine, _ ticket: DeliveryTicket?) -> ClientEvent? {
        if let visit = line.visit { return .visit(visit, ticket) }
        if let location = line.location {
            lastSignificantChange = location.timestamp
            return .significantChange(location, ticket)
        }
        guard let identifier = line.identifier, let region = registry.watched(identifier)?.region(identifier) else {
            return nil
        }
        guard line.transition != .determined else { return .regionState(region, CLRegionState(line), ticket) }
        return .regionCrossed(region, isEntry: line.transition == .enter, ticket)
    }

    /// Acknowledges an event to the daemon if a delegate took it; otherwise keeps the event's line for a later
    /// delegate.
    mutating func settle(_ line: DaemonLine, _ number: Int, wasTaken: Bool) {
        numbered.arrive(number)
        guard !wasTaken else { return acknowledge(number) }
        numbered.keep(line)
    }

    /// Delivers again the events that no delegate took, because a delegate may have been set, or an event's region may
    /// have become known; with `isLastTry`, an event whose region is still unknown is dropped.
    mutating func retell(_ client: LocationClient, isLastTry: Bool = false) -> [EventDelivery] {
        numbered.takeKept().flatMap { line in
            line.monitor == nil
                ? tellIfMeaningful(line, client, isLastTry: isLastTry) : takeCondition(line)
        }
    }
}
