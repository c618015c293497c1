import Accelerometers
import BoardReading
import Boards
import Foundation
import Hardware
import JSONReading
import Magnetism
import Magnetometers
import Receivers
import Testing

/// The repository's own `boards`.
private let boardsFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("boards").path

@Suite("Board folders")
struct BoardFolderTests {
    static let folders = ((try? FileManager.default.contentsOfDirectory(atPath: boardsFolder)) ?? []).filter {
        $0 != "README.md"
    }.sorted()

    @Test func `there are some`() {
        #expect(Self.folders.contains("zero-2w-neo-m8n"))
        #expect(Self.folders.contains("zero-2w-max-m10s"))
    }

    @Test(arguments: folders)
    func `each loads, by its folder and by its file`(name: String) throws {
        let board = try BoardFile.board(at: "\(boardsFolder)/\(name)")
        #expect(board.name == name)
        #expect(try BoardFile.board(at: "\(boardsFolder)/\(name)/board.json5") == board)
    }

    @Test(arguments: folders)
    func `each has a README that gives its tier and what every line is wired to`(name: String) throws {
        let board = try BoardFile.board(at: "\(boardsFolder)/\(name)")
        let readme = try String(contentsOfFile: "\(boardsFolder)/\(name)/README.md", encoding: .utf8)
        #expect(readme.contains("Tier 1") || readme.contains("Tier 2") || readme.contains("Tier 3"))
        for line in board.lines.values { #expect(readme.contains(line.name)) }
    }

    @Test(arguments: folders)
    func `each that has an accelerometer has it watch for motion, by wires that its README gives`(name: String) throws {
        let board = try BoardFile.board(at: "\(boardsFolder)/\(name)")
        guard board.lines[.motionInterrupt] != nil else { return }
        let sensors = try #require(board.sensors)
        let chip = try #require(sensors.accelerometer)
        #expect(sensors.motion != nil)
        #expect(chip.model?.rawValue == board.motion?.sensor)
        let readme = try String(contentsOfFile: "\(boardsFolder)/\(name)/README.md", encoding: .utf8)
        let address = try #require(chip.address)
        for words in ["SDA", "SCL", "\(address)"] { #expect(readme.contains(words)) }
    }

    @Test(arguments: folders)
    func `each one's safe level is one that the receiver survives`(name: String) throws {
        let board = try BoardFile.board(at: "\(boardsFolder)/\(name)")
        #expect(board.lines[.reset]?.safe != .active)
        if board.batteryWattHours != nil { #expect(board.lines[.powerEnable]?.safe != .active) }
    }
}
