import Boards
import Configuration
import Foundation
import SextantJSON
import SextantReactor
import SextantUnits
import TestSupport
import Testing
import Tracker

@Suite("Configuration watch")
struct ConfigurationWatchTests {
    /// A configuration beside its boards, which is watched.
    private final class Watched {
        let path = FileManager.default.temporaryDirectory.path + "/sextant-\(UUID().uuidString)"
        let reactor: Reactor
        private var watch: ConfigurationWatch?
        private var told: [ConfigurationReading] = []

        /// - Parameters:
        ///   - boards: What is in the file of each; an empty text makes its folder alone.
        ///   - link: A file that lies in `elsewhere`, and is a link where it is looked for.
        init(board: String, _ boards: [String: String], link: String? = nil) throws {
            reactor = try Reactor()
            for (name, text) in boards { try write(name, text) }
            let file = "\(path)/sextant.json5"
            try Data(configuration(board).utf8).write(to: URL(fileURLWithPath: file))
            if let link { try moveAway("\(path)/\(link)") }
            watch = try ConfigurationWatch(of: file, after: ConfigurationFile.reading(of: file), in: reactor) {
                [unowned self] in
                told.append($0)
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func configuration(_ board: String) -> String { "{ board: '\(path)/boards/\(board)' }" }

        private func moveAway(_ file: String) throws {
            let target = "\(path)/elsewhere/file.json5"
            try FileManager.default.createDirectory(atPath: "\(path)/elsewhere", withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: file, toPath: target)
            try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)
        }

        /// Writes what a link leads to.
        func writeElsewhere(_ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/elsewhere/file.json5"))
        }

        func write(_ name: String, _ text: String) throws {
            let folder = "\(path)/boards/\(name)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            guard !text.isEmpty else { return }
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/board.json5"))
        }

        /// What is told next.
        func next() throws -> ConfigurationReading? {
            let count = told.count
            try reactor.serve(until: "another reading") { told.count > count }
            return told.last
        }

        /// Serves until a series of changes is over and was read; says whether nothing was told of it.
        ///
        /// The kernel has told of all changes already, in one event; the other one is the watch's alarm.
        func tellsNothing() throws -> Bool {
            let (count, wakeUps) = (told.count, reactor.wakeUps)
            try reactor.serve(until: "the end of the changes") { reactor.wakeUps >= wakeUps + 2 }
            return told.count == count
        }
    }

    private static let host = "{ part: 'host', host: '4b', receiver: { device: '/dev/uart' } }"
    private static let receiver = """
        { part: 'receiver', receiver: { model: 'neo-m8n', supplyVolts: 3.3, draw: 'typical' }, backup: 'battery' }
        """

    @Test func `a board file that is mended is reported`() throws {
        let watched = try Watched(
            board: "mine", ["mine": "{ extends: ['pi', 'neo'] ", "pi": Self.host, "neo": Self.receiver])
        try watched.write("mine", "{ extends: ['pi', 'neo'] }")
        let told = try watched.next()
        #expect(told?.problem == nil && told?.settings.device == "/dev/uart")
    }

    @Test(arguments: ["{ part: ", ""])
    func `a part that was wrong or missing is reported once it is right`(before: String) throws {
        let watched = try Watched(
            board: "mine", ["mine": "{ extends: ['pi', 'neo'] }", "pi": Self.host, "neo": before])
        try watched.write("neo", Self.receiver)
        #expect(try watched.next()?.settings.device == "/dev/uart")
    }

    @Test func `a board whose folder is missing is reported when the folder appears`() throws {
        let watched = try Watched(board: "mine", ["pi": Self.host, "neo": Self.receiver])
        try watched.write("mine", "{ extends: ['pi', 'neo'] }")
        #expect(try watched.next()?.settings.board?.name == "mine")
    }

    @Test func `a part that a board newly names is watched too`() throws {
        let watched = try Watched(board: "mine", ["mine": "{ extends: 'pi' }", "pi": Self.host, "other": "{}"])
        // The same is wrong as before: there is no receiver.
        try watched.write("mine", "{ extends: ['pi', 'other'] }")
        #expect(try watched.tellsNothing())
        try watched.write("other", Self.receiver)
        #expect(try watched.next()?.settings.device == "/dev/uart")
    }

    @Test func `a configuration behind a symbolic link is reported when its target is mended`() throws {
        let boards = ["mine": "{ extends: 'pi' }", "whole": "{ extends: ['pi', 'neo'] }"]
        let parts = ["pi": Self.host, "neo": Self.receiver]
        let watched = try Watched(board: "mine", boards.merging(parts) { $1 }, link: "sextant.json5")
        try watched.writeElsewhere(watched.configuration("whole"))
        #expect(try watched.next()?.settings.board?.name == "whole")
    }

    @Test func `a board's part behind a symbolic link is reported when its target is mended`() throws {
        let watched = try Watched(
            board: "mine", ["mine": "{ extends: ['pi', 'neo'] }", "pi": Self.host, "neo": "{ part: "],
            link: "boards/neo/board.json5")
        try watched.writeElsewhere(Self.receiver)
        #expect(try watched.next()?.settings.device == "/dev/uart")
    }

    @Test func `a new problem is reported, and an unchanged one is not`() throws {
        let watched = try Watched(board: "mine", ["mine": "{ extends: 'pi' }", "pi": Self.host])
        try watched.write("mine", "{ extends: 'pi' } // the same")
        #expect(try watched.tellsNothing())
        try watched.write("mine", "{ extends: 'pie' }")
        #expect(try watched.next()?.problem?.description.contains("\"pie\": no part of this name") == true)
    }
}
