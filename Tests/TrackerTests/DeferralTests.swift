import Configuration
import Engine
import GNSS
import NMEA0183
import Parts
import SextantJSON
import SextantReactor
import SextantSockets
import SextantUnits
import Store
import Testing

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

    /// How many are on the card, where no tracker has the store open.
    private var kept: Int {
        get throws { try Database(folder: folder.path).rows().count { $0.table == .deferred } }
    }

    @Test func `deferred fixes are found after a restart, before any client, and delivered to their client`() throws {
        var count = 0
        do {
            let rig = try Rig(in: folder)
            try holdBack(0...9, with: rig)
            rig.tracker.stop()
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
        rig.tracker.stop()
        #expect(try kept == 0)
        #expect(try found(Rig(in: folder)) == [])
    }

    @Test func `deferred fixes of one client stay when another client's are delivered`() throws {
        let (one, two) = (
            DeferredKey(userID: 7, client: "tracker", label: "x", session: 0),
            DeferredKey(userID: nil, client: "tracker", label: "x", session: 0)
        )
        let rig = try Rig(in: folder)
        for key in [one, two] {
            for sequence in 1...20 as ClosedRange<UInt64> {
                rig.tracker.store.keepDeferred(try record(key, sequence), key, sequence: sequence)
            }
        }
        rig.tracker.store.forgetDeferred(one, through: 17)
        rig.tracker.stop()
        #expect(try kept == 23)
        #expect(try found(Rig(in: folder)).sorted() == (Array(1...20) + [18, 19, 20]).sorted())
    }

    @Test func `a deferred fix is on the card until it is acknowledged`() throws {
        var rig = try Rig(in: folder)
        let key = DeferredKey(userID: 7, client: "tracker", label: "x", session: 0)
        let bytes = try record(key, 1)
        var outputs = Turn()
        for byte in bytes { outputs.text.append(byte) }
        outputs.actions = [.persist(.deferred(key), sequence: 1, 0..<bytes.count)]
        rig.tracker.carryOut(outputs)
        rig.tracker.stop()
        #expect(try kept == 1)
        rig = try Rig(in: folder)
        outputs.actions = [.acknowledge(.deferred(key), through: 1)]
        rig.tracker.carryOut(outputs)
        rig.tracker.stop()
        #expect(try kept == 0)
    }

    private func record(_ key: DeferredKey, _ sequence: UInt64) throws -> [UInt8] {
        var fix = Fix()
        fix.type = .threeD
        (fix.latitude, fix.longitude, fix.horizontalAccuracy) = (47, 8, 5)
        var bytes: [UInt8] = []
        try #require(DeferredFix(fix, sequence: sequence)).encode(key) { bytes.append($0) }
        return bytes
    }

    @Test func `without a state directory nothing is kept or logged`() throws {
        let rig = try Rig(in: folder, keepsState: false)
        try holdBack(0...9, with: rig)
        #expect(try found(Rig(in: folder)) == [])
        #expect(!rig.log.lines.contains { $0.contains("deferred") })
    }

    @Test func `a missing state directory is logged with what is lost, and the daemon runs on`() throws {
        let rig = try Rig(in: folder, stateDirectory: "/none/such")
        try holdBack(0...9, with: rig)
        #expect(
            rig.log.lines.filter { $0.hasPrefix("error") } == [
                "error: what clients monitor, their events, the fixes deferred for them, the track and what was learned "
                    + "about the receiver are kept only in memory: /none/such: No such file or directory; create its "
                    + "directory first; then restart sextantd",
                "error: what was decided about clients cannot be read, so location services are off and no client is "
                    + "authorized by the policy alone: decide anew with sextant services on and sextant clients",
            ])
    }
}
