import Accelerometers
import Beacons
import Boards
import Configuration
import Foundation
import Hardware
import HostSwitches
import Magnetism
import Magnetometers
import Receivers
import SextantJSON
import Testing

/// The repository's own `boards`.
enum BoardFolders {
    static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("boards").path

    /// The names of all, parts and whole boards.
    static let all = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter {
        FileManager.default.fileExists(atPath: "\(path)/\($0)/board.json5")
    }.sorted()

    static let boards = all.filter { kind(of: $0) == nil }

    static func parts(_ kind: PartKind) -> [String] { all.filter { BoardFolders.kind(of: $0) == kind } }

    /// Every host with every receiver.
    static let pairs = parts(.host).flatMap { host in parts(.receiver).map { "\(host)+\($0)" } }

    /// What is in a board's file; an empty object where it cannot be read.
    static func members(of name: String) -> [String: JSONValue] {
        let bytes = FileManager.default.contents(atPath: "\(path)/\(name)/board.json5") ?? Data()
        guard case .object(let members)? = try? JSONValue(parsing: Array(bytes), allowsJSON5: true) else { return [:] }
        return members
    }

    static func board(_ name: String) throws -> Board { try BoardFile.board(at: name, in: [path]) }

    static func readme(of name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)/README.md", encoding: .utf8)
    }

    /// Nil for a whole board.
    static func kind(of name: String) -> PartKind? {
        guard case .string(let text)? = members(of: name)["part"] else { return nil }
        return PartKind(rawValue: text)
    }

    /// A whole board with this folder in it.
    static func whole(with name: String) -> String {
        switch kind(of: name) {
        case .host: "\(name)+neo-m8n"
        case .receiver: "zero-2w+\(name)"
        case .breakout, .hostSwitch: "zero-2w+neo-m8n+\(name)"
        case .power: "zero-2w+neo-m8n+power-enable+\(name)"
        case nil: name
        }
    }
}

@Suite("Board folders")
struct BoardFolderTests {
    @Test func `there are whole boards, and parts of every kind`() {
        #expect(BoardFolders.boards.contains("zero-2w-neo-m8n") && BoardFolders.boards.contains("zero-2w-max-m10s"))
        for kind in PartKind.allCases { #expect(BoardFolders.parts(kind).count > 4) }
    }

    @Test(arguments: BoardFolders.boards)
    func `each board loads by its folder and by its file`(name: String) throws {
        let board = try BoardFile.board(at: "\(BoardFolders.path)/\(name)")
        #expect(board.name == name)
        #expect(try BoardFile.board(at: "\(BoardFolders.path)/\(name)/board.json5") == board)
    }

    @Test(arguments: BoardFolders.all)
    func `each board or part belongs to a board that loads`(name: String) throws {
        let board = try BoardFile.board(at: BoardFolders.whole(with: name), in: [BoardFolders.path])
        #expect(board.name == BoardFolders.whole(with: name))
    }

    @Test(arguments: BoardFolders.pairs)
    func `every host loads with every receiver, and with every breakout or power switch on top`(pair: String) throws {
        let plain = try BoardFolders.board(pair)
        #expect(plain.receiver.device == "/dev/sextant/uart")
        #expect(plain.bluetooth == nil)
        #expect(try BoardFolders.board("\(pair)+bluetooth").bluetooth == BeaconRadio.Settings())
        for breakout in BoardFolders.parts(.breakout) where breakout != "bluetooth" {
            let sensors = try BoardFolders.board("\(pair)+\(breakout)").sensors
            #expect(sensors != nil && (plain.sensors == nil || sensors?.bus == plain.sensors?.bus))
        }
        for power in BoardFolders.parts(.power) where power != "power-backup-line" {
            let board = try BoardFolders.board("\(pair)+\(power)")
            #expect((board.lines[.powerEnable] == nil) == ["power-none", "power-backup-cell"].contains(power))
        }
        for hostSwitch in BoardFolders.parts(.hostSwitch) {
            // Its pulse is on a line that the Witty Pi 4 has for itself.
            if pair.hasSuffix("+ultimate-gps-hat"), hostSwitch == "witty-pi-4" { continue }
            let board = try BoardFolders.board("\(pair)+\(hostSwitch)")
            #expect(board.hostSwitch.map { $0.model.isOnBus == ($0.bus != nil) } == true)
        }
        // Of a line that is given anew nothing stays, its polarity least of all.
        for second in ["power-enable", "power-enable-on", "power-mosfet", "power-mosfet-5v"] {
            let line = try BoardFolders.board("\(pair)+\(second)").lines[.powerEnable]
            for first in BoardFolders.parts(.power) {
                #expect(try BoardFolders.board("\(pair)+\(first)+\(second)").lines[.powerEnable] == line)
            }
        }
        let backed = try BoardFolders.board("\(pair)+power-enable+power-backup-line")
        #expect(backed.lines[.powerEnable] != nil && backed.backup == .hostLine)
    }

    @Test(arguments: BoardFolders.all)
    func `each board or part has a README that gives its tier and its parts`(name: String) throws {
        let readme = try BoardFolders.readme(of: name)
        #expect(readme.contains("Tier 1") || readme.contains("Tier 2") || readme.contains("Tier 3"))
        #expect(readme.contains("## Parts"))
        if [.host, .receiver].contains(BoardFolders.kind(of: name)) {
            #expect(readme.contains("mW") || readme.contains("mA") || readme.contains(" W "))
        }
    }

    @Test(arguments: BoardFolders.all)
    func `each board or part has a README that gives every line it names`(name: String) throws {
        let readme = try BoardFolders.readme(of: name)
        let lines =
            BoardFolders.kind(of: name) == nil
            ? try BoardFolders.board(name).lines.values.map(\.name) : Self.lines(in: BoardFolders.members(of: name))
        for line in lines { #expect(readme.contains(line)) }
    }

    /// The names of the lines that a file itself gives.
    private static func lines(in members: [String: JSONValue]) -> [String] {
        guard case .object(let lines)? = members["lines"] else { return [] }
        return lines.values.compactMap { line in
            guard case .object(let keys) = line, case .string(let name)? = keys["name"] else { return nil }
            return name
        }
    }

    @Test(arguments: BoardFolders.parts(.power))
    func `each power part's README covers every time without a driver on the line, and its resistor`(name: String)
        throws
    {
        let readme = try BoardFolders.readme(of: name)
        #expect(readme.contains("## When nobody drives the line") && readme.contains("## Draw"))
        guard !Self.lines(in: BoardFolders.members(of: name)).isEmpty else { return }
        for instant in ["power-on", "SIGTERM", "SIGKILL", "upgrade", "reboot", "panics", "persist_gpio_outputs"] {
            #expect(readme.contains(instant), "\(instant)")
        }
        #expect(readme.contains("| R1 |"))
    }

    @Test(arguments: BoardFolders.parts(.host))
    func `each host's README covers the pitfalls in setting up its UART and I2C bus`(name: String) throws {
        guard name != "zero-2w-trimmed" else { return }
        let readme = try BoardFolders.readme(of: name)
        for trap in [
            "config.txt", "cmdline.txt", "console=", "serial0", "ttyAMA0", "disable-bt", "i2c_arm=on", "gpiochip",
        ] {
            #expect(readme.contains(trap), "\(trap)")
        }
    }

    @Test(arguments: BoardFolders.boards + BoardFolders.parts(.breakout))
    func `each board with an accelerometer watches for motion through a line that its README gives`(name: String) throws
    {
        let board = try BoardFolders.board(BoardFolders.whole(with: name))
        guard board.lines[.motionInterrupt] != nil else { return }
        let sensors = try #require(board.sensors)
        let chip = try #require(sensors.accelerometer)
        #expect(sensors.motion != nil)
        #expect(chip.model?.rawValue == board.motion?.sensor)
        let readme = try BoardFolders.readme(of: name)
        // A chip without one is asked at all that it can have.
        let kinds = AccelerometerCatalogue.chips.filter { $0.model == chip.model }
        let addresses = chip.address.map { [$0] } ?? kinds.flatMap { $0.addresses }
        #expect(!addresses.isEmpty)
        for words in ["SDA", "SCL"] + addresses.map({ "\($0)" }) { #expect(readme.contains(words)) }
    }

    @Test(arguments: BoardFolders.all)
    func `each board's safe line levels do not hold its receiver in reset or cut a battery's supply`(name: String)
        throws
    {
        let board = try BoardFolders.board(BoardFolders.whole(with: name))
        #expect(board.lines[.reset]?.safe != .active)
        if board.batteryWattHours != nil { #expect(board.lines[.powerEnable]?.safe != .active) }
    }

    @Test func `the example board in the boards' README loads, and that README lists every part`() throws {
        let page = try String(contentsOfFile: "\(BoardFolders.path)/README.md", encoding: .utf8)
        let file = try #require(page.components(separatedBy: "```").first { $0.contains("extends:") })
        let shelf = FileManager.default.temporaryDirectory.path + "/sextant-\(UUID().uuidString)"
        let folder = "\(shelf)/boat"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: shelf) }
        try Data(file.dropFirst("json5\n".count).utf8).write(to: URL(fileURLWithPath: "\(folder)/board.json5"))
        let board = try BoardFile.board(at: folder, in: [BoardFolders.path])
        #expect(board.name == "boat" && board.lines[.powerEnable]?.name == "GPIO24")
        #expect(board.lines[.powerEnable]?.safe == .inactive && board.lines[.pulsePerSecond] == nil)
        for name in BoardFolders.all { #expect(page.contains("[\(name)](\(name)/README.md)"), "\(name)") }
    }

    @Test func `the boards that existed before parts still load with the same values`() throws {
        let board = try BoardFolders.board("zero-2w-neo-m8n")
        #expect(board.receiver.model == .neoM8N && board.receiver.baud == nil && board.receiver.supplyVolts == 3.3)
        #expect(board.host == HostModel.zero2W.power && board.backup == .battery && board.batteryWattHours == 18.5)
        #expect(
            board.lines.mapValues(\.name) == [
                .powerEnable: "GPIO17", .wake: "GPIO27", .pulsePerSecond: "GPIO18", .motionInterrupt: "GPIO22",
            ])
        #expect(board.motion == MotionSensor(sensor: "lis3dh", milliwatts: 0.02))
        #expect(board.sensors?.motion == MotionThreshold(acceleration: 0.6, duration: 0.1))
        #expect(try BoardFolders.board("zero-2w-max-m10s").host == HostModel.zero2WTrimmed.power)
        #expect(try BoardFolders.board("zero-2w-neo-m8n+gy-273").sensors?.magnetometer != nil)
    }
}
