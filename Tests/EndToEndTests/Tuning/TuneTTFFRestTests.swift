import Foundation
import Testing

/// What `scripts/tune-ttff` takes for a rest, on an emulated receiver.
@Suite("The rests of scripts/tune-ttff", .serialized, .enabled(if: Tool.isInstalled("python3"), "python3 is missing"))
struct TuneTTFFRestTests {
    private let scratch: Scratch
    private let tune: TuningScript
    private let record: String

    init() throws {
        scratch = try Scratch()
        tune = TuningScript(name: "tune-ttff", scratch: scratch)
        record = scratch.path("record.jsonl")
    }

    /// For a rest alone.
    private func arguments(_ receiver: LiveReceiver, off: Int = 30, _ more: String = "") -> String {
        "--board '\(receiver.board)' --clock '\(receiver.clock)' --hold 2 --no-restarts --rounds 1 --off \(off) "
            + "--record '\(record)' \(more)"
    }

    private func records(of kind: String) -> [JSON] {
        TuningScript.lines(of: record).compactMap { JSON(line: $0) }.filter { $0.text("kind") == kind }
    }

    // MARK: A rest that an interruption fell into

    @Test func `the end of a rest is recorded before the next start, so that a resumed run does not count it as rest`()
        async throws
    {
        let receiver = try await LiveReceiver(in: scratch)
        // The head, the rest and its end.
        try await tune.killed(arguments(receiver), afterRecords: 3)
        #expect(JSON(line: TuningScript.lines(of: record)[2])?.text("kind") == "woke")
        let result = try await tune(arguments(receiver))
        #expect(!result.program.errors.contains("the receiver has rested for"))
        #expect(result.program.errors.contains("1 of 1  after 30 s"), "\(result.program.errors)")
    }

    /// Who is to have made the rest, the start of the host that it is of, and what the line is while nobody holds it.
    private static let over: [(by: String, isOfThisStart: Bool, isActive: Bool)] = [
        ("line", false, false), ("sleep", false, true), ("sleep", true, false),
    ]

    @Test(arguments: over.indices)
    func `a rest before a reboot, or with the supply line on, is not resumed`(index: Int) async throws {
        let (by, isOfThisStart, isActive) = Self.over[index]
        let receiver = try await LiveReceiver(
            in: scratch, board: BoardText(outputs: [("powerEnable", isActive)]))
        let start = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            .trimmingCharacters(in: .newlines)
        let boot = isOfThisStart ? start : "another"
        let rest =
            "{\"kind\":\"rest\",\"off\":30.0,\"round\":0,\"by\":\"\(by)\",\"boot\":\"\(boot)\",\"uptime\":10,"
            + "\"utc\":1790000000,\"baud\":9600}"
        _ = try scratch.write("{\"kind\":\"tune-ttff\",\"model\":\"neo-m8n\"}\n\(rest)\n", to: "record.jsonl")
        let result = try await tune(arguments(receiver, "--power \(by)"))
        #expect(!result.program.errors.contains("the receiver has rested for"), "\(result.program.errors)")
        #expect(result.program.errors.contains("1 of 1  after 30 s"))
        #expect(records(of: "rest").count == 2)
    }

    @Test func `a timed sleep that only the receiver's timer ends is resumed`() async throws {
        let receiver = try await LiveReceiver(in: scratch, model: "l76k", board: BoardText(outputs: []))
        let given = arguments(receiver, off: 180, "--power sleep")
        try await tune.killed(given, afterRecords: 2)
        try await receiver.pass(60)
        let result = try await tune(given)
        #expect(
            result.program.errors.contains("the receiver has rested for 63 s of 3 min: going on"),
            "\(result.program.errors)")
        #expect(result.program.errors.contains("1 of 1  after 3 min"))
    }

    // MARK: What is none

    @Test func `a receiver that keeps sending with its supply off exits 69`() async throws {
        let receiver = try await LiveReceiver(in: scratch)
        let text = try String(contentsOfFile: receiver.board, encoding: .utf8)
        // As if nothing were wired to EN.
        _ = try scratch.write(text.replacing("#powerEnable", with: "#wake"), to: "board.json5")
        let result = try await tune(arguments(receiver))
        #expect(result.status == 69, "\(result.program.errors)")
        #expect(result.program.errors.contains("it still speaks with its supply switched off; see the wire to EN"))
        #expect(records(of: "rest").isEmpty && records(of: "start").isEmpty)
    }

    @Test func `a receiver that does not sleep when told is reported, and no rest is recorded`() async throws {
        let receiver = try await LiveReceiver(in: scratch, options: "--start hot --fault ignores-sleep")
        let result = try await tune(arguments(receiver, "--power sleep"))
        #expect(result.status == 69)
        #expect(result.program.errors.contains("the neo-m8n does not rest when it is told to; use --power manual"))
        #expect(records(of: "rest").isEmpty)
    }

    @Test func `a receiver that wakes during a rest is measured again, and given up after three times`() async throws {
        let receiver = try await LiveReceiver(in: scratch, options: "--start hot --wakes-after 60")
        let result = try await tune(arguments(receiver, off: 240, "--power sleep"))
        #expect(result.status == 69, "\(result.program.errors)")
        #expect(result.program.errors.contains("it woke in the middle of its rest: this start is measured again"))
        #expect(result.program.errors.contains("it woke in the middle of its rest, 3 times"))
        #expect(records(of: "start").isEmpty && records(of: "woke").count == 3)
    }

    // MARK: How long it was

    @Test func `waiting for the user to switch the supply off does not count as rest`() async throws {
        let receiver = try await LiveReceiver(in: scratch)
        let person = """
            import socket, subprocess
            from tuning.clock import EmulatedClock
            clock, lines = EmulatedClock(sys.argv[2]), socket.socket(socket.AF_UNIX)
            lines.connect(sys.argv[1])
            script = subprocess.Popen(sys.argv[3:], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for line in script.stderr:
                if "supply off" in line:
                    clock.sleep(5)
                    lines.sendall(b"powerEnable 0\\n")
                if "supply off" in line or "supply on" in line:
                    script.stdin.write("\\n")
                    script.stdin.flush()
                if "supply on" in line:
                    lines.sendall(b"powerEnable 1\\n")
            """
        let script = "\(Checkout.path)/scripts/tune-ttff"
        let result = try await Program.shell(
            "SEXTANT_SOCKET='\(scratch.path("none"))' \(TuningScript.python) -c '\(TuningScript.modules + person)' "
                + "'\(scratch.path("lines"))' '\(receiver.clock)' '\(script)' --model neo-m8n "
                + "--device '\(receiver.device)' --clock '\(receiver.clock)' --hold 2 --no-restarts --rounds 1 --off 30 "
                + "--record '\(record)' --power manual", in: scratch)
        #expect(result.status == 0, "\(result.program.errors)")
        let rested = try #require(records(of: "start").first?.number("rested"))
        #expect(rested >= 30 && rested < 32)
    }

    @Test func `a start in which the baud rate had to be searched for is measured again`() async throws {
        let receiver = try await LiveReceiver(in: scratch, options: "--start hot --mind-rate")
        // CFG-PRT: UART1 at 38400 bit/s until the supply is cut; UBX and NMEA in and out. Source: UBX-13003221.
        let change = """
            import os, termios
            from tuning.clock import EmulatedClock
            clock, port = EmulatedClock(sys.argv[2]), os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
            mode = termios.tcgetattr(port)
            mode[0] = mode[1] = mode[3] = 0
            mode[4] = mode[5] = termios.B9600
            termios.tcsetattr(port, termios.TCSANOW, mode)
            # It must have booted.
            clock.sleep(3)
            clock.wrote(os.write(port, bytes.fromhex("b5620600140001000000d00800000096000003000300000000008f70")))
            """
        let changed = try await TuningScript.run(python: change, [receiver.device, receiver.clock], in: scratch)
        #expect(changed.status == 0, "\(changed.program.errors)")
        let result = try await tune(arguments(receiver, "--baud 38400"))
        #expect(
            result.program.errors.contains("the receiver's rate had to be found anew: this start is measured again"),
            "\(result.program.errors)")
        #expect(records(of: "rest").compactMap { $0.number("baud") } == [38_400, 9600])
        let start = try #require(records(of: "start").first)
        #expect(try #require(start.number("boot")) < 10)
    }
}
