import Emulation
import Foundation
import Testing

@testable import HardwareInLoop

/// The repository's own scenarios.
@Suite("scripts/hil.d")
struct ScenarioFolderTests {
    private static let folder = (1...3).reduce(URL(filePath: #filePath).resolvingSymlinksInPath()) { url, _ in
        url.deletingLastPathComponent()
    }.appending(path: "scripts/hil.d").path

    private static let files = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.filter {
        $0.hasSuffix(".scenario")
    }

    @Test func `every scenario is valid, describes what it shows, and expects something`() throws {
        let files = try #require(Self.files)
        #expect(files.count >= 12)
        for file in files {
            let scenario = try Scenario(readFrom: "\(Self.folder)/\(file)")
            #expect(scenario.name + ".scenario" == file)
            #expect(scenario.summary.hasSuffix("."), "\(file) begins with a comment that says what it shows")
            #expect(
                scenario.name.count + scenario.summary.count <= 130, "\(file): its picture has no room for that title")
            #expect(scenario.lines.contains { Scenario.expects($0.text) }, "\(file) expects nothing")
        }
    }

    @Test func `the README lists every step`() throws {
        let text = try String(contentsOfFile: "\(Self.folder)/README.md", encoding: .utf8)
        for pattern in StepPattern.all {
            #expect(text.contains("| `\(pattern.words)` | \(pattern.meaning) |"), "scripts/hil --words has it")
        }
    }

    @Test func `every trajectory that a scenario names exists and is readable`() throws {
        for file in try #require(Self.files) {
            for line in try Scenario(readFrom: "\(Self.folder)/\(file)").lines {
                guard case .carryReceiver(let way) = line.step else { continue }
                #expect(try TrajectoryFile.read(path: "\(Self.folder)/\(way)").points.count > 1)
            }
        }
    }
}
