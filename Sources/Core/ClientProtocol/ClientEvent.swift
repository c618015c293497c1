public import JSON
internal import Units

/// Writes the events that are not epochs; a line each, ended by LF.
public enum ClientEvent {
    /// The answer to `watch` and `unwatch`.
    public static func appendWatching(_ isWatching: Bool, session: UInt8 = 0, id: String?, to text: inout TextBuffer) {
        text.beginObject()
        text.member("\"event\":", literal: "watching")
        text.member("\"id\":", id)
        appendSession(session, to: &text)
        text.member("\"enabled\":", isWatching)
        end(&text)
    }

    /// The client's reports pause; they go on by themselves.
    public static func appendPaused(reason: StaticString, session: UInt8 = 0, to text: inout TextBuffer) {
        text.beginObject()
        text.member("\"event\":", literal: "paused")
        appendSession(session, to: &text)
        text.member("\"reason\":", literal: reason)
        end(&text)
    }

    public static func appendResumed(reason: StaticString, session: UInt8 = 0, to text: inout TextBuffer) {
        text.beginObject()
        text.member("\"event\":", literal: "resumed")
        appendSession(session, to: &text)
        text.member("\"reason\":", literal: reason)
        end(&text)
    }

    /// The end of the deferral that the client called `id`; `errorCode` where it is an error.
    public static func appendDeferredFinished(
        reason: StaticString, errorCode: Int?, session: UInt8 = 0, id: String?, to text: inout TextBuffer
    ) {
        text.beginObject()
        text.member("\"event\":", literal: "deferredFinished")
        text.member("\"id\":", id)
        appendSession(session, to: &text)
        text.member("\"reason\":", literal: reason)
        text.member("\"errorCode\":", errorCode)
        end(&text)
    }

    /// The answer to `flush`: so many locations follow.
    public static func appendFlushed(locations: Int, session: UInt8 = 0, id: String?, to text: inout TextBuffer) {
        text.beginObject()
        text.member("\"event\":", literal: "flushed")
        text.member("\"id\":", id)
        appendSession(session, to: &text)
        text.member("\"locations\":", locations)
        end(&text)
    }

    public static func appendError(_ code: StaticString, _ message: String, id: String?, to text: inout TextBuffer) {
        text.beginObject()
        text.member("\"event\":", literal: "error")
        text.member("\"id\":", id)
        text.member("\"code\":", literal: code)
        text.member("\"message\":", message)
        end(&text)
    }

    public static func appendStatus(_ status: DaemonStatus, id: String?, to text: inout TextBuffer) {
        text.beginObject()
        text.member("\"event\":", literal: "status")
        text.member("\"id\":", id)
        text.member("\"version\":", ProtocolVersion.software)
        text.member("\"clients\":", status.clients)
        text.beginObject("\"receiver\":")
        text.member("\"device\":", status.device)
        text.member("\"state\":", literal: status.state.name)
        text.member("\"detail\":", status.detail)
        text.member("\"baud\":", status.baud)
        text.member("\"bytes\":", status.bytes.map { Int($0) })
        text.member("\"sentences\":", status.sentences.map { Int($0) })
        text.member("\"frames\":", status.frames.map { Int($0) })
        text.member("\"checksumFailures\":", status.checksumFailures.map { Int($0) })
        text.member("\"skippedBytes\":", status.skippedBytes.map { Int($0) })
        text.member("\"epochs\":", Int(status.epochs))
        text.member("\"secondsSinceEpoch\":", status.secondsSinceEpoch, decimals: 3)
        text.member("\"time\":", status.time)
        text.endElement()
        status.power?.append(to: &text)
        if let compass = status.compass {
            text.beginObject("\"compass\":")
            compass.appendMembers(to: &text)
            text.endElement()
        }
        end(&text)
    }

    /// The number of the client's session; 0 goes without saying.
    static func appendSession(_ session: UInt8, to text: inout TextBuffer) {
        if session > 0 { text.member("\"session\":", Int(session)) }
    }

    static func end(_ text: inout TextBuffer) {
        text.endObject()
        text.append(0x0A)
    }
}
