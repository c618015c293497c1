import Accelerometers
import Boards
import Foundation
import Hardware
import Magnetism
import Magnetometers
import Receivers
import Testing

@testable import Configuration

/// A folder of boards for one test.
private final class BoardShelf {
    let path = FileManager.default.temporaryDirectory.path + "/sextant-\(UUID().uuidString)"

    /// - Parameter boards: What is in the file of each.
    init(_ boards: [String: String]) throws {
        for (name, text) in boards {
            let folder = "\(path)/\(name)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/board.json5"))
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The message, with the shelf's own path taken out.
    func problem(_ name: String, among shelves: [BoardShelf] = []) -> String? {
        do {
            _ = try board(name, among: shelves)
            return nil
        } catch {
            return "\(error)".replacingOccurrences(of: "\(path)/", with: "")
        }
    }

    func board(_ name: String, among shelves: [BoardShelf] = []) throws(ConfigurationError) -> Board {
        try BoardFile.board(at: name, in: [path] + shelves.map(\.path))
    }
}

@Suite("Boards of parts")
struct BoardPartsTests {
    private static let host = "{ part: 'host', host: '4b', receiver: { device: '/dev/uart' } }"
    private static let receiver = """
        { part: 'receiver', receiver: { model: 'neo-m8n', supplyVolts: 3.3, draw: 'typical' }, backup: 'battery' }
        """
    private static let compass = """
        {
            part: 'breakout',
            magnetometer: { bus: '/dev/i2c-1', model: 'mmc5603', x: 'left', y: 'forward', polarity: 'afterSet' },
        }
        """

    private func shelf(_ more: [String: String] = [:]) throws -> BoardShelf {
        try BoardShelf(
            ["pi": Self.host, "neo": Self.receiver, "compass": Self.compass].merging(more) { $1 })
    }

    @Test func `a board depends on every file that was read or looked for, even when it is invalid`() throws {
        let own = try BoardShelf(["mine": "{ extends: ['pi', 'gone'] }", "pi": "{ part: "])
        let shelf = try shelf()
        var files: [String] = []
        #expect(throws: ConfigurationError.self) {
            try BoardFile.board(at: "mine+neo", in: [own.path, shelf.path], dependingOn: &files)
        }
        #expect(files.contains("\(own.path)/mine/board.json5") && files.contains("\(own.path)/pi/board.json5"))
        #expect(!files.contains("\(shelf.path)/pi/board.json5"), "the first that is there is the one")
        try Data("{ part: 'host' }".utf8).write(to: URL(fileURLWithPath: "\(own.path)/pi/board.json5"))
        files = []
        #expect(throws: ConfigurationError.self) {
            try BoardFile.board(at: "mine+neo", in: [own.path, shelf.path], dependingOn: &files)
        }
        for folder in [own.path, shelf.path] { #expect(files.contains("\(folder)/gone/board.json5")) }
    }

    @Test func `parts joined with a plus make a board named after them`() throws {
        let board = try shelf().board("pi+neo+compass")
        #expect(board.name == "pi+neo+compass")
        #expect(board.receiver.device == "/dev/uart" && board.receiver.model == .neoM8N)
        #expect(board.host == HostModel.fourB.power)
        #expect(board.sensors?.magnetometer?.model == .mmc5603)
        #expect(board.sensors?.polarity == .afterSet)
    }

    @Test(arguments: [
        "extends: ['pi', 'neo', 'compass']", "extends: ['pi+neo', 'compass']", "extends: 'pi+neo+compass'",
    ])
    func `a board file's own keys override those of the parts it extends`(extends: String) throws {
        let shelf = try shelf(["mine": "{ \(extends), receiver: { baud: 9600 }, magnetometer: { x: 'right' } }"])
        var expected = try shelf.board("pi+neo+compass")
        expected.name = "mine"
        expected.receiver.baud = 9600
        expected.sensors?.magnetometer?.mounting = try Mounting(x: .right, y: .forward)
        #expect(try shelf.board("mine") == expected)
    }

    @Test func `a later part overrides an earlier one, key by key`() throws {
        let shelf = try shelf([
            "slow": "{ receiver: { baud: 4800 }, lines: { wake: { name: 'GPIO27', safe: 'inactive' } } }",
            "fast": "{ receiver: { baud: 115200 }, lines: { wake: { activeLow: true } } }",
        ])
        let board = try shelf.board("pi+neo+slow+fast")
        #expect(board.receiver.baud == 115_200)
        #expect(board.lines == [.wake: BoardLine(name: "GPIO27", activeLow: true, safe: .inactive, bias: .asIs)])
        #expect(try shelf.board("pi+neo+fast+slow").receiver.baud == 4800)
    }

    @Test func `null removes a value that an earlier part gave`() throws {
        let shelf = try shelf([
            "switch": "{ lines: { powerEnable: { name: 'GPIO17', safe: 'inactive' }, wake: null } }",
            "none": "{ lines: { powerEnable: null }, magnetometer: null }",
        ])
        let board = try shelf.board("pi+neo+compass+switch+none")
        #expect(board.lines.isEmpty && board.sensors == nil)
        #expect(try shelf.board("pi+neo+none+switch").lines.count == 1)
    }

    @Test func `a part that names another chip discards the earlier chip's settings`() throws {
        let shelf = try shelf([
            "other": "{ magnetometer: { bus: 'B', model: 'lis3mdl', x: 'right', y: 'forward', turnDegrees: 90 } }",
            "same": "{ magnetometer: { model: 'mmc5603', turnDegrees: 5 } }",
        ])
        let sensors = try shelf.board("pi+neo+compass+other").sensors
        #expect(sensors?.polarity == nil && sensors?.bus == "B")
        let same = try shelf.board("pi+neo+compass+same").sensors
        #expect(same?.polarity == .afterSet && same?.magnetometer?.mounting.turn == 5)
    }

    @Test func `a measured draw replaces an earlier one, whatever its unit`() throws {
        func states(_ value: Int) -> String {
            "acquiring: \(value), tracking: \(value), cyclic: \(value), softwareSleep: 1, hardwareSleep: 1"
        }
        let shelf = try shelf([
            "watts": "{ receiver: { draw: { milliwatts: { \(states(90)) } } } }",
            "amps": "{ receiver: { draw: { milliamps: { \(states(20)) } }, supplyVolts: 5 } }",
        ])
        #expect(try shelf.board("pi+neo+watts+amps").receiver.draw.tracking == 100)
        #expect(try shelf.board("pi+neo+amps+watts").receiver.draw.tracking == 90)
    }

    @Test func `parts are looked for beside the file that names them, and then where boards are installed`() throws {
        let installed = try shelf()
        let own = try BoardShelf([
            "mine": "{ extends: ['pi', 'neo'] }",
            "neo": "{ extends: '\(installed.path)/neo', receiver: { baud: 4800 } }",
        ])
        let board = try BoardFile.board(at: "\(own.path)/mine", in: [installed.path])
        #expect(board.name == "mine" && board.receiver.baud == 4800)
        let line = try BoardFile.board(at: "\(own.path)/neo/board.json5+pi", in: [installed.path])
        #expect(line.name == "neo+pi" && line.receiver.baud == 4800)
        // The administrator's stands before the package's for both.
        let package = try shelf(["whole": "{ extends: ['pi', 'neo'] }"])
        let administrator = try BoardShelf(["pi": Self.host.replacingOccurrences(of: "/dev/uart", with: "/dev/mine")])
        #expect(try administrator.board("whole", among: [package]).receiver.device == "/dev/mine")
    }

    @Test func `a folder with a plus in its name is read as one folder`() throws {
        let shelf = try shelf(["a+b": "{ extends: ['pi', 'neo'] }"])
        #expect(try BoardFile.board(at: "\(shelf.path)/a+b", in: []).name == "a+b")
    }

    @Test(arguments: [
        (
            "pi",
            "pi/board.json5: receiver.model: missing; a board needs a receiver: add one, such as pi+neo-m8n-compass"
        ),
        (
            "pi+compass",
            "board \"pi+compass\": receiver.model: missing; a board needs a receiver: add one, such as "
                + "pi+compass+neo-m8n-compass"
        ),
        (
            "neo+compass",
            "board \"neo+compass\": host: missing; a board needs a host: add one, such as zero-2w+neo+compass, or host: "
                + "one of \(HostModel.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")), or "
                + "{ idleMilliwatts, wakeMillijoules }"
        ),
        (
            "pi+none",
            "board \"pi+none\": \"none\": no part of this name in SHELF; a board elsewhere is named by a path, such as "
                + "./boards/none"
        ),
        ("pi++neo", "board \"pi++neo\": a part's name is missing beside a +; take the + away"),
        (
            "pi+twin+neo",
            "board \"pi+twin+neo\": \"pi\" and \"twin\" are each a host, and a board has one; leave one out"
        ),
        (
            "lost",
            "lost/board.json5: extends: \"none\": no part of this name in SHELF; a board elsewhere is named by a path, "
                + "such as ./boards/none"
        ),
        ("loop", "pool/board.json5: extends: \"loop\" leads in a circle (loop, pool, loop); take it out"),
        ("self", "self/board.json5: extends: \"self\" leads in a circle (self, self); take it out"),
        (
            "number",
            "number/board.json5: extends: 5 must be a part's name, or a list of them, such as "
                + "[\"zero-2w\", \"neo-m8n-compass\"]"
        ),
        (
            "numbers",
            "numbers/board.json5: extends: 5 must be a part's name, or a list of them, such as "
                + "[\"zero-2w\", \"neo-m8n-compass\"]"
        ),
        (
            "kind",
            "kind/board.json5: part: \"hat\" must be one of \"host\", \"receiver\", \"breakout\", \"power\", \"hostSwitch\""
        ),
        ("schema", "schema/board.json5: $schema: 1 must be a text"),
        ("pi+neo+hot", "hot/board.json5: receiver.supplyVolts: 230 must be volts from 1 to 24"),
        ("hotboard", "hot/board.json5: receiver.supplyVolts: 230 must be volts from 1 to 24"),
        (
            "pi+neo+wrong",
            "wrong/board.json5: lines.powerEnabled: unknown key; the keys here are powerEnable, backupSupply, reset, wake, "
                + "pulsePerSecond, motionInterrupt, indicator"
        ),
        (
            "pi+neo+switch+pulse",
            "pulse/board.json5: lines.pulsePerSecond.name: \"GPIO17\" must be another line: powerEnable has this one, in "
                + "switch/board.json5"
        ),
        (
            "pi+neo+motion",
            "motion/board.json5: accelerometer.x: missing; say where the chip's x axis points, seen from above: "
                + "\"right\", \"left\", \"forward\", \"backward\", \"up\", \"down\""
        ),
    ])
    func `an error names the file that contains the key, and the remedy`(name: String, message: String) throws {
        let shelf = try shelf([
            "twin": Self.host,
            "lost": "{ extends: ['pi', 'none'] }",
            "loop": "{ extends: ['pool'] }",
            "pool": "{ extends: ['neo', 'loop'] }",
            "self": "{ extends: 'self' }",
            "number": "{ extends: 5 }",
            "numbers": "{ extends: ['pi', 5] }",
            "kind": "{ part: 'hat' }",
            "schema": "{ $schema: 1 }",
            "hot": "{ receiver: { supplyVolts: 230 } }",
            "hotboard": "{ extends: ['pi', 'neo', 'hot'], receiver: { baud: 9600 } }",
            "wrong": "{ lines: { powerEnabled: {} } }",
            "switch": "{ lines: { powerEnable: { name: 'GPIO17', safe: 'inactive' } } }",
            "pulse": "{ lines: { pulsePerSecond: { name: 'GPIO17' } } }",
            "motion": "{ accelerometer: { bus: 'B' } }",
        ])
        #expect(shelf.problem(name) == message.replacingOccurrences(of: "SHELF", with: shelf.path))
    }

    @Test func `an endless chain of files that extend each other by ever longer paths is refused`() throws {
        let shelf = try shelf(["a": "{ extends: '../b' }", "b": "{ extends: '../a' }"])
        #expect(shelf.problem("a")?.contains("leads in a circle") == true)
    }

    @Test func `more than 64 files in one board are refused`() throws {
        var parts = (0..<9).map { ("p\($0)", "{ extends: ['p\($0 + 1)', 'p\($0 + 1)'] }") }
        parts.append(("p9", "{}"))
        let shelf = try shelf(Dictionary(uniqueKeysWithValues: parts))
        #expect(
            shelf.problem("pi+neo+p0")
                == "board \"pi+neo+p0\": extends: more than 64 files would make this board; name each part once")
        #expect(try shelf.board("pi+neo+p5").name == "pi+neo+p5")
    }

    @Test(arguments: [
        ("board.json5", "."), (".", ".."), ("..", "../.."), ("../..", "../../.."), ("../board.json5", ".."),
        ("a/board.json5", "a"), ("/board.json5", "/"),
    ])
    func `the parent folder is found for paths that contain dots`(path: String, parent: String) {
        #expect(BoardParts.parent(of: path) == parent)
    }
}
