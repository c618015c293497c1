import Configuration
import Engine
import Foundation
import SextantReactor
import SextantSockets
import TestSupport
import Testing
import Tracker

@Suite("The tracker's clients")
struct TrackerClientsTests {
    private final class Departures {
        var inputsBefore: [Int] = []
    }

    @Test func `a client's departure is reported after all its consequences are done`() throws {
        let rig = try Rig()
        let departures = Departures()
        rig.tracker.clientLeft = { [unowned rig] in
            let gone = try? rig.inputs.filter { if case .clientGone = $0 { true } else { false } }.count
            departures.inputsBefore.append(gone ?? -1)
        }
        let stays = try LocalClient(path: rig.settings.socket)
        for _ in 1...2 {
            let goes = try LocalClient(path: rig.settings.socket)
            try rig.reactor.serveReady()
            _ = consume goes
            try rig.reactor.serveReady()
        }
        #expect(departures.inputsBefore == [1, 2])
        _ = consume stays
    }

    /// How often the Engine was told which clients are served.
    private func admissions(_ rig: Rig) throws -> Int {
        try rig.inputs.count { if case .admission = $0 { true } else { false } }
    }

    @Test func `a manifest is logged each time it becomes invalid`() throws {
        let folder = try Folder()
        let manifests = "\(folder.path)/clients.d"
        try FileManager.default.createDirectory(
            atPath: manifests, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        var files = TrackerSettings.ClientFiles()
        files.manifests = manifests
        files.policy = "\(folder.path)/policy.json5"
        let rig = try Rig(in: folder, clients: .files(files))
        func write(_ text: String) throws {
            let path = "\(manifests)/desk.json5"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            let before = try admissions(rig)
            try rig.reactor.serve(until: "the manifest's reading") { try admissions(rig) != before }
        }
        var named: [Int] = []
        for text in ["{ user: }", "{ user: 1000 }", "{ user: }", "{ user: 1000 }"] {
            try write(text)
            named.append(rig.log.lines.count { $0.hasPrefix("error:") && $0.contains("desk.json5") })
        }
        #expect(named == [1, 1, 2, 2])
    }
}
