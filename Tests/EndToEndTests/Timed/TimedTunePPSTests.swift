import Foundation
import Testing

/// The times that `scripts/tune-pps` measures, on a machine that does nothing else.
@Suite(
    "What scripts/tune-pps times", .serialized, .enabled(if: Tool.isInstalled("python3"), "python3 is not installed"))
struct TimedTunePPSTests {
    private let scratch: Scratch
    private let tune: TuningScript

    init() throws {
        scratch = try Scratch()
        tune = TuningScript(name: "tune-pps", scratch: scratch)
    }

    @Test func `pulses and messages are timed as they come`()
        async throws
    {
        let first = try await measure("2")
        #expect(first.status == 1)
        #expect(first.program.errors.contains(/[2-5] pulses are too few/), "\(first.program.errors)")
        let second = try await measure("8")
        #expect(second.program.errors.contains(/[2-5] of 8 pulses are/))
        let output = second.program.output
        #expect(output.contains(/pulses +(8|9|1\d) of .+pulses, 0 missing, 0 too many/), "\(output)")
        // The emulator sends 50 ms after the second that it reports.
        let begins = output.firstMatch(of: /begin ([\d.]+) ms after the pulse/).flatMap { Double($0.1) }
        #expect(try #require(begins) > 45)
        #expect(try #require(begins) < 900)
        #expect(output.contains("the board's clock is +0 s from them"), "\(output)")
    }

    @Test func `on a slow card most messages number their pulse alike`() async throws {
        let result = try await measure(
            "8",
            environment: try tune.patched(
                """
                import os, time
                sync = os.fsync
                def slow(descriptor):
                    time.sleep(1.3)
                    sync(descriptor)
                os.fsync = slow
                """))
        let output = result.program.output
        let alike = output.firstMatch(of: /(\d+)% of the messages number their pulse alike/).flatMap { Int($0.1) }
        #expect(try #require(alike, "\(output)") > 60)
        #expect(output.contains("the board's clock is +0 s from them"), "\(output)")
    }

    /// Measures on an emulated receiver, until so many pulses are in the record.
    private func measure(
        _ seconds: String, environment: String = ""
    ) async throws -> (status: Int32, program: Program) {
        let receiver = try Program(
            Built.sextant,
            ["emulate", "receiver", "--model", "neo-m8n", "--start", "hot", "--link", scratch.path("gnss")],
            in: scratch)
        _ = try await receiver.lines(1)
        let path = scratch.path("pulses")
        let pulses = try Program(TuningScript.python, ["-c", Self.pulses, path], in: scratch)
        _ = try await pulses.lines(1)
        return try await tune(
            "--pulses 'unix:\(path)' --device '\(scratch.path("gnss"))' "
                + "--record '\(scratch.path("record.jsonl"))' --seconds \(seconds)",
            environment: environment)
    }

    /// Sends a pulse at each whole second to whoever connects.
    private static let pulses = """
        import os, socket, sys, time
        listener = socket.socket(socket.AF_UNIX)
        if os.path.exists(sys.argv[1]):
            os.unlink(sys.argv[1])
        listener.bind(sys.argv[1])
        listener.listen()
        print("ready", flush=True)
        while True:
            connection, _ = listener.accept()
            try:
                second = int(time.time())
                while True:
                    second += 1
                    time.sleep(max(0, second - time.time()))
                    connection.sendall(f"{second}.{2000 + second % 7 * 500:09}\\n".encode())
            except OSError:
                pass
        """
}
