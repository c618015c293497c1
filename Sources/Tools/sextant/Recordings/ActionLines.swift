internal import ClientProtocol
internal import ClientVocabulary
internal import Engine
internal import HostSleep
internal import Monitors
internal import Parts
internal import Receivers
internal import SextantJSON
internal import SextantUnits
internal import TimeService

/// The Engine's actions (what it tells the rest of the daemon to do) as JSON lines.
enum ActionLines {
    static func append(_ turn: borrowing Turn, at instant: MonotonicInstant, to text: inout TextBuffer) {
        for action in turn.actions {
            text.beginObject()
            text.append("\"at\":" as StaticString)
            text.append(instant.nanoseconds, decimals: 9)
            text.append(0x2C)
            text.member("\"action\":", literal: name(of: action))
            append(action, of: turn, to: &text)
            text.endObject()
            text.append(0x0A)
        }
    }

    private static func name(of action: Action) -> StaticString {
        switch action {
        case .openDevice: "openDevice"
        case .port(.setBaud): "setBaud"
        case .port(.transmit): "transmit"
        case .port(.holdTransmitterLow): "holdTransmitterLow"
        case .setLine: "setLine"
        case .rest: "rest"
        case .send: "send"
        case .persist: "persist"
        case .acknowledge: "acknowledge"
        case .store: "store"
        case .hold: "hold"
        case .keepTrack: "keepTrack"
        case .serveTrack(_, _, let request): request == .erase ? "eraseTrack" : "readTrack"
        case .wake: "wake"
        case .endWake: "endWake"
        case .wakeDone: "wakeDone"
        case .startUnit: "startUnit"
        case .expireStart: "expireStart"
        case .findCompass: "findCompass"
        case .sampleCompass: "sampleCompass"
        case .watchMotion: "watchMotion"
        case .lookAtLine: "lookAtLine"
        case .radio: "radio"
        case .readClock: "readClock"
        case .tellTime: "tellTime"
        case .host(.inspect): "inspectHost"
        case .host(.disarm): "disarmSwitch"
        case .host(.arm): "armSwitch"
        case .host(.powerOff): "powerOff"
        case .remember: "remember"
        case .keepLearned: "keepLearned"
        case .log: "log"
        }
    }

    /// Appends the members that an action's JSON object has beside the action's name.
    private static func append(_ action: Action, of turn: borrowing Turn, to text: inout TextBuffer) {
        switch action {
        case .findCompass, .sampleCompass, .watchMotion, .readClock, .host(.inspect), .host(.disarm): break
        case .store(let change): append(change, to: &text)
        case .hold(let client, _, _), .serveTrack(let client, _, _):
            text.member("\"client\":", Int(client.rawValue))
        case .keepTrack(let places):
            text.member("\"count\":", places.count)
            text.member("\"from\":", places.first?.time)
            text.member("\"to\":", places.last?.time)
        case .wake(let client, let unit, let service):
            text.member("\"client\":", client)
            text.member("\"unit\":", unit)
            text.member("\"service\":", literal: service.name)
        case .endWake(let client, let unit), .wakeDone(let client, let unit):
            text.member("\"client\":", client)
            text.member("\"unit\":", unit)
        case .startUnit(let start), .expireStart(let start):
            text.member("\"client\":", start.client)
            text.member("\"unit\":", start.unit)
            text.member("\"region\":", start.region)
            text.member("\"event\":", start.event.rawValue)
        case .host(.arm(let alarm)), .host(.powerOff(let alarm)):
            text.member("\"alarm\":", alarm.alarm)
            text.member("\"backstop\":", alarm.backstop, decimals: 0)
            text.member("\"byMotion\":", alarm.byMotion)
        case .tellTime(let sample):
            text.member("\"clock\":", sample.clock)
            text.member("\"offset\":", Double(sample.offset) * 1e-9, decimals: 9)
        case .radio(let range): text.member("\"bytes\":", turn.text.withBytes(range) { $0.count })
        case .openDevice(let baud): text.member("\"baud\":", baud)
        case .port(.setBaud(let baud)), .remember(let baud): text.member("\"baud\":", baud)
        case .rest(let until): text.member("\"until\":", Double(until.nanoseconds) * 1e-9, decimals: 9)
        case .send(let client, let range):
            text.member("\"client\":", Int(client.rawValue))
            text.member("\"text\":", String(decoding: bytes(range, of: turn), as: UTF8.self))
        case .persist(.deferred(let key), let sequence, _):
            append(key, to: &text)
            text.member("\"sequence\":", Int(clamping: sequence))
        case .acknowledge(.deferred(let key), let sequence):
            append(key, to: &text)
            text.member("\"through\":", Int(clamping: sequence))
        case .port(.transmit(let bytes)): text.member("\"hex\":", Hexadecimal.text(bytes))
        case .keepLearned(let range): text.member("\"hex\":", Hexadecimal.text(bytes(range, of: turn)))
        case .setLine(let role, let level):
            text.member("\"line\":", role.key)
            text.member("\"active\":", level)
        case .port(.holdTransmitterLow(let isLow)): text.member("\"low\":", isLow)
        case .lookAtLine(let instant):
            text.member("\"when\":", instant.map { Double($0.nanoseconds) * 1e-9 }, decimals: 9)
        case .log(let change): text.member("\"change\":", String(describing: change))
        }
    }

    /// Appends a change of a row in the daemon's database; of the row's value only the size, because the value can
    /// reveal where a person was.
    private static func append(_ change: DurableChange, to text: inout TextBuffer) {
        switch change {
        case .put(let row):
            text.member("\"table\":", literal: row.table.name)
            text.member("\"client\":", row.client)
            text.member("\"name\":", row.name)
            text.member("\"bytes\":", row.value.count)
        case .remove(let table, let client, let name):
            text.member("\"table\":", literal: table.name)
            text.member("\"client\":", client)
            text.member("\"name\":", name)
            text.member("\"removed\":", true)
        case .erase(let client):
            text.member("\"client\":", client)
            text.member("\"removed\":", true)
        }
    }

    private static func append(_ key: DeferredKey, to text: inout TextBuffer) {
        text.member("\"log\":", literal: "deferred")
        text.member("\"user\":", key.userID.map { Int($0) })
        text.member("\"label\":", String(key.label, radix: 16))
    }

    private static func bytes(_ range: Range<Int>, of turn: borrowing Turn) -> [UInt8] {
        turn.text.bytes(range)
    }
}
