import ClientProtocol
import Configuration
import Foundation
import Glibc
import Parts
import SextantReactor
import SextantSockets
import SextantUnits
import Store
import TestSupport
import Testing

@testable import Tracker

@Suite("A store that fails")
struct TrackerStoreFaultTests {
    private let folder: Folder
    private let state: String

    init() throws {
        folder = try Folder()
        state = "\(folder.path)/state"
    }

    /// A client on the socket, and what it was sent.
    private final class Conversation {
        private let rig: Rig
        private var client: LocalClient

        init(_ rig: Rig) throws {
            self.rig = rig
            client = try LocalClient(path: rig.settings.socket)
            try rig.reactor.serveReady()
        }

        /// The lines up to the first that has `text`.
        func lines(through text: String) throws -> [String] {
            var lines: [String] = []
            while let line = try client.readLine() {
                lines.append(String(decoding: line, as: UTF8.self))
                if lines[lines.count - 1].contains(text) { break }
            }
            return lines
        }

        /// Asks, and gives what is sent up to the answer to a ping behind it, but for that.
        func ask(_ requests: String...) throws -> [String] {
            for request in requests + [#"{"request":"ping"}"#] { try client.send(Array((request + "\n").utf8)) }
            try rig.reactor.serveReady()
            return try lines(through: "pong").dropLast()
        }
    }

    private func rig() throws -> Rig { try Rig(in: folder, stateDirectory: state) }

    /// What a new client is told first.
    private func hello(_ rig: Rig) throws -> String { try Conversation(rig).lines(through: "hello")[0] }

    private func status(_ rig: Rig) throws -> String {
        try Conversation(rig).ask(#"{"request":"status"}"#).last ?? ""
    }

    private static let denial = #"{"request":"answer","client":"everyone","answer":"deny"}"#
    private static let off = #"{"request":"services","enabled":false}"#
    private static func region(_ name: Int) -> String {
        #"{"request":"monitorRegion","id":"\#(name)","identifier":"r\#(name)","latitude":47,"longitude":8,"radius":90}"#
    }

    /// Decides, and ends the daemon.
    private func decide(_ requests: String...) throws {
        let rig = try rig()
        #expect(try hello(rig).contains("authorizedAlways"))
        let client = try Conversation(rig)
        for request in requests { _ = try client.ask(request) }
        rig.tracker.stop()
    }

    private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: "\(state)/\(name)")) }

    private func write(_ bytes: Data, to name: String) throws {
        try bytes.write(to: URL(filePath: "\(state)/\(name)"))
    }

    @Test func `a long track that is still being checked cannot be read yet, which status says`() throws {
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
        do {
            var database = try Database(folder: state)
            let points = (Int64(0)..<3000).map { TrackPoint(time: $0, latitude: 1, longitude: 2) }
            try database.append(track: points, .onCard)
        }
        let reactor = try Reactor()
        let store = StateStore(
            folder: state, reactor: reactor, isInline: false, logger: LogBook().logger)
        #expect(store.trouble?.contains("still being checked") == true)
        var (early, late): (TrackRefusal?, Int?)
        func read() {
            let first = UTCInstant(nanoseconds: 0)
            store.readTrack(from: first, to: UTCInstant(nanoseconds: 5000), limit: 10, newest: true) {
                switch $0 {
                case .success(let page): late = page.total
                case .failure(let refusal): early = refusal
                }
            }
        }
        // The answers of the store's thread come with the reactor, which does not run yet.
        read()
        #expect(early?.description.contains("ask again") == true && early.map { "\($0.code)" } == "storeBusy")
        store.onTrouble = { reactor.stop() }
        try reactor.run(until: "the end of the check")
        #expect(store.trouble == nil && store.track.isChecked)
        read()
        store.stop()
        #expect(late == 3000)
    }

    enum Fault: String, CaseIterable { case noise, truncated, empty, gone, laterVersion, locked, unreadable }

    /// Spoils the database; what is given back must live as long as the fault.
    private func spoil(_ fault: Fault) throws -> StateFiles? {
        var database = try bytes("state.sqlite")
        switch fault {
        case .noise: try write(Data(database.map { $0 ^ 0x5A }), to: "state.sqlite")
        case .truncated: try write(database.prefix(database.count / 2), to: "state.sqlite")
        case .empty: try write(Data(), to: "state.sqlite")
        case .gone: try FileManager.default.removeItem(atPath: "\(state)/state.sqlite")
        case .laterVersion:
            database.replaceSubrange(60..<64, with: [0, 0, 0, 99])
            try write(database, to: "state.sqlite")
        case .locked: return StateFiles(folder: state)
        case .unreadable:
            try FileManager.default.removeItem(atPath: "\(state)/state.sqlite")
            try FileManager.default.createDirectory(atPath: "\(state)/state.sqlite", withIntermediateDirectories: false)
        }
        return nil
    }

    @Test(arguments: Fault.allCases)
    func `a denied client stays denied after any fault of the database`(fault: Fault) throws {
        try decide(Self.denial)
        let holder = try spoil(fault)
        #expect(try hello(rig()).contains(#""status":"denied""#))
        _ = consume holder
    }

    @Test(arguments: Fault.allCases)
    func `services that are off stay off after any fault of the database`(fault: Fault) throws {
        try decide(Self.off)
        let holder = try spoil(fault)
        #expect(try hello(rig()).contains(#""servicesEnabled":false"#))
        _ = consume holder
    }

    @Test(arguments: [Fault.noise, .laterVersion, .unreadable])
    func `when no decision can be read, no client is authorized until an operator decides`(fault: Fault) throws {
        try decide(Self.denial)
        _ = try spoil(fault)
        try write(Data([1, 2, 3]), to: "state.decisions")
        for _ in 1...2 {
            let rig = try rig()
            let told = #""status":"denied","accuracyAuthorization":"reduced","servicesEnabled":false"#
            #expect(try hello(rig).contains(told))
            #expect(try status(rig).contains("decide anew with sextant services on"))
            #expect(rig.log.lines.contains { $0.contains("decide anew with sextant services on") })
            rig.tracker.stop()
        }
        do {
            let rig = try rig()
            let client = try Conversation(rig)
            _ = try client.ask(#"{"request":"services","enabled":true}"#)
            #expect(try hello(rig).contains(#""status":"notDetermined""#))
            _ = try client.ask(#"{"request":"answer","client":"everyone","answer":"always"}"#)
            #expect(try hello(rig).contains(#""status":"authorizedAlways","accuracyAuthorization":"reduced""#))
            rig.tracker.stop()
        }
        #expect(try hello(rig()).contains(#""status":"authorizedAlways","accuracyAuthorization":"reduced""#))
    }

    @Test func `the status names a later release's store and the mend, and only decisions are kept`() throws {
        try decide()
        _ = try spoil(.laterVersion)
        let rig = try rig()
        #expect(try status(rig).contains("install the later release again, or move the file away"))
        let client = try Conversation(rig)
        let told = try client.ask(Self.region(1))
        #expect(told.count { $0.contains(#""id":"1","code":"notStored""#) } == 1)
        #expect(!told.contains { $0.contains(#""event":"monitoring""#) })
        #expect(try client.ask(Self.denial).contains { $0.contains(#""event":"answered""#) })
        #expect(rig.tracker.store.retryDue == nil)
    }

    @Test func `a change that the card refuses is answered by an error, and kept once the card works`() throws {
        let rig = try rig()
        let client = try Conversation(rig)
        #expect(try client.ask(Self.region(0)).contains { $0.contains(#""event":"monitoring""#) })
        // A file in the directory's place: nothing can be written.
        try FileManager.default.removeItem(atPath: state)
        try Data().write(to: URL(filePath: state))
        for name in 1...20 {
            let told = try client.ask(Self.region(name))
            #expect(told.count { $0.contains(#""id":"\#(name)","code":"notStored""#) } == 1, "\(told)")
            #expect(!told.contains { $0.contains(#""event":"monitoring""#) })
        }
        #expect(rig.log.lines.count { $0.contains("changes wait for the card") } == 1)
        #expect(try status(rig).contains("changes wait for the card"))
        try rig.pass(milliseconds: 600_000)
        #expect(try status(rig).contains("changes wait for the card"))
        try FileManager.default.removeItem(atPath: state)
        try rig.pass(milliseconds: 64_000)
        #expect(try !status(rig).contains("changes wait for the card"))
        #expect(rig.log.lines.last?.contains("all changes are on the card again") == true)
        #expect(rig.tracker.store.retryDue == nil)
        rig.tracker.stop()
        let next = try self.rig()
        let kept = try Conversation(next).ask(#"{"request":"registrations"}"#)
        #expect(kept.count { $0.contains(#""event":"registration","#) } == 21)
    }

    @Test func `a denial that is repeated while the card refuses it is answered by the same error`() throws {
        let rig = try rig()
        #expect(try hello(rig).contains("authorizedAlways"))
        try FileManager.default.removeItem(atPath: state)
        try Data().write(to: URL(filePath: state))
        for _ in 1...2 {
            let told = try Conversation(rig).ask(Self.denial)
            #expect(told.contains { $0.contains(#""code":"notStored""#) }, "\(told)")
            #expect(!told.contains { $0.contains(#""event":"answered""#) })
        }
        try FileManager.default.removeItem(atPath: state)
        try rig.pass(milliseconds: 64_000)
        #expect(try Conversation(rig).ask(Self.denial).contains { $0.contains(#""event":"answered""#) })
    }

    @Test func `an erasure that is repeated while the card refuses it is answered by the same error`() throws {
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
        do {
            let visit = VisitObject(
                arrival: nil, departure: nil, latitude: 47, longitude: 8, horizontalAccuracy: 20)
            let event = PendingEvent(number: 1, client: "camera", kind: .visit(visit))
            var database = try Database(folder: state)
            try database.apply([
                .put(
                    StateRow(
                        table: .events, client: "camera", name: "00000000000000000001", value: event.encode()))
            ])
        }
        let rig = try rig()
        let client = try Conversation(rig)
        try FileManager.default.removeItem(atPath: state)
        try Data().write(to: URL(filePath: state))
        for _ in 1...2 {
            let told = try client.ask(#"{"request":"erase","client":"camera","what":"events"}"#)
            #expect(told.contains { $0.contains(#""code":"notStored""#) }, "\(told)")
            #expect(!told.contains { $0.contains(#""event":"erased""#) })
        }
    }

    @Test func `a state directory deleted while the daemon runs is created again with its contents`() throws {
        let rig = try rig()
        let client = try Conversation(rig)
        for name in 1...3 { _ = try client.ask(Self.region(name)) }
        _ = try client.ask(Self.denial)
        try FileManager.default.removeItem(atPath: state)
        _ = try client.ask(#"{"request":"monitorVisits","enabled":true}"#)
        rig.tracker.stop()
        let next = try self.rig()
        #expect(try hello(next).contains(#""status":"denied""#))
        let kept = try Conversation(next).ask(#"{"request":"registrations"}"#)
        #expect(kept.count { $0.contains(#""event":"registration","#) } == 4)
    }
}
