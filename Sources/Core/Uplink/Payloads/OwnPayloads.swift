internal import SextantJSON
internal import SextantUnits

/// The messages of Sextant's own format.
struct OwnPayloads: Sendable {
    let topics: OwnTopics
    let series: UInt32

    private var seriesText: String { UplinkSeries.text(series) }

    func isSeries(_ text: String) -> Bool { text == seriesText }

    func availability(_ isOnline: Bool) -> UplinkMessage {
        UplinkMessage(
            topic: topics.availability, payload: Array((isOnline ? "online" : "offline").utf8), isRetained: true)
    }

    /// The message with the newest fix; `n` is the record's number, nil for a fix that is not in the queue.
    func location(_ fix: UplinkFix, n: Int64?) -> UplinkMessage {
        let payload = UplinkText.bytes { text in
            text.beginObject()
            if let n {
                text.member("\"series\":", seriesText)
                text.member("\"n\":", n)
            }
            text.member("\"time\":", fix.time)
            UplinkText.appendMembers(of: RecordBody.of(fix), to: &text)
            text.endObject()
        }
        return UplinkMessage(topic: topics.location, payload: payload, isRetained: true)
    }

    func event(_ record: UplinkRecord, oldest: Int64, topic: String) -> UplinkMessage {
        let payload = UplinkText.bytes { text in
            text.beginObject()
            text.member("\"series\":", seriesText)
            text.member("\"n\":", record.n)
            text.member("\"after\":", record.n - 1)
            text.member("\"oldest\":", oldest)
            text.member("\"time\":", record.time)
            UplinkText.appendMembers(of: record.body, to: &text)
            text.endObject()
        }
        return UplinkMessage(topic: topic, payload: payload)
    }

    /// The message with a batch of fixes; it covers all record numbers from `first` to the number of the last fix in
    /// it.
    ///
    /// A message without a fix asks the subscribing program which records it has.
    func track(_ fixes: ArraySlice<UplinkRecord>, first: Int64, oldest: Int64) -> UplinkMessage {
        let payload = UplinkText.bytes(capacity: fixes.count * 192 + 128) { text in
            text.beginObject()
            text.member("\"series\":", seriesText)
            text.member("\"first\":", first)
            text.member("\"last\":", fixes.last?.n ?? first - 1)
            text.member("\"after\":", first - 1)
            text.member("\"oldest\":", oldest)
            text.endObject()
            text.append(0x0A)
            for fix in fixes { line(fix, to: &text) }
        }
        return UplinkMessage(topic: topics.track, payload: payload, isCompressed: true)
    }

    private func line(_ fix: UplinkRecord, to text: inout TextBuffer) {
        text.beginObject()
        text.member("\"n\":", fix.n)
        text.member("\"time\":", fix.time)
        if fix.time == nil { text.member("\"uptime\":", fix.uptime.map { Double($0.nanoseconds) / 1e9 }, decimals: 3) }
        UplinkText.appendMembers(of: fix.body, to: &text)
        text.endObject()
        text.append(0x0A)
    }

    func done(id: String?, problem: String?) -> UplinkMessage {
        let payload = UplinkText.bytes { text in
            text.beginObject()
            text.member("\"id\":", id)
            if let problem { text.member("\"error\":", problem) } else { text.member("\"ok\":", true) }
            text.endObject()
        }
        return UplinkMessage(topic: topics.done, payload: payload)
    }

    func health(_ status: UplinkStatus, _ battery: UplinkBattery?) -> UplinkMessage {
        let payload = UplinkText.bytes { text in
            text.beginObject()
            text.member("\"battery\":", battery?.percent)
            text.member("\"charging\":", battery?.isCharging)
            text.member("\"queuedFixes\":", status.fixes)
            text.member("\"queuedEvents\":", status.events)
            text.member("\"oldest\":", status.oldest)
            text.member("\"thinned\":", status.thinned)
            text.endObject()
        }
        return UplinkMessage(topic: topics.health, payload: payload, isRetained: true)
    }

    func energy(lastDay: Double, client: Double) -> UplinkMessage {
        let payload = UplinkText.bytes { text in
            text.beginObject()
            text.member("\"lastDay\":", lastDay, decimals: 3)
            text.member("\"uplink\":", client, decimals: 3)
            text.endObject()
        }
        return UplinkMessage(topic: topics.energy, payload: payload, isRetained: true)
    }
}

/// The topics of Sextant's own format, `sextant/1/ID/...`.
struct OwnTopics: Sendable {
    let availability, location, event, track, energy, health, ack, `do`, done: String

    init(id: String) {
        let base = "sextant/1/" + id + "/"
        availability = base + "availability"
        location = base + "location"
        event = base + "event"
        track = base + "track"
        energy = base + "energy"
        health = base + "health"
        ack = base + "ack"
        `do` = base + "do"
        done = base + "done"
    }
}
