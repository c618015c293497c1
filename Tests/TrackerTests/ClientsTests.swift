import Configuration
import Engine
import Foundation
import Glibc
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

    /// The operator's files about clients in a folder: none yet.
    private func files(in folder: Folder) throws -> TrackerSettings.ClientFiles {
        var files = TrackerSettings.ClientFiles()
        files.manifests = "\(folder.path)/clients.d"
        files.policy = "\(folder.path)/policy.json5"
        try FileManager.default.createDirectory(
            atPath: files.manifests, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        return files
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    }

    /// The first line that a client of the test's own user is sent.
    private func hello(_ rig: Rig) throws -> String {
        var client = try LocalClient(path: rig.settings.socket)
        try rig.reactor.serveReady()
        return String(decoding: try #require(try client.readLine()), as: UTF8.self)
    }

    @Test func `what the policy denied stays denied while its file is missing, also after a restart`() throws {
        let folder = try Folder()
        let files = try files(in: folder)
        try write("{ user: \(geteuid()) }", to: "\(files.manifests)/desk.json5")
        try write("{ clients: { desk: { authorization: \"denied\", final: true } } }", to: files.policy)
        let denied = "\"status\":\"denied\""
        do {
            let rig = try Rig(in: folder, clients: .files(files))
            #expect(try hello(rig).contains(denied))
            let before = try admissions(rig)
            try FileManager.default.removeItem(atPath: files.policy)
            try rig.reactor.serve(until: "the policy's loss") { try admissions(rig) != before }
            #expect(try hello(rig).contains(denied))
            #expect(rig.log.lines.contains { $0.contains("policy.json5") && $0.contains("missing") })
            rig.tracker.stop()
        }
        do {
            let rig = try Rig(in: folder, clients: .files(files))
            #expect(try hello(rig).contains(denied))
            #expect(rig.log.lines.contains { $0.contains("policy.json5") && $0.contains("missing") })
            let before = try admissions(rig)
            try write("{}", to: files.policy)
            try rig.reactor.serve(until: "the new policy") { try admissions(rig) != before }
            #expect(try hello(rig).contains("\"status\":\"notDetermined\""))
            try FileManager.default.removeItem(atPath: files.policy)
            rig.tracker.stop()
        }
        let rig = try Rig(in: folder, clients: .files(files))
        #expect(try hello(rig).contains("\"status\":\"notDetermined\""))
        rig.tracker.stop()
    }

    @Test func `a manifest is logged each time it becomes invalid`() throws {
        let folder = try Folder()
        let files = try files(in: folder)
        let rig = try Rig(in: folder, clients: .files(files))
        func write(_ text: String) throws {
            try self.write(text, to: "\(files.manifests)/desk.json5")
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
