public import ClientVocabulary
internal import Power
public import SextantJSON

/// Writes the lines (JSON objects that end in LF) of all the daemon's events except epochs and locations.
public enum ClientEvent {
    /// Appends the answer to a `watch` or `unwatch` request.
    public static func appendWatching(_ isWatching: Bool, session: UInt8 = 0, id: String?, to text: inout TextBuffer) {
        text.begin(.watching)
        text.member(.id, id)
        appendSession(session, to: &text)
        text.member(.enabled, isWatching)
        end(&text)
    }

    /// Appends the event that a session's location reports pause; the daemon resumes them by itself.
    public static func appendPaused(reason: PauseName, session: UInt8 = 0, to text: inout TextBuffer) {
        text.begin(.paused)
        appendSession(session, to: &text)
        text.member(.reason, reason.rawValue)
        end(&text)
    }

    public static func appendResumed(reason: ResumeName, session: UInt8 = 0, to text: inout TextBuffer) {
        text.begin(.resumed)
        appendSession(session, to: &text)
        text.member(.reason, reason.rawValue)
        end(&text)
    }

    /// Appends the event that a deferral has ended, with the `id` of the request for it.
    public static func appendDeferredFinished(
        _ end: DeferralEnd, session: UInt8 = 0, id: String?, to text: inout TextBuffer
    ) {
        text.begin(.deferredFinished)
        text.member(.id, id)
        appendSession(session, to: &text)
        text.member(.reason, end.rawValue)
        text.member(.errorCode, end.errorCode?.rawValue)
        ClientEvent.end(&text)
    }

    /// Appends the answer to a `flush` request: the number of deferred locations that the daemon sends next.
    public static func appendFlushed(locations: Int, session: UInt8 = 0, id: String?, to text: inout TextBuffer) {
        text.begin(.flushed)
        text.member(.id, id)
        appendSession(session, to: &text)
        text.member(.locations, locations)
        end(&text)
    }

    public static func appendError(_ code: ErrorCode, _ message: String, id: String?, to text: inout TextBuffer) {
        text.begin(.error)
        text.member(.id, id)
        text.member(.code, code.rawValue)
        text.member(.message, message)
        end(&text)
    }

    public static func appendStatus(_ status: DaemonStatus, id: String?, to text: inout TextBuffer) {
        text.begin(.status)
        text.member(.id, id)
        text.member(.version, ProtocolVersion.software)
        text.member(.clients, status.clients)
        text.member(.servicesEnabled, status.servicesEnabled)
        text.beginObject(.receiver)
        text.member(.device, status.device)
        text.member(.state, status.state.rawValue)
        text.member(.detail, status.detail)
        text.member(.baud, status.baud)
        text.member(.bytes, status.bytes)
        text.member(.sentences, status.sentences)
        text.member(.frames, status.frames)
        text.member(.checksumFailures, status.checksumFailures)
        text.member(.skippedBytes, status.skippedBytes)
        text.member(.epochs, status.epochs)
        text.member(.secondsSinceEpoch, status.secondsSinceEpoch, decimals: 3)
        text.member(.time, status.time)
        text.member(.secondsSinceFix, status.secondsSinceFix, decimals: 1)
        text.member(.horizontalAccuracy, status.horizontalAccuracy, decimals: 1)
        text.endElement()
        status.power?.append(to: &text)
        if let plan = status.plan {
            text.beginObject(.plan)
            text.member(.why, plan.why.rawValue)
            text.member(.seconds, plan.seconds, decimals: 3)
            text.member(.restingUntil, plan.until)
            text.endElement()
        }
        status.host?.append(to: &text)
        status.timeService?.append(to: &text)
        status.counters?.append(to: &text)
        if let compass = status.compass {
            text.beginObject(.compass)
            compass.appendMembers(to: &text)
            text.endElement()
        }
        if let radio = status.radio {
            text.beginObject(.beacons)
            radio.appendMembers(to: &text)
            text.endElement()
        }
        if !status.spotTroubles.isEmpty {
            text.beginArray(.spots)
            for trouble in status.spotTroubles { text.value(trouble) }
            text.endArray()
        }
        if let detail = status.storeTrouble {
            text.beginObject(.store)
            text.member(.detail, detail)
            text.endElement()
        }
        end(&text)
    }

    /// Appends the number of the client's session as the member `session`; for session 0, appends nothing.
    static func appendSession(_ session: UInt8, to text: inout TextBuffer) {
        if session > 0 { text.member(.session, session) }
    }

    /// Appends an event that has a number; the daemon keeps such an event until the client acknowledges the number.
    public static func append(
        _ event: EventName, number: UInt64, to text: inout TextBuffer, _ members: (inout TextBuffer) -> Void
    ) {
        text.begin(event)
        text.member(.number, number)
        members(&text)
        end(&text)
    }

    static func end(_ text: inout TextBuffer) {
        text.endObject()
        text.append(0x0A)
    }
}

extension TextBuffer {
    /// Begins an event's JSON object with the member `event`, the kind of the event.
    mutating func begin(_ event: EventName) {
        beginObject()
        member(.event, event.rawValue)
    }
}
