import Foundation
import Glibc
import Testing

/// `scripts/tune-power` with the meter and the receiver both emulated.
@Suite("scripts/tune-power", .serialized, .enabled(if: Tool.isInstalled("python3"), "python3 is not installed"))
struct TunePowerTests {
    private let scratch: Scratch
    private let tune: TuningScript

    init() throws {
        scratch = try Scratch()
        tune = TuningScript(name: "tune-power", scratch: scratch)
    }

    private func contents(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// The receiver, and a meter that measures what its states draw.
    private func bench(_ meter: String, options: String = "--start hot") async throws -> LiveReceiver {
        let script = "\(TuningScript.python) '\(Checkout.path)/scripts/tuning/emulated-ina'"
        let sockets = "--socket '\(scratch.path("ina"))' --clock '\(scratch.path("clock"))'"
        return try await LiveReceiver(in: scratch, listener: "\(script) \(sockets) \(meter)", options: options)
    }

    private func arguments(_ receiver: LiveReceiver, _ more: String = "") -> String {
        "--board '\(receiver.board)' --bus 'unix:\(scratch.path("ina"))' --clock '\(receiver.clock)' --window 10 "
            + "--record '\(scratch.path("record.jsonl"))' \(more)"
    }

    private func milliwatts(_ state: String, in text: String) -> Double? {
        guard let place = text.range(of: "\(state): ") else { return nil }
        return Double(text[place.upperBound...].prefix { "0123456789.".contains($0) })
    }

    // MARK: Measuring

    @Test(arguments: ["ina219", "ina226"])
    func `each meter measures every state's draw, resumes after a kill, and writes the result`(model: String)
        async throws
    {
        let receiver = try await bench("--model \(model) --milliamps acquire=32,track=29,sleep=5,off=0")
        let record = scratch.path("record.jsonl")
        let picture = scratch.path("draw.svg")
        let given = arguments(receiver, "--picture '\(picture)'")
        // The head and the first state.
        try await tune.killed(given, afterRecords: 2)
        let kept = TuningScript.lines(of: record)
        #expect(kept.count == 2)
        let result = try await tune(given)
        #expect(result.status == 0, "\(result.program.errors)")
        #expect(Array(TuningScript.lines(of: record).prefix(2)) == Array(kept.prefix(2)))
        let text = try contents(receiver.board)
        for (state, milliamps) in [
            ("acquiring", 32.0), ("tracking", 29), ("cyclic", 29), ("softwareSleep", 5), ("hardwareSleep", 5),
        ] {
            let found = try #require(milliwatts(state, in: text), "\(state) in \(text)")
            #expect(abs(found / 3.3 / milliamps - 1) < 0.03, "\(state): \(found)")
        }
        #expect(text.contains("with \(model) (tune-power)\n") && !text.contains("typical"))
        let svg = try contents(picture)
        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n") && svg.contains(">hardwareSleep</text>"))
        _ = try await Program.sextantd(["--board", receiver.board], in: scratch)
    }

    @Test func `a draw below the meter's resolution stays typical unless it is typed in`() async throws {
        let receiver = try await bench("--milliamps acquire=32,track=29,sleep=0.05,off=0 --offset 40")
        let result = try await tune(
            arguments(receiver, "--states tracking,softwareSleep --typed hardwareSleep=15uA"))
        #expect(result.status == 0, "\(result.program.errors)")
        #expect(result.program.errors.contains("below what the meter can tell"))
        let text = try contents(receiver.board)
        #expect(text.contains("acquiring: \"typical\"") && text.contains("softwareSleep: \"typical\""))
        #expect(milliwatts("hardwareSleep", in: text) == 0.0495)
        // 40 µV over 0.1 ohms are 0.4 mA too much.
        let tracking = try #require(milliwatts("tracking", in: text))
        #expect(abs(tracking / 3.3 - 29.4) < 0.5)
    }

    @Test func `a state that the receiver refuses stays typical`() async throws {
        let receiver = try await bench("", options: "--start hot --fault refuses-all")
        let result = try await tune(arguments(receiver, "--states tracking,cyclic"))
        #expect(result.status == 0, "\(result.program.errors)")
        #expect(result.program.errors.contains("cyclic tracking                    is refused by the receiver"))
        #expect(try contents(receiver.board).contains("cyclic: \"typical\""))
    }

    @Test func `with its zero error subtracted a meter resolves smaller draws`() async throws {
        let receiver = try await bench(
            "--milliamps acquire=32,track=1,off=0 --offset 60", options: "--unpowered --no-backup")
        let result = try await tune(arguments(receiver, "--states tracking --zero"), answers: "\n\n")
        #expect(result.status == 0, "\(result.program.errors)")
        let tracking = try #require(milliwatts("tracking", in: try contents(receiver.board)))
        #expect(abs(tracking - 3.3) < 0.2, "\(tracking)")
    }

    @Test func `a state that does not settle is refused, and the board file is unchanged`() async throws {
        let receiver = try await bench("--milliamps acquire=32,track=20,sleep=1 --drift 0.0005")
        let before = try contents(receiver.board)
        let result = try await tune(arguments(receiver, "--states tracking --patience 12"))
        #expect(result.status == 1)
        #expect(result.program.errors.contains("tune-power: tracking did not settle"), "\(result.program.errors)")
        #expect(result.program.outputLines.last == "not good: \(receiver.board) stays as it is")
        #expect(try contents(receiver.board) == before)
    }

    @Test func `a current beyond the shunt's range exits 74, and says what to change`() async throws {
        let receiver = try await bench("--milliamps acquire=500,track=500")
        let result = try await tune(arguments(receiver, "--states tracking"))
        #expect(result.status == 74)
        #expect(result.program.errors.contains("more than 400 mA, or the shunt is open; take a smaller shunt"))
    }

    // MARK: What stayed typical

    @Test func `a typical state is measured again when the meter resolves more or the state is named`() async throws {
        let receiver = try await bench("--milliamps acquire=32,track=29,sleep=0.5,off=0 --offset 20")
        let record = scratch.path("record.jsonl")
        let given = arguments(receiver, "--typed acquiring=32mA --typed hardwareSleep=15uA --typed cyclic=29mA")
        let first = try await tune(given)
        #expect(first.status == 0, "\(first.program.errors)")
        #expect(try contents(receiver.board).contains("softwareSleep: \"typical\""))
        // The meter's error, then all that it could not tell.
        let count = TuningScript.lines(of: record).count
        let again = try await tune(arguments(receiver))
        #expect(again.status == 0 && TuningScript.lines(of: record).count == count, "\(again.program.errors)")
        let named = try await tune(arguments(receiver, "--states softwareSleep"))
        #expect(named.status == 0 && TuningScript.lines(of: record).count == count + 1, "\(named.program.errors)")
        _ = try scratch.write(
            try contents(record)
                + "{\"kind\":\"zero\",\"volts\":2e-5,\"meter\":\"ina219\",\"bus\":\"unix:\(scratch.path("ina"))\","
                + "\"address\":64,\"shunt\":0.1}\n", to: "record.jsonl")
        let zeroed = try await tune(arguments(receiver))
        #expect(zeroed.status == 0, "\(zeroed.program.errors)")
        let found = try #require(milliwatts("softwareSleep", in: try contents(receiver.board)))
        #expect(abs(found / 3.3 - 0.5) < 0.11, "\(found)")
    }

    @Test func `the zero error of another meter is not used`() async throws {
        let receiver = try await bench("--milliamps acquire=32,track=29,off=0")
        _ = try scratch.write(
            "{\"kind\":\"tune-power\",\"model\":\"neo-m8n\"}\n{\"kind\":\"zero\",\"volts\":0.001,\"meter\":\"ina219\","
                + "\"bus\":\"/dev/i2c-7\",\"address\":64,\"shunt\":0.1}\n", to: "record.jsonl")
        #expect(try await tune(arguments(receiver, "--states tracking")).status == 0)
        let tracking = try #require(milliwatts("tracking", in: try contents(receiver.board)))
        #expect(abs(tracking / 3.3 - 29) < 0.5, "\(tracking)")
    }

    @Test func `cyclic tracking that the receiver does not acknowledge counts as refused`() async throws {
        let receiver = try await bench("", options: "--start hot --fault never-answers")
        let result = try await tune(arguments(receiver, "--states cyclic --typed tracking=29mA"))
        #expect(result.status == 0, "\(result.program.errors)")
        #expect(result.program.errors.contains("cyclic tracking                    is refused by the receiver"))
    }

    // MARK: What is wired wrong

    private static let wrong: [(meter: String, problem: String)] = [
        ("--model ina226 --volts 0", "it tells 0.00 V, and the receiver has 3.3; see that VBUS is wired"),
        ("--volts 5", "it tells 5.00 V, and the receiver has 3.3; see that VBUS is wired"),
        ("--milliamps acquire=-32,track=-29", "VIN+ and VIN- are swapped"),
    ]

    @Test(arguments: wrong.indices)
    func `a wrongly wired meter exits 74, and nothing is recorded`(index: Int) async throws {
        let (meter, problem) = Self.wrong[index]
        let receiver = try await bench(meter)
        let result = try await tune(arguments(receiver, "--states tracking"))
        #expect(result.status == 74)
        #expect(result.program.errors.contains(problem), "\(result.program.errors)")
        #expect(TuningScript.lines(of: scratch.path("record.jsonl")).count == 1)
    }

    @Test func `a receiver that keeps sending with its supply off exits 69`() async throws {
        let receiver = try await bench("")
        // As if nothing were wired to EN.
        _ = try scratch.write(
            try contents(receiver.board).replacing("#powerEnable", with: "#wake"), to: "board.json5")
        let result = try await tune(arguments(receiver, "--states hardwareSleep"))
        #expect(result.status == 69)
        #expect(result.program.errors.contains("it still speaks with its supply switched off"))
        #expect(TuningScript.lines(of: scratch.path("record.jsonl")).count == 1)
    }

    @Test func `a receiver that wakes during its sleep measurement exits 69`() async throws {
        let receiver = try await bench("", options: "--start hot --wakes-after 90")
        let result = try await tune(
            arguments(receiver, "--states softwareSleep").replacing("--window 10", with: "--window 240"))
        #expect(result.status == 69)
        #expect(result.program.errors.contains("woke in the middle of its rest"), "\(result.program.errors)")
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `a signal that ends it leaves the receiver awake`(signal: Int32) async throws {
        // The meter hangs in the sleep, so that the script is in it when the signal comes.
        let receiver = try await bench("--hangs-in sleep")
        // The threads of a test keep signals from themselves, and from what they start.
        let unmasked =
            "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); "
            + "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
        let script = try Program(
            "/bin/sh",
            [
                "-c",
                "SEXTANT_SOCKET='\(scratch.path("none"))' exec \(TuningScript.python) -c '\(unmasked)' "
                    + "'\(Checkout.path)/scripts/tune-power' \(arguments(receiver, "--states softwareSleep"))",
            ], in: scratch)
        try await receiver.program.line("its sleep") { JSON(line: $0)?.text("receiver") == "sleep" }
        script.signal(signal)
        #expect(try await script.status() == 130)
        #expect(script.errors.contains("interrupted; what was measured is kept"))
        try await eventually("its waking") {
            receiver.program.outputLines.last?.contains("sleep") == false ? () : nil
        }
    }

    // MARK: Typed in

    @Test func `with --type-in each state is asked for once, in any unit`() async throws {
        let board = try BoardText().write(in: scratch)
        let given = "--board '\(board)' --type-in --record '\(scratch.path("record.jsonl"))'"
        let first = try await tune(given, answers: "32 mA\n")
        #expect(first.status == 0, "\(first.program.errors)")
        let result = try await tune(given, answers: "90 mW\n\n60uW\n15 µA\n")
        #expect(result.status == 0, "\(result.program.errors)")
        #expect(!result.program.errors.contains("acquiring ("))
        #expect(
            result.program.outputLines.last
                == "good: receiver.draw is { milliwatts: { acquiring: 105.6, tracking: 90, cyclic: \"typical\", "
                + "softwareSleep: 0.06, hardwareSleep: 0.0495 } } in \(board); restart sextantd")
        _ = try await Program.sextantd(["--board", board], in: scratch)
    }

    // MARK: What cannot be used

    @Test func `a full disk exits 74`() async throws {
        let typed = String(repeating: "{\"kind\":\"state\",\"state\":\"none\",\"steady\":false}\n", count: 20)
        let record = try scratch.write(
            "{\"kind\":\"tune-power\",\"model\":\"neo-m8n\"}\n" + typed, to: "record.jsonl")
        let result = try await tune(
            "--model neo-m8n --type-in --typed tracking=90mW --record '\(record)'", environment: "ulimit -f 1;")
        #expect(result.status == 74)
        #expect(result.program.errors.contains("; make room, and start this again"), "\(result.program.errors)")
    }

    @Test func `wrong usage exits 64, and a missing or wrong meter 69 or 74`() async throws {
        let board = try BoardText().write(in: scratch)
        for arguments in [
            "", "--model neo-m8n", "--board '\(board)' --address 0x50", "--board '\(board)' --shunt 0",
            "--board '\(board)' --states flying", "--board '\(board)' --typed tracking",
            "--board '\(board)' --typed tracking=29 --record '\(scratch.path("r"))'",
        ] {
            #expect(try await tune(arguments).status == 64, "\(arguments)")
        }
        let absent = try await tune(
            "--board '\(board)' --bus '\(scratch.path("i2c"))' --record '\(scratch.path("record.jsonl"))'")
        #expect(absent.status == 69)
        #expect(absent.program.errors.contains("switch I2C on (sudo raspi-config, Interface, I2C)"))
        let receiver = try await bench("--address 0x41")
        let elsewhere = try await tune(arguments(receiver))
        #expect(elsewhere.status == 74)
        #expect(elsewhere.program.errors.contains("at 0x40: error: no device answers at this address"))
    }
}
