import Foundation
import Testing

/// `scripts/tune-motion` with the system's Python, on recordings that are made up.
@Suite("scripts/tune-motion", .serialized, .enabled(if: Tool.isInstalled("python3"), "python3 is not installed"))
struct TuneMotionTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let python = Tool.path("python3") ?? "python3"
    private static let script = "\(Checkout.path)/scripts/tune-motion"

    private func tune(_ arguments: String...) async throws -> (status: Int32, program: Program) {
        let program = try Program(Self.python, [Self.script] + arguments, in: scratch)
        return (try await program.status(), program)
    }

    private func write(_ recording: MotionRecording, to name: String) throws -> String {
        try scratch.write(recording.text, to: name)
    }

    private func threshold(_ program: Program) throws -> Double {
        let line = try #require(program.outputLines.first { $0.hasPrefix("threshold ") })
        return try #require(Double(line.split(separator: " ")[1]))
    }

    // MARK: The threshold

    @Test func `a rest with 20 mg of noise and a walk give a threshold between them, on a step of the chip`()
        async throws
    {
        let rest = try write(.rest(noise: 20), to: "rest.csv")
        let moving = try write(.walk, to: "moving.csv")
        let result = try await tune("--rest", rest, "--moving", moving, "--model", "lis3dh")
        #expect(result.status == 0, "\(result.program.errors)")
        let threshold = try threshold(result.program)
        #expect(threshold > 0.25 && threshold < 1)
        let steps = threshold / 9.80665 / 0.016
        #expect(abs(steps - steps.rounded()) < 0.01)
        #expect(result.program.output.contains("100% of the seconds in motion are above"))
        #expect(result.program.output.contains("which proves only fewer than 180 an hour (95 %)"))
        let line = try #require(result.program.outputLines.last)
        #expect(line.hasPrefix("    motion: { thresholdMetresPerSecondSquared: \(threshold), durationSeconds: 0."))
    }

    @Test func `a quiet rest and a drive with a stop give a threshold near the noise, and a picture of both`()
        async throws
    {
        let rest = try write(.rest(noise: 2), to: "rest.csv")
        let moving = try write(.drive, to: "moving.csv")
        let picture = scratch.path("motion.svg")
        let result = try await tune(
            "--rest", rest, "--moving", moving, "--model", "lis3dh", "--picture", picture)
        #expect(result.status == 0, "\(result.program.errors)")
        let threshold = try threshold(result.program)
        #expect(threshold >= 0.157 && threshold < 0.5)
        let svg = try String(contentsOfFile: picture, encoding: .utf8)
        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
        #expect(svg.contains(">threshold \(threshold)</text>") && svg.contains("at rest") && svg.contains("in motion"))
    }

    @Test(arguments: [
        ("lis3dh", 16.0), ("lsm303dlhc", 16), ("adxl345", 62.5), ("mpu6050", 32), ("mpu6500", 4), ("mpu9250", 4),
        ("icm20948", 4),
    ])
    func `the threshold is a multiple of the chip's own step`(model: String, milligravities: Double) async throws {
        let rest = try write(.rest(noise: 2), to: "rest.csv")
        let moving = try write(.walk, to: "moving.csv")
        let result = try await tune("--rest", rest, "--moving", moving, "--model", model)
        #expect(result.status == 0, "\(result.program.errors)")
        let steps = try threshold(result.program) / 9.80665 * 1000 / milligravities
        #expect(abs(steps - steps.rounded()) < 0.02)
        #expect(result.program.output.contains(", \(Int(steps.rounded())) steps of the chip"))
    }

    @Test func `one knock during the rest leads to a longer required duration`() async throws {
        let rest = try write(.knock, to: "rest.csv")
        let moving = try write(.walk, to: "moving.csv")
        let result = try await tune("--rest", rest, "--moving", moving, "--model", "lis3dh")
        #expect(result.status == 0, "\(result.program.errors)")
        #expect(result.program.output.contains("rest has knocks beside its noise"))
        #expect(result.program.outputLines.last?.contains("durationSeconds: 0.1") == true)
    }

    // MARK: Not good

    @Test func `overlapping rest and motion recordings write no threshold`() async throws {
        let rest = try write(.walk, to: "rest.csv")
        let moving = try write(.rest(noise: 20), to: "moving.csv")
        let board = try scratch.write(BoardEdit.block.before, to: "board.json5")
        let result = try await tune("--rest", rest, "--moving", moving, "--board", board)
        #expect(result.status == 1)
        #expect(result.program.errors.contains("rest and motion overlap: rest needs "))
        #expect(result.program.outputLines.last == "not good: \(board) stays as it is")
        #expect(try String(contentsOfFile: board, encoding: .utf8) == BoardEdit.block.before)
    }

    @Test(arguments: [
        (MotionRecording.rest(noise: 2).kept(0..<20), MotionRecording.walk, "20 s are too short; record 30 s at least"),
        (.rest(noise: 2), MotionRecording.walk.kept(0..<10), "10 s are too short; record 20 s at least"),
        (MotionRecording.rest(noise: 2).kept(0..<20, 35..<60), .walk, "25% of it is missing, 15.0 s at once"),
        (MotionRecording.rest(noise: 2, rate: 3), .walk, "3 samples a second are too few"),
        (MotionRecording.rest(noise: 0), .walk, "all samples are the same; the chip does not measure"),
        (.rest(noise: 2), MotionRecording.saturated, "is at the end of the chip's range; move it as in use"),
    ])
    func `insufficient recordings are not good enough`(
        rest: MotionRecording, moving: MotionRecording, problem: String
    ) async throws {
        let paths = (try write(rest, to: "rest.csv"), try write(moving, to: "moving.csv"))
        let result = try await tune("--rest", paths.0, "--moving", paths.1, "--model", "lis3dh")
        #expect(result.status == 1 && result.program.outputLines.last == "not good")
        #expect(result.program.errors.contains(problem), "\(result.program.errors)")
    }

    // MARK: What cannot be used

    @Test(arguments: [
        ("time,x,y,z\n1,2,3,4\n", "line 1: the header does not name ax; record with: sextant heading --raw --csv"),
        ("time,x,y,z,ax,ay,az\n1,2,3,4,,,\n", "line 2: ax, ay and az are empty; name the board's accelerometer"),
        ("time,x,y,z,ax,ay,az\n1,2,3,4,0,0,9.8\n2,2,3,4,0,nan,9.8\n", "line 3: ay is \"nan\", which is no number; "),
        ("time,x,y,z,ax,ay,az\n1,2,3,4,0,,9.8\n", "line 2: ay is empty; write it"),
        ("time,x,y,z,ax,ay,az\n1,2,3,4,0\n", "line 2: it has 5 fields, fewer than the header; remove the line"),
        ("time,x,y,z,ax,ay,az\n1,2,3,4,0,0,9810\n", "line 2: az is 9810; m/s² lie from"),
        ("time,x,y,z,ax,ay,az\n2,2,3,4,0,0,9.8\n1,2,3,4,0,0,9.8\n", "line 3: its time is before that of the line"),
        ("time,x,y,z,ax,ay,az\n1,2,3,4,0,0,1\n", "its mean acceleration is 1, where gravity alone is 9.8; ax, ay"),
        ("time,x,y,z,ax,ay,az\n", "there is no sample in it; record"),
        ("", "line 1: the header does not name time"),
    ])
    func `an unusable recording exits 65, and its line and the remedy are named`(
        text: String, problem: String
    ) async throws {
        let rest = try scratch.write(text, to: "rest.csv")
        let moving = try write(.walk, to: "moving.csv")
        let result = try await tune("--rest", rest, "--moving", moving)
        #expect(result.status == 65 && result.program.outputLines.isEmpty)
        #expect(result.program.errorLines.count == 1)
        #expect(result.program.errors.hasPrefix("tune-motion: \(rest): \(problem)"), "\(result.program.errors)")
    }

    @Test(arguments: [
        ("{ lines: {}, motion: {} }", "accelerometer: missing; name the chip and its bus"),
        ("{ accelerometer: {} }", "motion: missing; say which sensor drives which line"),
        ("{ lines: {}, motion: {}, accelerometer: {} }", "lines.motionInterrupt: missing; say which line"),
        ("{ lines: { motionInterrupt: {} },\nmotion: {} accelerometer: {} }", "line 2: a comma or } expected; mend"),
        (
            "{ lines: { motionInterrupt: {} }, motion: {},\naccelerometer: { model: 'bma' } }",
            "line 2: the model \"bma\" "
        ),
        ("{\na: 1,\na: 2 }", "line 3: a stands here twice"),
        ("[]", "line 1: the file must hold one object"),
    ])
    func `an unusable board exits 65, and nothing is recorded or written`(
        text: String, problem: String
    ) async throws {
        let board = try scratch.write(text, to: "board.json5")
        let result = try await tune("--board", board)
        #expect(result.status == 65)
        #expect(result.program.errors.hasPrefix("tune-motion: \(board): \(problem)"), "\(result.program.errors)")
        #expect(try String(contentsOfFile: board, encoding: .utf8) == text)
    }

    @Test func `a board without a magnetometer needs both recordings, and says so before recording`() async throws {
        let text = "{ lines: { motionInterrupt: {} }, motion: {}, accelerometer: { model: 'lis3dh' } }"
        let board = try scratch.write(text, to: "board.json5")
        let result = try await tune("--board", board, "--rest", try write(.rest(noise: 2), to: "rest.csv"))
        #expect(result.status == 64)
        #expect(result.program.errors.contains("names no magnetometer, and the daemon records only with one"))
    }

    @Test func `wrong usage exits 64, and a missing sextant command 69`() async throws {
        for arguments in [["--model", "bma180"], ["--seconds", "0"], ["--rest"], ["rest.csv"]] {
            let program = try Program(Self.python, [Self.script] + arguments, in: scratch)
            #expect(try await program.status() == 64, "\(arguments)")
        }
        let none = try await Program.shell("SEXTANT=\(scratch.path("none")) \(Self.script)", in: scratch)
        #expect(none.status == 69)
        #expect(none.program.errors.contains("install Sextant, or name it: SEXTANT=path"))
    }

    // MARK: The board's file

    @Test(arguments: [BoardEdit.block, .oneLine, .withMotion, .noLastComma])
    func `a good threshold is written to the board file, and the rest of the file is unchanged`(edit: BoardEdit)
        async throws
    {
        let rest = try write(.rest(noise: 2), to: "rest.csv")
        let moving = try write(.walk, to: "moving.csv")
        let board = try scratch.write(edit.before, to: "board.json5")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: board)
        let result = try await tune("--rest", rest, "--moving", moving, "--board", scratch.path)
        #expect(result.status == 0, "\(result.program.errors)")
        let motion = try "thresholdMetresPerSecondSquared: \(threshold(result.program))"
        let after = try String(contentsOfFile: board, encoding: .utf8)
        #expect(after == edit.after.replacing("thresholdMetresPerSecondSquared: ?", with: motion))
        let said = try #require(result.program.outputLines.last)
        #expect(said.hasPrefix("good: accelerometer.motion is { \(motion), durationSeconds: 0 } in \(board)"))
        let mode = try FileManager.default.attributesOfItem(atPath: board)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).allSatisfy { !$0.hasPrefix(".") })
    }

    @Test func `for a board made of parts the threshold goes into its own file, not into the part's`() async throws {
        let rest = try write(.rest(noise: 2), to: "rest.csv")
        let moving = try write(.walk, to: "moving.csv")
        let part = """
            {
                part: "breakout", motion: { sensor: "lis3dh", milliwatts: 0.02 },
                lines: { motionInterrupt: { name: "GPIO22" } },
                accelerometer: { bus: "/dev/i2c-none", model: "lis3dh", x: "right", y: "forward" },
            }
            """
        for (name, text) in [("knock", part), ("mine", "{ extends: 'knock', host: '4b' }")] {
            try FileManager.default.createDirectory(atPath: scratch.path(name), withIntermediateDirectories: true)
            _ = try scratch.write(text, to: "\(name)/board.json5")
        }
        let result = try await tune("--rest", rest, "--moving", moving, "--board", scratch.path("mine"))
        #expect(result.status == 0, "\(result.program.errors)")
        let motion = try "{ thresholdMetresPerSecondSquared: \(threshold(result.program)), durationSeconds: 0 }"
        let mine = try String(contentsOfFile: scratch.path("mine/board.json5"), encoding: .utf8)
        #expect(mine == "{ extends: 'knock', host: '4b', accelerometer: { motion: \(motion) } }")
        #expect(try String(contentsOfFile: scratch.path("knock/board.json5"), encoding: .utf8) == part)
        let line = try await tune("--rest", rest, "--moving", moving, "--board", scratch.path("mine+knock"))
        #expect(line.status == 65 && line.program.errors.contains("put the parts into one with extends"))
    }

    @Test func `the daemon accepts the board file as written`() async throws {
        let rest = try write(.rest(noise: 2), to: "rest.csv")
        let moving = try write(.walk, to: "moving.csv")
        let board = try scratch.write(BoardEdit.block.before, to: "board.json5")
        #expect(try await tune("--rest", rest, "--moving", moving, "--board", board).status == 0)
        _ = try await Program.sextantd(["--board", board], in: scratch)
    }

    // MARK: Recording

    @Test func `without given recordings it records with sextant, the rest first`() async throws {
        _ = try write(.rest(noise: 2), to: "0.csv")
        _ = try write(.walk, to: "1.csv")
        // The time of a recording is over when all of it is there.
        let waiting = try TuningScript(name: "tune-motion", scratch: scratch).patched(
            """
            import os, subprocess, time
            wait = subprocess.Popen.wait
            def until_recorded(process, timeout=None):
                while timeout and not os.path.exists("\(scratch.path)/recorded"):
                    time.sleep(0.01)
                if timeout:
                    os.remove("\(scratch.path)/recorded")
                    raise subprocess.TimeoutExpired("sextant", timeout)
                return wait(process)
            subprocess.Popen.wait = until_recorded
            """)
        // Its last line is cut off, as a recording's that is ended.
        let sextant = try scratch.write(
            """
            #!/bin/sh
            [ "$*" = "heading --raw --csv" ] || exit 64
            cd \(scratch.path)
            if mkdir first 2>/dev/null; then cat 0.csv; else cat 1.csv; fi
            printf '1760000'
            trap 'exit 130' INT
            : >recorded
            while :; do sleep 0.05; done
            """, to: "sextant")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: sextant)
        let kept = scratch.path("kept")
        let result = try await Program.shell(
            "\(waiting) SEXTANT=\(sextant) \(Self.script) --seconds 60 --keep \(kept) --model lis3dh", in: scratch)
        #expect(result.status == 0, "\(result.program.errors)")
        #expect(result.program.errorLines.first == "Put the board where it rests in use, and leave it alone.")
        #expect(try FileManager.default.contentsOfDirectory(atPath: kept).sorted() == ["moving.csv", "rest.csv"])
        let refused = try await Program.shell(
            "SEXTANT=/bin/false \(Self.script) --seconds 3600 --keep \(kept)", in: scratch)
        #expect(refused.status == 1)
    }
}

/// A board's file before and after; the threshold is `?`.
struct BoardEdit: Sendable {
    var before: String
    var after: String

    private init(_ accelerometer: String, becomes changed: String) {
        let head = """
            // A board. accelerometer: { motion: 1 }
            {
                receiver: { model: 'neo-m8n', device: "/dev/null", supplyVolts: 3.3, draw: 'typical' },
                lines: { motionInterrupt: { name: 'GPIO22' } },
                backup: "battery", host: 'zero-2w',
                motion: { sensor: "lis3dh", milliwatts: 0.04 }, /* what it
                    draws } */
                accelerometer: 
            """
        before = head + accelerometer + ",\n}\n"
        after = head + changed + ",\n}\n"
    }

    static let block = BoardEdit(
        """
        {
                bus: "/dev/i2c-none", model: "lis3dh",  // at 0x18 }
                x: "right", y: "forward",   // as printed
            }
        """,
        becomes: """
            {
                    bus: "/dev/i2c-none", model: "lis3dh",  // at 0x18 }
                    x: "right", y: "forward",   // as printed
                    motion: { thresholdMetresPerSecondSquared: ?, durationSeconds: 0 },
                }
            """)

    static let noLastComma = BoardEdit(
        """
        {
                bus: "/dev/i2c-none", model: 'lis3dh',
                x: "right",
                y: "forward"    /* as printed */
            }
        """,
        becomes: """
            {
                    bus: "/dev/i2c-none", model: 'lis3dh',
                    x: "right",
                    y: "forward",    /* as printed */
                    motion: { thresholdMetresPerSecondSquared: ?, durationSeconds: 0 },
                }
            """)

    static let oneLine = BoardEdit(
        #"{ bus: "/dev/i2c-none", model: "lis3dh", x: "right", y: "forward" }"#,
        becomes:
            #"{ bus: "/dev/i2c-none", model: "lis3dh", x: "right", y: "forward", motion: { thresholdMetresPerSecondSquared: ?, durationSeconds: 0 } }"#
    )

    static let withMotion = BoardEdit(
        """
        { bus: "/dev/i2c-none", model: "lis3dh", x: "right", y: "forward",
                motion: {
                    thresholdMetresPerSecondSquared: 0.6,     // guessed
                    durationSeconds: 0.1,      // one step
                } }
        """,
        becomes: """
            { bus: "/dev/i2c-none", model: "lis3dh", x: "right", y: "forward",
                    motion: {
                        thresholdMetresPerSecondSquared: ?,     // guessed
                        durationSeconds: 0,      // one step
                    } }
            """)
}
