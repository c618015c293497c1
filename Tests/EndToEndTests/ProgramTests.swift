import Glibc
import Testing

@Suite("A test's programs")
struct ProgramTests {
    private func isThere(group: Int32) -> Bool { kill(-group, 0) == 0 }

    @Test func `programs started by a test end with it, and so do their children`() async throws {
        let scratch = try Scratch()
        let program = try Program("/bin/sh", ["-c", "sleep 600 | (echo started; cat)"], in: scratch)
        let group = program.identifier
        _ = try await program.lines(1)
        #expect(isThere(group: group))
        _ = consume program
        try await eventually("the end of the pipe") { isThere(group: group) ? nil : () }
    }
}
