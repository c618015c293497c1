import Foundation
import SextantReactor
import SextantSockets
import SextantUnits
import TestSupport
import Testing

@testable import SextantUplink
@testable import UplinkService

@Suite("The uplink beside the daemon")
final class UplinkServiceTests {
    private let folder = NSTemporaryDirectory() + "uplink-\(UUID().uuidString.prefix(8))"
    private let reactor: Reactor
    private var listener: UnixListener?
    private var connection: Connection?
    private var requests: [String] = []
    private var logged: [String] = []

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        reactor = try Reactor()
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A daemon that says one line to whoever connects.
    private func daemon(says hello: String) throws {
        let settings = ConnectionSettings(separators: .newline, lineLimit: 65_536, outputCapacity: 65_536)
        listener = try UnixListener(path: folder + "/sock", mode: 0o600, settings: settings, reactor: reactor) {
            [unowned self] accepted in
            connection = accepted
            try? accepted.start(
                received: { [unowned self] event, line in
                    let text = String(decoding: line.indices.map { line[$0] }, as: UTF8.self)
                    if event == .line { requests.append(text) }
                }, ended: { _ in })
            say(hello)
        }
    }

    private func say(_ line: String) { _ = connection?.send(Array((line + "\n").utf8)) }

    /// An uplink to a port at which nobody listens.
    private func uplink(_ configuration: String = #"{ broker: "mqtt://127.0.0.1:1", id: "boat" }"#) throws
        -> UplinkService
    {
        try configuration.write(toFile: folder + "/uplink.json5", atomically: true, encoding: .utf8)
        var paths = UplinkService.Paths(
            config: folder + "/uplink.json5", daemon: folder + "/sock", state: folder + "/state",
            runtime: folder + "/run", keys: folder + "/keys/", boot: "one", machine: nil)
        paths.powerSupplies = folder + "/power"
        return try UplinkService(
            paths, reactor: reactor, log: { [unowned self] in logged.append($0) })
    }

    private var status: String {
        (try? String(contentsOfFile: folder + "/run/status.json", encoding: .utf8)) ?? ""
    }

    private func hello(_ rest: String) -> String {
        #"{"event":"hello","protocol":1,"servicesEnabled":true,"accuracyAuthorization":"full""# + rest + "}"
    }

    @Test func `where the queue cannot be opened, status.json says so, and nothing of the process before`() throws {
        for (name, text) in [("state", "no folder"), ("run/status.json", "connected")] {
            try FileManager.default.createDirectory(atPath: folder + "/run", withIntermediateDirectories: true)
            try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
        }
        #expect(throws: UplinkService.Failure.self) { try uplink() }
        let status = try String(contentsOfFile: folder + "/run/status.json", encoding: .utf8)
        #expect(status.contains("its queue cannot be opened") && status.contains(folder + "/state"))
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
    func `with a card that is full at the start it takes fixes, tells the mend, and keeps all once there is room`()
        throws
    {
        let disk = try #require(SmallDisk(folder + "/state", bytes: 4_000_000))
        disk.fill()
        try daemon(says: hello(#","client":"boat","status":"authorizedAlways""#))
        let uplink = try uplink()
        try reactor.serve(until: "the requests") { requests.contains { $0.contains("registrations") } }
        let crossing = #"{"event":"regionEvent","number":7,"identifier":"quay","transition":"enter","state":"inside"}"#
        let place = #"{"event":"location","latitude":47.5,"longitude":8.5,"horizontalAccuracy":4.5,"age":0.1}"#
        for line in [crossing, place] { say(line) }
        try reactor.serve(until: "the fix") { status.contains(#""queuedFixes":1"#) }
        uplink.sendNow()
        let words = "No space left on device; make room on the card"
        #expect(status.contains(words) && logged.count { $0.contains(words) } == 1)
        #expect(!requests.contains { $0.contains("acknowledge") })
        disk.makeRoom()
        requests = []
        uplink.sendNow()
        // What was not acknowledged the daemon tells every new connection.
        try reactor.serve(until: "another connection") { requests.contains { $0.contains("registrations") } }
        say(crossing)
        try reactor.serve(until: "the acknowledgement") { requests.contains(#"{"request":"acknowledge","number":7}"#) }
        #expect(status.contains(#""queuedFixes":1,"queuedEvents":1"#) && !status.contains("queueProblem"))
        withExtendedLifetime(uplink) {}
    }

    @Test func `a queue that is damaged while it is used is set aside, and a new one goes on`() throws {
        let path = folder + "/state/queue.sqlite"
        do {
            let queue = try UplinkQueue.open(state: folder + "/state", runtime: folder + "/run", boot: "one")
            for n in 1...3000 {
                let body = [UInt8](repeating: 9, count: 150)
                try queue.store(UplinkRecord(n: Int64(n), kind: .fix, time: nil, uptime: nil, body: body))
            }
            try queue.close()
        }
        try daemon(says: hello(#","client":"boat","status":"authorizedAlways""#))
        let uplink = try uplink()
        try reactor.serve(until: "the requests") { requests.contains { $0.contains("registrations") } }
        // Behind the file's beginning, which is in memory.
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: 8 * 4096)
        try file.write(contentsOf: Data(repeating: 0x55, count: 60 * 4096))
        requests = []
        say(#"{"event":"forget","number":8}"#)
        try reactor.serve(until: "the damage") { status.contains("queueProblem") }
        uplink.sendNow()
        try reactor.serve(until: "another connection") { requests.contains { $0.contains("registrations") } }
        #expect(logged.count { $0.contains("was damaged") } == 1 && !status.contains("queueProblem"))
        #expect(!requests.contains { $0.contains("acknowledge") })
        #expect(FileManager.default.fileExists(atPath: path + ".damaged-1"))
        say(#"{"event":"forget","number":8}"#)
        try reactor.serve(until: "the word") { requests.contains(#"{"request":"acknowledge","number":8}"#) }
        #expect(!FileManager.default.fileExists(atPath: path + ".damaged-1"))
        withExtendedLifetime(uplink) {}
    }

    @Test func `MQTT-01: without a manifest it connects to nothing, and says why`() throws {
        try daemon(says: hello(""))
        let uplink = try uplink()
        try reactor.serve(until: "the word of the manifest") { status.contains("no manifest names this program") }
        #expect(status.contains(#""state":"denied""#))
        #expect(status.contains(#""connectsFailed":0"#))
        withExtendedLifetime(uplink) {}
    }

    @Test(arguments: [
        ("denied", "it is denied; sudo sextant clients always boat allows it"),
        ("notDetermined", "nobody has allowed it yet; sudo sextant clients always boat"),
        ("authorizedWhenInUse", "it is allowed while in use only; sudo sextant clients always boat"),
    ])
    func `MQTT-01: not allowed always, it connects to nothing, and says what allows it`(
        word: String, sentence: String
    ) throws {
        try daemon(says: hello(#","client":"boat","status":"\#(word)""#))
        let uplink = try uplink()
        try reactor.serve(until: "the reason") { status.contains(sentence) }
        #expect(status.contains(#""state":"denied""#))
        withExtendedLifetime(uplink) {}
    }

    @Test func `allowed, it watches in the background, and asks for what waits`() throws {
        try daemon(says: hello(#","client":"boat","status":"authorizedAlways""#))
        let uplink = try uplink(
            #"{ broker: "mqtt://127.0.0.1:1", id: "boat", watch: { accuracy: 50, minimumInterval: 30 } }"#)
        try reactor.serve(until: "the requests") { requests.contains { $0.contains("registrations") } }
        #expect(requests.first == #"{"request":"state","state":"background"}"#)
        #expect(
            requests.contains(
                #"{"request":"watch","session":1,"background":true,"accuracy":50.0,"minimumInterval":30.0}"#))
        withExtendedLifetime(uplink) {}
    }

    @Test func `a command that the daemon cannot carry out, since it is gone, ends with a word to its sender`() throws {
        try daemon(says: hello(#","client":"boat","status":"authorizedAlways""#))
        let uplink = try uplink()
        try reactor.serve(until: "the requests") { requests.contains { $0.contains("registrations") } }
        uplink.obey(.locate(id: "before", accuracy: nil, timeout: nil))
        try reactor.serve(until: "the command") { requests.contains { $0.contains("locate") } }
        listener = nil
        connection?.close()
        try reactor.serve(until: "the end") { status.contains("sextantd ended") }
        uplink.obey(.locate(id: "after", accuracy: nil, timeout: nil))
        let words = uplink.uplink.lanes.outbox.filter { $0.topic.hasSuffix("/done") }
        #expect(words.map { String(decoding: $0.payload, as: UTF8.self).contains("sextantd ended") } == [true, true])
    }

    @Test func `a region that a command gives while the daemon is away is monitored once it is there`() throws {
        let uplink = try uplink()
        for radius in [1.0, 3.0] {
            uplink.monitor(
                UplinkRegion(
                    identifier: "quay", name: "Quay", latitude: 1, longitude: 2, radius: radius, timestamp: 4))
        }
        try daemon(says: hello(#","client":"boat","status":"authorizedAlways""#))
        try reactor.serve(until: "the requests") { requests.contains { $0.contains("registrations") } }
        let regions = requests.filter { $0.contains("monitorRegion") }
        #expect(regions.count == 1 && regions[0].contains(#""radius":3"#))
        withExtendedLifetime(uplink) {}
    }

    @Test func `an event of a kind that no receiver is told of is acknowledged all the same`() throws {
        try daemon(says: hello(#","client":"boat","status":"authorizedAlways""#))
        let uplink = try uplink()
        try reactor.serve(until: "the requests") { requests.contains { $0.contains("registrations") } }
        say(#"{"event":"regionEvent","number":7,"identifier":"quay","transition":"determined","state":"inside"}"#)
        try reactor.serve(until: "the acknowledgement") { requests.contains(#"{"request":"acknowledge","number":7}"#) }
        withExtendedLifetime(uplink) {}
    }

    /// Puts a battery where the kernel tells of it.
    private func battery(_ percent: Int, _ status: String, scope: String = "System") throws {
        let supply = folder + "/power/max17040"
        try FileManager.default.createDirectory(atPath: supply, withIntermediateDirectories: true)
        for (file, text) in [("type", "Battery"), ("scope", scope), ("capacity", "\(percent)"), ("status", status)] {
            try (text + "\n").write(toFile: "\(supply)/\(file)", atomically: true, encoding: .utf8)
        }
    }

    @Test func `a battery that gets low is told once, until it has recovered; a mouse's is none of the board's`() throws
    {
        var host = PowerSupplies(folder: folder + "/power")
        var found = host.read()
        #expect(found == nil)
        try battery(80, "Charging", scope: "Device")
        found = host.read()
        #expect(found == nil)
        let steps: [(Int, String, Bool?, Bool)] = [
            (16, "Discharging", false, false), (15, "Discharging", false, true), (14, "Discharging", false, false),
            (18, "Discharging", false, false), (21, "Charging", true, false), (12, "Charging", true, false),
            (12, "Not charging", nil, true), (100, "Full", true, false),
        ]
        for (percent, status, isCharging, becameLow) in steps {
            try battery(percent, status)
            let read = host.read()
            #expect(read?.battery == UplinkBattery(percent: percent, isCharging: isCharging))
            #expect(read?.becameLow == becameLow)
        }
    }

    @Test func `with the first position the battery is read, and a low one is an event`() throws {
        try daemon(says: hello(#","client":"boat","status":"authorizedAlways""#))
        try battery(9, "Discharging")
        let uplink = try uplink()
        try reactor.serve(until: "the requests") { requests.contains { $0.contains("registrations") } }
        say(#"{"event":"location","latitude":47.5,"longitude":8.5,"horizontalAccuracy":4.5,"age":0.1}"#)
        try reactor.serve(until: "the event") { status.contains(#""queuedEvents":1"#) }
        withExtendedLifetime(uplink) {}
    }

    @Test func `MQTT-13: what the operator erases is erased here, and only then acknowledged`() throws {
        try daemon(says: hello(#","client":"boat","status":"authorizedAlways""#))
        let uplink = try uplink()
        try reactor.serve(until: "the requests") { requests.contains { $0.contains("registrations") } }
        say(#"{"event":"regionEvent","number":7,"identifier":"quay","transition":"enter","state":"inside"}"#)
        try reactor.serve(until: "the event") { status.contains(#""queuedEvents":1"#) }
        say(#"{"event":"forget","number":8}"#)
        try reactor.serve(until: "the word") { requests.contains(#"{"request":"acknowledge","number":8}"#) }
        #expect(status.contains(#""queuedEvents":0"#))
        withExtendedLifetime(uplink) {}
    }

    @Test func `a queue that another process has open is not touched`() throws {
        try daemon(says: hello(""))
        let first = try uplink()
        let failure = try #require(throws: UplinkService.Failure.self) { try uplink() }
        #expect(failure.status == 69)
        withExtendedLifetime(first) {}
    }

    @Test func `a wrong configuration ends it with status 78`() throws {
        let failure = try #require(throws: UplinkService.Failure.self) { try uplink("{ id: 'boat' }") }
        #expect(failure.status == 78)
        #expect(failure.description.contains("broker: missing"))
    }
}
