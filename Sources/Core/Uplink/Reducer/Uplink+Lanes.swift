internal import SextantUnits

/// The order of sending: first answers to commands, then the newest location, then events, then the history of fixes.
extension Uplink {
    private static let freshSeconds = 60.0
    /// The largest number of batches in flight; more would make a location wait behind the history on a slow link.
    private static let batches = 4
    /// The largest size of a batch before compression, in bytes.
    private static let batchBytes = 64 << 10

    mutating func send(at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]) {
        guard case .connected = connection.link else { return }
        if lanes.isClearing { clear(at: now, into: &outputs) }
        guard !isDenied else { return }
        repeatUnacknowledged(at: now, into: &outputs)
        report(at: now)
        while connection.inFlight.count < configuration.window, !lanes.outbox.isEmpty {
            publish(lanes.outbox.removeFirst(), .other, at: now, into: &outputs)
        }
        sendLive(at: now, utc, into: &outputs)
        // Records wait until it is known which of them the subscribing program has, so that it does not get those
        // again.
        guard connection.isSettled(at: now) else { return }
        sendEvents(at: now, utc, into: &outputs)
        if configuration.history == .all { sendHistory(at: now, utc, into: &outputs) }
        refill(into: &outputs)
    }

    mutating func publish(
        _ message: UplinkMessage, _ content: BrokerConnection.InFlight.Content, at now: MonotonicInstant,
        into outputs: inout [UplinkOutput]
    ) {
        countAgain(content)
        connection.publish(message, content, at: now, into: &outputs)
    }

    /// Remembers which record numbers a message sends, and counts the message if it sends records again.
    private mutating func countAgain(_ content: BrokerConnection.InFlight.Content) {
        switch content {
        case .other, .clearing: break
        case .record(let record) where record.kind == .event:
            // An event can go to several topics; its messages after the first are not counted as repetitions.
            if record.n <= connection.sentEvent, !connection.isInFlight(record.n) { status.repeated += 1 }
            connection.sentEvent = max(connection.sentEvent, record.n)
        case .record(let record):
            // The newest fix is sent ahead of the history, so it does not count as the last fix sent in order.
            if record.n <= connection.sentFix {
                status.repeated += 1
            } else if record.n != lanes.newest?.n {
                connection.sentFix = record.n
            }
        case .batch(let range):
            if range.upperBound <= connection.sentFix { status.repeated += 1 }
            connection.sentFix = max(connection.sentFix, range.upperBound)
        }
    }

    private func room(for count: Int) -> Bool { connection.inFlight.count + count <= configuration.window }

    /// Reads more events or fixes from the queue when few of them are left in memory; events first.
    private mutating func refill(into outputs: inout [UplinkOutput]) {
        guard queue.canRead else { return }
        if lanes.events.waiting.isEmpty, !lanes.events.isAtEnd {
            outputs.append(queue.read(.events, from: lanes.events.cursor, kind: .event, limit: Lane.limit))
        } else if configuration.history == .all, !lanes.history.isAtEnd, lanes.history.waiting.count < Lane.limit,
            lanes.events.waiting.isEmpty
        {
            outputs.append(queue.read(.history, from: lanes.history.cursor, kind: nil, limit: Lane.limit))
        }
    }

    // MARK: The newest location

    private mutating func sendLive(at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]) {
        guard let due = lanes.liveDue, due <= now, let (fix, n) = lanes.newest, room(for: tellsOwn ? 2 : 1)
        else { return }
        lanes.isNewestDue = false
        let isFresh = now.nanoseconds(since: fix.measured) <= Int64(Uplink.freshSeconds * 1e9)
        guard isFresh || lanes.lastLive == nil else { return }
        lanes.lastLive = now
        let trigger = lanes.asked
        lanes.asked = nil
        if tellsOwn {
            lanes.holdsRetained(true, into: &outputs)
            lanes.isClearing = false
            publish(own.location(fix, n: n), .other, at: now, into: &outputs)
        }
        guard configuration.format == .owntracks, let time = fix.time ?? date(fix.measured, at: now, utc) else {
            return
        }
        let record = n.map {
            UplinkRecord(n: $0, kind: .fix, time: time, uptime: fix.measured, body: RecordBody.of(fix))
        }
        let members = RecordMembers(record?.body ?? RecordBody.of(fix))
        // A fix that was already sent with the history is sent again only on request.
        let isTold = n.map { n in lanes.history.cursor > n && !lanes.history.waiting.contains { $0.n == n } } ?? false
        guard trigger != nil || !isTold,
            let message = owntracks.location(
                members, time: time, created: utc, n: n, battery: reports.battery, trigger: trigger ?? .automatic,
                names: name(of:))
        else { return }
        lanes.history.waiting.removeAll { $0.n == n }
        publish(message, record.map { .record($0) } ?? .other, at: now, into: &outputs)
    }

    private func date(_ uptime: MonotonicInstant?, at now: MonotonicInstant, _ utc: UTCInstant?) -> UTCInstant? {
        guard let uptime, let utc else { return nil }
        return utc.advanced(byNanoseconds: -now.nanoseconds(since: uptime))
    }

    /// Has the broker delete the location that it retains.
    private mutating func clear(at now: MonotonicInstant, into outputs: inout [UplinkOutput]) {
        guard !connection.isClearing else { return }
        publish(
            UplinkMessage(topic: topics.location, payload: [], isRetained: true), .clearing, at: now, into: &outputs)
    }

    // MARK: Events

    private mutating func sendEvents(at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]) {
        while let event = next(of: lanes.events, at: now, utc) {
            let messages = isHeld(event) ? [] : messages(of: event, utc)
            guard room(for: max(1, messages.count)) else { return }
            lanes.events.waiting.removeFirst()
            guard !isHeld(event) else { continue }
            for message in messages { publish(message, .record(event), at: now, into: &outputs) }
            // An event for which OwnTracks has no message is removed from the queue without being sent.
            if messages.isEmpty { outputs.append(.remove(event.n...event.n)) }
        }
    }

    /// The first record that waits in a lane (the events, or the history of fixes), with its time; nil if none waits,
    /// or if the record's time is not known yet.
    private func next(of lane: Lane, at now: MonotonicInstant, _ utc: UTCInstant?) -> UplinkRecord? {
        guard let record = lane.waiting.first else { return nil }
        return dated(record, at: now, utc)
    }

    private func dated(_ record: UplinkRecord, at now: MonotonicInstant, _ utc: UTCInstant?) -> UplinkRecord? {
        guard record.time == nil, record.uptime != nil else { return record }
        guard let time = date(record.uptime, at: now, utc) else { return nil }
        var dated = record
        dated.time = time
        return dated
    }

    /// Whether a record must wait, because it tells a more exact position than the client is allowed at present.
    private func isHeld(_ record: UplinkRecord) -> Bool { isReduced && RecordBody.isPrecise(record) }

    private func messages(of event: UplinkRecord, _ utc: UTCInstant?) -> [UplinkMessage] {
        var messages: [UplinkMessage] = []
        let members = RecordMembers(event.body)
        if let topic = members.topic {
            messages.append(own.event(event, oldest: queue.oldestNumber, topic: topic))
        }
        if tellsOwn { messages.append(own.event(event, oldest: queue.oldestNumber, topic: topics.event)) }
        guard configuration.format == .owntracks, let time = event.time else { return messages }
        let region = regions.first { $0.identifier == members.region }
        let isSignificant = members.kind == .significantChange
        let transition = owntracks.transition(members, time: time, n: event.n, region: region)
        if let transition { messages.append(transition) }
        // A location is sent with each transition, as OwnTracks' apps do.
        guard transition != nil || isSignificant,
            let place = owntracks.location(
                members, time: time, created: utc, n: event.n, battery: reports.battery,
                trigger: isSignificant ? .automatic : .region, names: name(of:), isSignificant: isSignificant)
        else { return messages }
        return messages + [place]
    }

    private func name(of region: String) -> String {
        regions.first { $0.identifier == region }?.name ?? region
    }

    // MARK: History

    private mutating func sendHistory(at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput])
    {
        // Events come first: the history waits until all events are sent.
        guard lanes.events.isDone else { return }
        switch configuration.format {
        case .own: while sendBatch(at: now, utc, into: &outputs) {}
        case .owntracks: while sendFix(at: now, utc, into: &outputs) {}
        }
    }

    /// When a batch that is not full can be sent; nil if nothing waits.
    var batchDue: MonotonicInstant? {
        guard configuration.format == .own, !lanes.history.waiting.isEmpty, let lastBatch = lanes.lastBatch
        else { return nil }
        return lastBatch.advanced(bySeconds: configuration.batchSeconds)
    }

    /// Skips records that are not to be sent in a batch now, and sends one batch; false if no batch can be sent.
    private mutating func sendBatch(
        at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]
    ) -> Bool {
        let passed = lanes.history.waiting.prefix { $0.kind == .event || isHeld($0) || connection.isInFlight($0.n) }
        if let last = passed.last { lanes.covered = max(lanes.covered, last.n) }
        lanes.history.waiting.removeFirst(passed.count)
        guard connection.batches < Uplink.batches, room(for: 2), !lanes.history.waiting.isEmpty else { return false }
        let fixes = batch(at: now, utc)
        guard let firstFix = fixes.first, let lastFix = fixes.last else { return false }
        let isFull = fixes.count >= Lane.limit || fixes.count < lanes.history.waiting.count
        guard isFull || lanes.history.isAtEnd else { return false }
        if !isFull, let due = batchDue, due > now { return false }
        lanes.history.waiting.removeFirst(fixes.count)
        let first = min(lanes.covered + 1, firstFix.n)
        lanes.covered = lastFix.n
        lanes.lastBatch = now
        publish(
            own.track(fixes[...], first: first, oldest: queue.oldestNumber), .batch(first...lastFix.n), at: now,
            into: &outputs)
        if keepsFixes { for fix in fixes { lanes.keep(fix, at: now) } }
        return true
    }

    /// The fixes of the next batch, which ends before the next event or at the size limits.
    private func batch(at now: MonotonicInstant, _ utc: UTCInstant?) -> [UplinkRecord] {
        var fixes: [UplinkRecord] = []
        var bytes = 0
        for record in lanes.history.waiting.prefix(Lane.limit) {
            bytes += record.body.count + 64
            guard record.kind == .fix, !isHeld(record), bytes <= Uplink.batchBytes,
                !connection.isInFlight(record.n), let record = dated(record, at: now, utc)
            else { break }
            fixes.append(record)
        }
        return fixes
    }

    private mutating func sendFix(
        at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]
    ) -> Bool {
        guard room(for: 2), let record = next(of: lanes.history, at: now, utc) else { return false }
        lanes.history.waiting.removeFirst()
        guard record.kind == .fix, !connection.isInFlight(record.n), !isHeld(record) else { return true }
        // A fix without a time is not sent, since OwnTracks requires one.
        guard let time = record.time,
            let message = owntracks.location(
                RecordMembers(record.body), time: time, created: utc, n: record.n, battery: nil, trigger: .automatic,
                names: name(of:))
        else {
            outputs.append(.remove(record.n...record.n))
            return true
        }
        publish(message, .record(record), at: now, into: &outputs)
        return true
    }

    // MARK: Reports

    private mutating func report(at now: MonotonicInstant) {
        if let due = reports.discoveryAt, due <= now {
            reports.discoveryAt = nil
            lanes.queue(
                HomeAssistantDiscovery.message(id: configuration.id, name: configuration.name, topics: topics))
        }
        guard tellsOwn, reports.hourlyDue <= now else { return }
        reports.lastReport = now
        lanes.queue(own.health(status, reports.battery))
        if let energy = reports.energy { lanes.queue(own.energy(lastDay: energy.lastDay, client: energy.client)) }
    }
}
