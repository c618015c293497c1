import Foundation

/// A full-screen program in a terminal of tmux.
final class Screen {
    private let server: String
    private let scratch: Scratch
    private let starter: Program

    init(running command: String, in scratch: Scratch) throws {
        self.scratch = scratch
        server = scratch.path("tmux")
        // Its end is not waited for: the server that it leaves behind looks to Foundation like the process itself.
        starter = try Program(
            "/usr/bin/tmux",
            ["-S", server, "-f", "/dev/null", "new-session", "-d", "-x", "140", "-y", "50", command], in: scratch)
    }

    deinit {
        let end = try? Process.run(URL(filePath: "/usr/bin/tmux"), arguments: ["-S", server, "kill-server"])
        end?.waitUntilExit()
    }

    /// Waits until the screen shows something.
    func text(_ what: String, where fits: (String) -> Bool) async throws -> String {
        var seen = ""
        return try await eventually("on the screen: \(what)", seen: { seen }, every: .milliseconds(200)) {
            let capture = try Program("/usr/bin/tmux", ["-S", server, "capture-pane", "-p"], in: scratch)
            try await capture.status()
            seen = capture.output + capture.errors
            return fits(capture.output) ? capture.output : nil
        }
    }
}
