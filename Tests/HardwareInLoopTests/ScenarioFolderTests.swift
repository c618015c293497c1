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

    /// The scenarios of the folder, and of `timed` and `sleep` in it, by their paths from the folder.
    private static let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder))?.filter {
        $0.hasSuffix(".scenario")
    }

    @Test func `every scenario is valid, describes what it shows, and expects something`() throws {
        let files = try #require(Self.files)
        #expect(files.count >= 12)
        for file in files {
            let scenario = try Scenario(readFrom: "\(Self.folder)/\(file)")
            #expect(scenario.name + ".scenario" == file.replacing("timed/", with: "").replacing("sleep/", with: ""))
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
                let path = URL(filePath: "\(Self.folder)/\(file)").deletingLastPathComponent().path
                #expect(try TrajectoryFile.read(path: "\(path)/\(way)").points.count > 1)
            }
        }
    }

    @Test func `only scenarios in the folder timed judge an instant or a share of time`() throws {
        for file in try #require(Self.files) where !file.hasPrefix("timed/") {
            for line in try Scenario(readFrom: "\(Self.folder)/\(file)").lines {
                switch line.step {
                case .expectStarts, .expectLocationHeld: Issue.record("\(file): \(line.text)")
                case .run(let command): #expect(!command.contains("daemon-load"), "\(file): \(line.text)")
                default: break
                }
            }
        }
    }
}
