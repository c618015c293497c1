internal import SextantUnits

/// The part of the uplink that stores records in the queue, reads them, and keeps the queue within its limits.
extension Uplink {
    mutating func take(_ fix: UplinkFix, at now: MonotonicInstant, into outputs: inout [UplinkOutput]) {
        guard isStarted, authorization != nil, !isDenied, fix.horizontalAccuracy.isFinite,
            (-90...90).contains(fix.latitude), (-180...180).contains(fix.longitude)
        else { return }
        var fix = fix
        fix.isReduced = isReduced
        if configuration.format == .owntracks, !isReduced { fix.regions = inside }
        let n = number(fix, into: &outputs)
        lanes.newest = (fix, n ?? (lanes.newest?.fix.time == fix.time ? lanes.newest?.n : nil))
        lanes.isNewestDue = true
    }

    /// Stores a fix and returns its record number; nil if no history is kept, if there is no room, or if the daemon
    /// repeated an earlier fix.
    private mutating func number(_ fix: UplinkFix, into outputs: inout [UplinkOutput]) -> Int64? {
        guard configuration.history == .all else { return nil }
        if let time = fix.time {
            if let last = queue.newestFixTime,
                configuration.format == .own ? time <= last : second(time) <= second(last)
            {
                return nil
            }
            queue.newestFixTime = time
        }
        let record = UplinkRecord(
            n: queue.next, kind: .fix, time: fix.time, uptime: fix.measured, body: RecordBody.of(fix))
        guard status.bytes + record.cost <= configuration.maximumBytes else {
            status.thinned += 1
            return nil
        }
        add(record)
        outputs.append(.store(record))
        lanes.history.offer(record)
        return record.n
    }

    private func second(_ time: UTCInstant) -> Int64 { time.nanoseconds / 1_000_000_000 }

    mutating func take(_ event: UplinkEvent, into outputs: inout [UplinkOutput]) {
        guard isStarted, authorization != nil, !isDenied else { return }
        var event = event
        let identity = event.number.map { Uplink.identity(of: event, number: $0) }
        if let identity, queue.identities.contains(identity) || wasDenied(event.time) {
            // A repeated event is acknowledged at once, unless it is still being written to the card; then the
            // acknowledgement follows the writing.
            if !queue.storing.contains(where: { $0.record.identity == identity }), let number = event.number {
                outputs.append(.acknowledge(number: number))
            }
            return
        }
        if let region = event.region, event.kind != .dwell { note(region, isInside: event.kind == .enter) }
        locate(&event)
        let record = UplinkRecord(
            n: queue.next, kind: .event, time: event.time, uptime: event.heard, identity: identity,
            body: RecordBody.of(event, isReduced: isReduced))
        if let identity { queue.identities.append(identity) }
        add(record)
        queue.storing.append((record, event.number))
        outputs.append(.store(record))
    }

    mutating func note(_ region: String, isInside: Bool) {
        inside.removeAll { $0 == region }
        if isInside { inside.append(region) }
    }

    /// If an event has no position, gives it the position of the newest fix, or the centre of its region if there is no
    /// fix.
    private func locate(_ event: inout UplinkEvent) {
        guard event.latitude == nil else { return }
        if let fix = lanes.newest?.fix {
            (event.latitude, event.longitude, event.horizontalAccuracy) = (
                fix.latitude, fix.longitude, fix.horizontalAccuracy
            )
        } else if !isReduced, let region = regions.first(where: { $0.identifier == event.region }) {
            (event.latitude, event.longitude, event.horizontalAccuracy) = (
                region.latitude, region.longitude, region.radius
            )
        }
    }

    private func wasDenied(_ time: UTCInstant?) -> Bool {
        guard let time, let denied, let from = denied.from else { return false }
        return time >= from && denied.until.map { time < $0 } ?? true
    }

    /// The 64-bit FNV-1a hash of the values that identify an event.
    ///
    /// The event's number alone is not enough, because the daemon can use a number again after a crash.
    private static func identity(of event: UplinkEvent, number: UInt64) -> UInt64 {
        FNV1a.of("\(number) \(event.kind.rawValue) \(event.region ?? "") \(event.time?.nanoseconds ?? 0)")
    }

    private mutating func add(_ record: UplinkRecord) {
        if status.fixes + status.events == 0 { queue.oldestNumber = record.n }
        queue.next = record.n + 1
        status.newest = record.n
        if record.kind == .fix { status.fixes += 1 } else { status.events += 1 }
        status.bytes += record.cost
        status.oldest = status.oldest ?? record.time
    }

    mutating func didStore(_ n: Int64, into outputs: inout [UplinkOutput]) {
        guard let index = queue.storing.firstIndex(where: { $0.record.n == n }) else { return }
        let (record, number) = queue.storing.remove(at: index)
        if let number { outputs.append(.acknowledge(number: number)) }
        lanes.offer(event: record)
    }

    mutating func didChange(_ load: UplinkLoad) {
        (status.fixes, status.events, status.bytes) = (load.fixes, load.events, load.bytes)
        status.oldest = load.oldestTime
        queue.oldestNumber = load.oldest ?? queue.next
        queue.thinning.didFree()
    }

    mutating func erase(into outputs: inout [UplinkOutput]) {
        outputs.append(.eraseQueue)
        (queue.storing, regions) = ([], [])
        lanes.erase()
        connection.forgetRecords()
        didChange(UplinkLoad())
        rewind()
    }

    // MARK: Reading

    mutating func didRead(_ rows: [UplinkRecord], _ utc: UTCInstant?, into outputs: inout [UplinkOutput]) {
        let purpose = queue.reading
        queue.reading = nil
        switch purpose {
        case .events:
            lanes.events.take(rows.filter { row in !queue.storing.contains { $0.record.n == row.n } })
        case .history:
            if lanes.history.cursor == 0, let first = rows.first { lanes.covered = first.n - 1 }
            lanes.history.take(rows)
        case .thinning: thin(rows, utc, into: &outputs)
        case .expiry:
            guard let utc else { return }
            let limit = utc.advanced(byNanoseconds: -Int64(saturating: configuration.maximumAge * 1e9))
            let old = rows.filter { $0.time.map { $0 < limit } ?? false }.map { $0.n }
            guard !old.isEmpty else { return }
            status.expired += old.count
            outputs.append(.discard(fixes: old))
        case .abandoned, nil: break
        }
    }

    mutating func rewind() {
        lanes.rewind()
        queue.abandonLanes()
    }

    // MARK: Bounds

    mutating func keepWithinBounds(_ utc: UTCInstant?, into outputs: inout [UplinkOutput]) {
        if status.events > configuration.maximumEvents {
            let excess = status.events - configuration.maximumEvents
            status.eventsLost += excess
            status.events -= excess
            outputs.append(.removeOldestEvents(count: excess))
        }
        guard queue.canRead else { return }
        if status.bytes > configuration.maximumBytes / 16 * 15, !queue.thinning.isStuck, status.fixes > 0 {
            outputs.append(queue.read(.thinning, from: queue.thinning.cursor, kind: nil, limit: Thinning.limit))
        } else if let utc, let oldest = status.oldest, status.fixes > 0,
            Double(utc.nanoseconds(since: oldest)) / 1e9 > configuration.maximumAge + 3600
        {
            // Fixes that are too old are dropped only once the oldest record is an hour past the age limit, not one by
            // one. The time of this record is forgotten here: the record can be an event, which is never too old and
            // would start this read again and again.
            status.oldest = nil
            outputs.append(queue.read(.expiry, from: 0, kind: .fix, limit: Thinning.limit))
        }
    }

    private mutating func thin(_ rows: [UplinkRecord], _ utc: UTCInstant?, into outputs: inout [UplinkOutput]) {
        let step = queue.thinning.step(rows, fixes: status.fixes)
        guard !step.numbers.isEmpty else { return }
        let record = UplinkRecord(
            n: queue.next, kind: .event, time: utc, uptime: nil,
            body: RecordBody.thinned(from: step.from, to: step.to, count: step.numbers.count))
        add(record)
        queue.storing.append((record, nil))
        status.thinned += step.numbers.count
        outputs.append(.thin(removing: step.numbers, record: record))
    }
}
