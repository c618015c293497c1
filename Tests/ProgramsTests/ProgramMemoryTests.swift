import Foundation
import Programs
import Testing

@Suite("The program's own memory")
struct ProgramMemoryTests {
    /// Kilobytes of files that are mapped and present, as the kernel counts them.
    private var mappedKilobytes: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
            return try #require(Int(line.split(whereSeparator: \.isWhitespace)[1]))
        }
    }

    @Test func `mapped pages of the program are given back, and read in again when used`() throws {
        let before = try mappedKilobytes
        ProgramMemory.giveBack()
        // Read by code that was given back a moment before.
        let after = try mappedKilobytes
        #expect(after < before * 3 / 4)
    }
}
