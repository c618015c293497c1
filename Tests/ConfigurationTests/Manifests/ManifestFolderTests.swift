import Access
import ClientVocabulary
import Configuration
import Foundation
import Glibc
import SextantJSON
import SextantReactor
import SextantUnits
import TestSupport
import Testing

@Suite("ManifestFolder")
struct ManifestFolderTests {
    let folder = TemporaryFolder.withClients

    private func names(_ configuration: ClientConfiguration) -> [String] {
        configuration.clients.map(\.name)
    }

    @Test func `an invalid manifest is named and left out, and the others are served`() throws {
        try folder.manifest("a.json5", "{ user: 1 }")
        let wrong = try folder.manifest("b.json5", "{ user: 2, wakeunit: 1 }")
        try folder.manifest("c.json5", "{ user: 3 }")
        let configuration = folder.open().configuration
        #expect(names(configuration) == ["a", "c"])
        #expect(configuration.problems.map(\.client) == ["b"])
        #expect(configuration.problems.first?.error.description.hasPrefix("\(wrong): wakeunit: ") == true)
        #expect(!configuration.hasLost("a"))
        #expect(!configuration.hasLost("b"))
        #expect(configuration.hasLost("d"))
        let denied = "{ authorization: \"denied\" }"
        try folder.write("policy.json5", "{ clients: { a: \(denied), b: \(denied), trakcer: \(denied) } }")
        #expect(folder.open().configuration.rulesWithoutClient == ["trakcer"])
    }

    @Test func `of two manifests for the same process neither is served`() throws {
        try folder.manifest("a.json5", "{ unit: \"x.service\" }")
        try folder.manifest("b.json5", "{ unit: \"x.service\" }")
        try folder.manifest("c.json5", "{ unit: \"x.service\", user: 1 }")
        let configuration = folder.open().configuration
        #expect(names(configuration) == ["c"])
        #expect(configuration.problems.map(\.client) == ["a", "b"])
        #expect(!configuration.hasLost("a"))
    }

    @Test func `leftovers of editors and packages are not read as manifests`() throws {
        for name in ["a.json5~", ".a.json5.swp", "a.json5.dpkg-old", "README", "4913"] {
            try folder.manifest(name, "no manifest")
        }
        #expect(folder.open().configuration.problems.isEmpty)
        try folder.manifest("a.json", "{}")
        #expect(folder.open().configuration.problems.map(\.client) == [nil])
    }

    @Test func `a missing folder or policy is not a problem, and no client counts as having lost its manifest`() {
        let configuration = TemporaryFolder().open().configuration
        #expect(configuration == ClientConfiguration())
        #expect(!configuration.hasLost("a"))
    }

    @Test func `a folder that other users may write is ignored`() throws {
        try folder.manifest("a.json5", "{ user: 1 }")
        #expect(unsafe chmod(folder.clients, 0o775) == 0)
        let configuration = folder.open().configuration
        #expect(names(configuration).isEmpty)
        #expect(configuration.problems.count == 1)
        #expect(configuration.problems.first?.error.description.hasPrefix(folder.clients) == true)
        #expect(!configuration.hasLost("a"))
    }

    @Test func `manifests beyond the limit are said, and a problem is told in few words`() throws {
        let long = String(repeating: "x", count: 60_000)
        for number in 0..<520 { try folder.manifest("c\(number).json5", "{ user: \(number + 1), \(long): 1 }") }
        let configuration = folder.open().configuration
        #expect(configuration.problems.count == 513)
        #expect(configuration.problems.contains { $0.error.description.contains("520 manifests; the first 512") })
        #expect(configuration.problems.allSatisfy { $0.error.description.count <= 501 })
    }

    @Test func `an invalid policy restricts every client`() throws {
        try folder.write("policy.json5", "{ others: 1 }")
        let configuration = folder.open().configuration
        #expect(configuration.policy.rule(for: "a").authorization == .restricted)
        #expect(configuration.problems.count == 1)
    }

    @Test func `the shipped manifests and policy are valid, and allow the three clients everything`() throws {
        let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("scripts")
        for name in ["gpsd.json5", "root.json5", "sextant.json5"] {
            let text = try String(contentsOf: scripts.appendingPathComponent("clients.d/\(name)"), encoding: .utf8)
            try folder.manifest(name, text)
        }
        let policy = try String(contentsOf: scripts.appendingPathComponent("policy.json5"), encoding: .utf8)
        try folder.write("policy.json5", policy)
        let configuration = folder.open().configuration
        #expect(configuration.problems.isEmpty)
        #expect(names(configuration) == ["gpsd", "root", "sextant"])
        #expect(configuration.clients.map(\.isOperator) == [false, true, true])
        #expect(configuration.clients.client(for: PeerIdentity(userID: 0, groups: [0, 900]))?.name == "root")
        let command = PeerIdentity(userID: 5, groups: [900], command: "sextant")
        #expect(configuration.clients.client(for: command)?.name == "sextant")
        #expect(configuration.clients.client(for: PeerIdentity(userID: 5, groups: [900], command: "x")) == nil)
        for name in names(configuration) {
            #expect(configuration.policy.rule(for: name).authorization == .always)
            #expect(configuration.policy.rule(for: name).accuracy == .full)
        }
        #expect(configuration.policy.others == .ask)
    }
}

@Suite("ManifestFolder, watched")
struct WatchedManifestFolderTests {
    /// A folder that is watched, and what was told of it.
    final class Watched {
        let folder: TemporaryFolder
        let reactor: Reactor
        let manifests: ManifestFolder
        private(set) var told: [ClientConfiguration] = []

        init(_ folder: TemporaryFolder) throws {
            self.folder = folder
            reactor = try Reactor()
            manifests = folder.open()
            try manifests.watch(in: reactor) { [unowned self] in
                told.append($0)
            }
        }

        /// The clients of the next telling.
        func next() throws -> [String]? {
            let count = told.count
            try reactor.serve(until: "a reading of the folder") { told.count > count }
            return told.last?.clients.map(\.name)
        }
    }

    @Test func `manifests that are added, changed or removed are reported`() throws {
        let watched = try Watched(TemporaryFolder.withClients)
        try watched.folder.manifest("a.json5", "{ user: 1 }")
        #expect(try watched.next() == ["a"])
        try watched.folder.manifest("a.json5", "{ user: 1, backgroundMode: true }")
        #expect(try watched.next() == ["a"])
        #expect(watched.manifests.configuration.clients.first?.backgroundMode == true)
        _ = unsafe unlink("\(watched.folder.clients)/a.json5")
        #expect(try watched.next() == [])
        #expect(watched.manifests.configuration.hasLost("a"))
    }

    @Test func `an editor that moves the file aside and writes a new one removes no client`() throws {
        // Half a second without a change is the end of a series; an attempt in which this thread stood still that long is
        // none of an editor's.
        while true {
            let folder = TemporaryFolder.withClients
            let path = try folder.manifest("a.json5", "{ user: 1 }")
            let watched = try Watched(folder)
            let begin = Clock.now()
            _ = unsafe rename(path, "\(path)~")
            #expect(try watched.reactor.serveReady(atMost: 5) > 0)
            try folder.manifest("a.json5", "{ user: 2 }")
            _ = unsafe unlink("\(path)~")
            try watched.reactor.serveReady()
            guard Clock.now().nanoseconds(since: begin) < 400_000_000 else { continue }
            #expect(watched.told.isEmpty)
            #expect(try watched.next() == ["a"])
            #expect(watched.told.count == 1)
            #expect(watched.manifests.configuration.clients.first?.selector.user == 2)
            return
        }
    }

    @Test func `a replaced policy is reported, and an invalid one leaves the last valid one in force`() throws {
        let watched = try Watched(TemporaryFolder.withClients)
        let temporary = try watched.folder.write("new", "{ others: { authorization: \"always\" } }")
        _ = unsafe rename(temporary, watched.folder.policy)
        #expect(try watched.next() != nil)
        #expect(watched.manifests.configuration.policy.others.authorization == .always)
        try watched.folder.write("policy.json5", "{ others: { authorization: \"never\" } }")
        #expect(try watched.next() != nil)
        #expect(watched.manifests.configuration.policy.others.authorization == .always)
        #expect(watched.manifests.configuration.problems.count == 1)
    }

    @Test func `a folder that appears later, disappears and reappears is noticed`() throws {
        let watched = try Watched(TemporaryFolder())
        let aside = "\(watched.folder.path)/new"
        #expect(unsafe mkdir(aside, 0o755) == 0)
        try watched.folder.write("new/a.json5", "{ user: 1 }")
        _ = unsafe rename(aside, watched.folder.clients)
        #expect(try watched.next() == ["a"])
        _ = unsafe rename(watched.folder.clients, aside)
        #expect(try watched.next() == [])
        #expect(!watched.manifests.configuration.hasLost("a"))
        watched.folder.makeClients()
        try watched.folder.manifest("b.json5", "{ user: 1 }")
        #expect(try watched.next() == ["b"])
    }

    @Test func `names are local where a manifest that may be the process's says so, as far as it can be read`() throws {
        let folder = TemporaryFolder.withClients
        for (name, text) in [
            ("a", "{ user: 7, executable: '/usr/bin/a', geocoding: 'local' }"), ("b", "{ user: 7 }"),
            ("c", "{ unit: 'c.service', user: 7 }"), ("d", "{ user: 8, geocoding: 'local' }"),
        ] {
            try folder.manifest("\(name).json5", text)
        }
        let read = try Watched(folder).manifests.configuration
        #expect(read.problems.isEmpty)
        let others = "other.service"
        #expect(read.geocodesLocally(PeerIdentity(userID: 7, unit: others)))
        #expect(read.geocodesLocally(PeerIdentity(userID: 7, unit: others, executable: "/usr/bin/a")))
        #expect(!read.geocodesLocally(PeerIdentity(userID: 7, unit: others, executable: "/usr/bin/b")))
        // The unit decides before the program does.
        #expect(!read.geocodesLocally(PeerIdentity(userID: 7, unit: "c.service")))
        #expect(read.geocodesLocally(PeerIdentity(userID: 8, unit: others)))
        #expect(!read.geocodesLocally(PeerIdentity(userID: 9)))
    }

    @Test func `names are local for everybody while a manifest is wrong, and not where there is no folder`() throws {
        let folder = TemporaryFolder.withClients
        try folder.manifest("a.json5", "{ user: 7, speed: 1 }")
        #expect(try Watched(folder).manifests.configuration.geocodesLocally(PeerIdentity(userID: 9)))
        let none = try Watched(TemporaryFolder())
        #expect(!none.manifests.configuration.geocodesLocally(PeerIdentity(userID: 9)))
    }

    @Test func `a change of permissions is reported`() throws {
        let folder = TemporaryFolder.withClients
        let path = try folder.manifest("a.json5", "{ user: 1 }", mode: 0o666)
        let watched = try Watched(folder)
        #expect(unsafe chmod(path, 0o600) == 0)
        #expect(try watched.next() == ["a"])
    }

    @Test func `changes that do not affect a manifest are not reported, and cause no further wake-ups`() throws {
        let folder = TemporaryFolder.withClients
        let path = try folder.manifest("a.json5", "{ user: 1 }")
        let watched = try Watched(folder)
        try folder.manifest("README", "about these files")
        #expect(unsafe chmod(path, 0o600) == 0)
        // One event of the kernel, and the alarm when the changes are over.
        let before = watched.reactor.wakeUps
        try watched.reactor.serve(until: "the end of the changes") { watched.reactor.wakeUps >= before + 2 }
        #expect(watched.told.isEmpty)
        #expect(try watched.reactor.serveReady(atMost: 5) == 0)
    }
}
