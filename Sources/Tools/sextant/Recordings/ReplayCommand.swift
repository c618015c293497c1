internal import ArgumentParser
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

/// `sextant replay`.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Run a flight recording through the Engine.",
        discussion: """
            Prints the Engine's actions as JSON, one a line, and compares them with the actions when the recording \
            was made. A long run is recorded in several files, which are replayed together, in their order; so are those \
            of several boots, each of which must begin with what the boot before left in the store.

            Exit status: 0 where all outputs are the same; 64 for usage; 65 where they differ, a boot is missing or the \
            file is not a recording; 74 where it cannot be read.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A file that sextantd --record wrote, and those that go on after it.", valueName: "recording"))
    var recordings: [String]

    private var recording: String { recordings.joined(separator: " ") }

    @Flag(help: "Compare only, and print a summary.")
    var quiet = false

    func run() throws {
        do throws(CommandFailure) {
            try replay()
        } catch {
            error.report()
            throw ExitCode(error.status)
        }
    }

    private func replay() throws(CommandFailure) {
        var bytes: [UInt8] = []
        for file in recordings { bytes += try InputFile.contents(of: file) }
        var text = TextBuffer(capacity: 1 << 17)
        var replay: Replay
        do throws(FlightFormatError) {
            replay = try Replay(bytes)
        } catch {
            throw failure(error)
        }
        var chain = BootChain()
        while try step(&replay, &chain, &text) {
            if text.count > 1 << 16 { try StandardOutput.write(&text) }
        }
        try StandardOutput.write(&text)
        if replay.isTruncated {
            StandardError.write("sextant: \(recording): its last record was cut off; the rest is whole")
        }
        StandardError.write(
            "sextant: \(replay.inputs) inputs, \(replay.differences) with other outputs than recorded, checksum "
                + "\(replay.check.value)" + (chain.boots > 1 ? ", \(chain.boots) boots" : ""))
        if replay.differences > 0, replay.isOfEarlierVersion {
            throw .data(
                "\(recording): the outputs differ; an earlier version of sextantd recorded it, which rounded some numbers "
                    + "otherwise, so that only the lines for clients can be compared")
        }
        if replay.differences > 0 {
            throw .data(
                "\(recording): the outputs differ; another version of sextantd recorded it, or it goes on from an "
                    + "earlier file, which must be named before it")
        }
        if let broken = chain.breaks.first {
            throw .data(
                "\(recording): boot \(broken) began with other stored rows than the one before it had left; name the "
                    + "files of the boots between them, or the store lost what it had taken")
        }
    }

    private func step(
        _ replay: inout Replay, _ chain: inout BootChain, _ text: inout TextBuffer
    ) throws(CommandFailure) -> Bool {
        do throws(FlightFormatError) {
            return try replay.step { stamped, turn in
                chain.take(stamped, turn)
                if !quiet { ActionLines.append(turn, at: stamped.instant, to: &text) }
            }
        } catch {
            // The actions before the damaged part were replayed, and are printed.
            try StandardOutput.write(&text)
            throw failure(error, ": \(replay.inputs) inputs, checksum \(replay.check.value)")
        }
    }

    private func failure(_ error: FlightFormatError, _ replayed: String = "") -> CommandFailure {
        switch error {
        case .notARecording: .data("\(recording): is not a flight recording; sextantd --record FILE writes one")
        case .damaged(let offset):
            .data("\(recording): damaged at byte \(offset); what stands before it was replayed\(replayed)")
        }
    }
}

/// The Engine's actions as JSON lines.
enum ActionLines {
    /// Appends a change of a stored row; only the size of its value, because the value can reveal a person's place.
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

    private static func append(_ start: BorderStart, as action: StaticString, to text: inout TextBuffer) {
        text.member("\"action\":", literal: action)
        text.member("\"client\":", start.client)
        text.member("\"unit\":", start.unit)
        text.member("\"region\":", start.region)
        text.member("\"event\":", literal: start.event.name)
    }

    private static func append(_ order: HostOrder, to text: inout TextBuffer) {
        let (name, alarm): (StaticString, SwitchOrder?) =
            switch order {
            case .inspect: ("inspectHost", nil)
            case .disarm: ("disarmSwitch", nil)
            case .arm(let alarm): ("armSwitch", alarm)
            case .powerOff(let alarm): ("powerOff", alarm)
            }
        text.member("\"action\":", literal: name)
        guard let alarm else { return }
        text.member("\"alarm\":", alarm.alarm)
        text.member("\"backstop\":", alarm.backstop, decimals: 0)
        text.member("\"byMotion\":", alarm.byMotion)
    }

    static func append(_ turn: borrowing Turn, at instant: MonotonicInstant, to text: inout TextBuffer) {
        for action in turn.actions {
            text.beginObject()
            text.append("\"at\":" as StaticString)
            text.append(instant.nanoseconds, decimals: 9)
            text.append(0x2C)
            switch action {
            case .store(let change):
                text.member("\"action\":", literal: "store")
                append(change, to: &text)
            case .hold(let client, _, _):
                text.member("\"action\":", literal: "hold")
                text.member("\"client\":", Int(client.rawValue))
            case .keepTrack(let places):
                text.member("\"action\":", literal: "keepTrack")
                text.member("\"count\":", places.count)
                text.member("\"from\":", places.first?.time)
                text.member("\"to\":", places.last?.time)
            case .serveTrack(let client, _, let request):
                text.member("\"action\":", literal: request == .erase ? "eraseTrack" : "readTrack")
                text.member("\"client\":", Int(client.rawValue))
            case .wake(let client, let unit, let service):
                text.member("\"action\":", literal: "wake")
                text.member("\"client\":", client)
                text.member("\"unit\":", unit)
                text.member("\"service\":", literal: service.name)
            case .endWake(let client, let unit):
                text.member("\"action\":", literal: "endWake")
                text.member("\"client\":", client)
                text.member("\"unit\":", unit)
            case .wakeDone(let client, let unit):
                text.member("\"action\":", literal: "wakeDone")
                text.member("\"client\":", client)
                text.member("\"unit\":", unit)
            case .startUnit(let start): append(start, as: "startUnit", to: &text)
            case .expireStart(let start): append(start, as: "expireStart", to: &text)
            case .host(let order): append(order, to: &text)
            case .readClock: text.member("\"action\":", literal: "readClock")
            case .tellTime(let sample):
                text.member("\"action\":", literal: "tellTime")
                text.member("\"clock\":", sample.clock)
                text.member("\"offset\":", Double(sample.offset) * 1e-9, decimals: 9)
            case .radio(let range):
                text.member("\"action\":", literal: "radio")
                text.member("\"bytes\":", turn.text.withBytes(range) { $0.count })
            case .openDevice(let baud):
                text.member("\"action\":", literal: "openDevice")
                text.member("\"baud\":", baud)
            case .port(.setBaud(let baud)):
                text.member("\"action\":", literal: "setBaud")
                text.member("\"baud\":", baud)
            case .rest(let until):
                text.member("\"action\":", literal: "rest")
                text.member("\"until\":", Double(until.nanoseconds) * 1e-9, decimals: 9)
            case .send(let client, let range):
                text.member("\"action\":", literal: "send")
                text.member("\"client\":", Int(client.rawValue))
                text.member(
                    "\"text\":",
                    turn.text.withBytes(range) { bytes in
                        String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
                    })
            case .persist(.deferred(let key), let sequence, _):
                text.member("\"action\":", literal: "persist")
                append(key, to: &text)
                text.member("\"sequence\":", Int(clamping: sequence))
            case .acknowledge(.deferred(let key), let sequence):
                text.member("\"action\":", literal: "acknowledge")
                append(key, to: &text)
                text.member("\"through\":", Int(clamping: sequence))
            case .port(.transmit(let bytes)):
                text.member("\"action\":", literal: "transmit")
                text.member("\"hex\":", Hexadecimal.text(bytes))
            case .setLine(let role, let level):
                text.member("\"action\":", literal: "setLine")
                text.member("\"line\":", role.key)
                text.member("\"active\":", level)
            case .port(.holdTransmitterLow(let isLow)):
                text.member("\"action\":", literal: "holdTransmitterLow")
                text.member("\"low\":", isLow)
            case .keepLearned(let range):
                text.member("\"action\":", literal: "keepLearned")
                let bytes = turn.text.withBytes(range) { bytes in bytes.indices.map { bytes[$0] } }
                text.member("\"hex\":", Hexadecimal.text(bytes))
            case .remember(let baud):
                text.member("\"action\":", literal: "remember")
                text.member("\"baud\":", baud)
            case .findCompass: text.member("\"action\":", literal: "findCompass")
            case .sampleCompass: text.member("\"action\":", literal: "sampleCompass")
            case .watchMotion: text.member("\"action\":", literal: "watchMotion")
            case .lookAtLine(let instant):
                text.member("\"action\":", literal: "lookAtLine")
                text.member("\"when\":", instant.map { Double($0.nanoseconds) * 1e-9 }, decimals: 9)
            case .log(let change):
                text.member("\"action\":", literal: "log")
                text.member("\"change\":", String(describing: change))
            }
            text.endObject()
            text.append(0x0A)
        }
    }

    private static func append(_ key: DeferredKey, to text: inout TextBuffer) {
        text.member("\"log\":", literal: "deferred")
        text.member("\"user\":", key.userID.map { Int($0) })
        text.member("\"label\":", String(key.label, radix: 16))
    }
}
