import Engine
import FlightRecording
import GNSS
import JSONText
import LocalSocket
import NMEA0183
import Reactor
import Sessions
import Testing
import Units

@testable import Tracker

@Suite("Deferred fixes over restarts")
struct TrackerDeferralTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private static let watch = """
        {"request":"watch","accuracy":"best","deferral":{"timeout":3600},"label":"log"}
        """

    /// A client that watches with a deferral, and epochs of so many seconds.
    private func holdBack(_ seconds: ClosedRange<Int>, with rig: Rig) throws {
        let client = try LocalClient(path: rig.settings.socket)
        try client.send(Array((Self.watch + "\n").utf8))
        try rig.reactor.serveReady()
        for second in seconds {
            var bytes: [UInt8] = []
            let time = "1200\(second < 10 ? "0" : "")\(second).00"
            NMEAEncoder.append("GNRMC,\(time),A,4722.61335,N,00832.50181,E,1.0,90.0,201126,,,A", to: &bytes)
            NMEAEncoder.append("GNGGA,\(time),4722.61335,N,00832.50181,E,1,12,0.56,409.0,M,47.0,M,,", to: &bytes)
            rig.hardware.port?.feed(bytes)
            try rig.pass(milliseconds: 1000)
        }
        _ = consume client
        try rig.reactor.serveReady()
    }

    /// The sequences of the fixes that a start found.
    private func found(_ rig: Rig) throws -> [UInt64] {
        try rig.inputs.compactMap {
            if case .deferredFound(let record) = $0 { DeferredFix.decode(record.span)?.fix.sequence } else { nil }
        }
    }

    /// What is on the card now, as another start would find it.
    private var kept: Int { get throws { try DeferredLog(directory: folder.path).count } }

    @Test func `what was held back is found after a restart, before any client, and delivered to its program`() throws {
        var count = 0
        do {
            let rig = try Rig(in: folder)
            try holdBack(0...9, with: rig)
            count = try kept
            try #require(count >= 7)
        }
        let rig = try Rig(in: folder)
        #expect(try found(rig) == Array(1...UInt64(count)))
        #expect(try rig.inputs.first.map { if case .started = $0 { true } else { false } } == true)
        var client = try LocalClient(path: rig.settings.socket)
        try client.send(Array("\(Self.watch)\n{\"request\":\"flush\"}\n".utf8))
        try rig.reactor.serveReady()
        var lines: [String] = []
        while lines.count < count + 3, let line = try client.readLine() {
            lines.append(String(decoding: line, as: UTF8.self))
        }
        #expect(lines.filter { $0.hasPrefix("{\"event\":\"location\"") }.count == count)
        #expect(try kept == 0)
        #expect(try found(Rig(in: folder)) == [])
    }

    @Test func `a fix is on the card before what follows is sent, and acknowledged after`() throws {
        let rig = try Rig(in: folder)
        let key = DeferredKey(userID: 7, client: "tracker", label: "x", session: 0)
        let bytes = try record(key)
        var client = try LocalClient(path: rig.settings.socket)
        try rig.reactor.serveReady()
        var outputs = Outputs()
        for byte in bytes { outputs.text.append(byte) }
        outputs.actions = [.persist(.deferred(key), sequence: 1, 0..<bytes.count)]
        rig.tracker.carryOut(outputs)
        #expect(try kept == 1)
        outputs.text.append("\n")
        outputs.actions = [
            .send(ClientID(rawValue: 1), bytes.count..<bytes.count + 1), .acknowledge(.deferred(key), through: 1),
        ]
        rig.tracker.carryOut(outputs)
        #expect(try kept == 0)
        #expect(try client.readLine()?.starts(with: "{\"event\":\"hello\"".utf8) == true)
    }

    private func record(_ key: DeferredKey) throws -> [UInt8] {
        var fix = Fix()
        fix.type = .threeD
        (fix.latitude, fix.longitude, fix.horizontalAccuracy) = (47, 8, 5)
        var bytes: [UInt8] = []
        try #require(DeferredFix(fix, sequence: 1)).encode(key) { bytes.append($0) }
        return bytes
    }

    @Test func `without a directory nothing is kept, and nothing is said`() throws {
        let rig = try Rig(in: folder, keepsState: false)
        try holdBack(0...9, with: rig)
        #expect(try kept == 0 && found(Rig(in: folder)) == [])
        #expect(!rig.log.lines.contains { $0.contains("deferred") })
    }

    @Test func `a directory that is not there costs a line for each thing that is lost, and the daemon goes on`() throws
    {
        let rig = try Rig(in: folder, stateDirectory: "/none/such")
        try holdBack(0...9, with: rig)
        #expect(
            rig.log.lines.filter { $0.hasPrefix("error") } == [
                "error: what clients are allowed, what they monitor, their events and what was learned about the "
                    + "receiver are kept in memory alone: /none/such: No such file or directory; create its directory "
                    + "first; then restart sextantd",
                "error: deferred fixes are kept in memory alone, and those from before are not delivered: "
                    + "/none/such/deferred.log: No such file or directory; create its directory first; "
                    + "then restart sextantd",
            ])
    }
}
