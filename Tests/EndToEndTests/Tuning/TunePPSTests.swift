import Foundation
import Testing

/// `scripts/tune-pps` on records that are made up, and on pulses that a program sends.
@Suite("scripts/tune-pps", .serialized, .enabled(if: Tool.isInstalled("python3"), "python3 is not installed"))
struct TunePPSTests {
    private let scratch: Scratch
    private let tune: TuningScript

    init() throws {
        scratch = try Scratch()
        tune = TuningScript(name: "tune-pps", scratch: scratch)
    }

    /// A record of one source's pulses.
    ///
    /// - Parameters:
    ///   - jitter: The standard deviation in nanoseconds.
    ///   - delay: Seconds from a pulse to its message's end; nil for no messages.
    ///   - skipping: Seconds without a pulse.
    private func record(
        _ count: Int, jitter: Double, delay: Double? = nil, skipping: Set<Int> = [], doubling: Set<Int> = [],
        clockSet: (at: Int, by: Int) = (0, 0), source: String = "/dev/pps0"
    ) throws -> String {
        var random = SmallRandom()
        var lines = ["{\"kind\":\"tune-pps\",\"board\":\"no-board\"}"]
        for second in 0..<count {
            // A clock that is 12 µs a second fast, and 3 s ahead.
            let nanoseconds = Int(5_000_000 + 12_000 * Double(second) + jitter * random.gaussian())
            let seconds = 1_790_000_003 + second + (second < clockSet.at ? 0 : clockSet.by)
            // When it was heard, by the clock that is never set.
            let heard = Double(second) + 900
            var pulses = skipping.contains(second) ? [] : ["[\(seconds),\(nanoseconds),\(heard)]"]
            if doubling.contains(second) { pulses.append("[\(seconds),\(nanoseconds + 300_000_000),\(heard + 0.3)]") }
            var messages = ""
            if let delay {
                let whole = Double(seconds) + Double(nanoseconds) / 1e9 + delay
                messages = "[\(whole - 0.08),\(whole),\(Double((1_790_000_000 + second) % 60))]"
            }
            lines.append(
                "{\"kind\":\"second\",\"source\":\"\(source)\",\"run\":\(second < count / 2 ? 0 : 1),"
                    + "\"pulses\":[\(pulses.joined(separator: ","))],\"messages\":[\(messages)]}")
        }
        return try scratch.write(lines.joined(separator: "\n") + "\n", to: "record.jsonl")
    }

    private func analyse(_ record: String, _ more: String = "--device /dev/null") async throws -> (
        status: Int32, program: Program
    ) {
        try await tune("--analyse --record '\(record)' \(more)")
    }

    // MARK: What they say

    @Test func `jitter, clock error, delay and numbering match the pulses, and a line for chrony is printed`()
        async throws
    {
        let picture = scratch.path("pps.svg")
        let result = try await analyse(
            try record(300, jitter: 2000, delay: 0.19), "--device /dev/null --picture '\(picture)'")
        #expect(result.status == 0, "\(result.program.errors)")
        let output = result.program.output
        #expect(output.contains("pulses    300 of /dev/pps0, 0 missing, 0 too many"))
        let jitter = try #require(output.firstMatch(of: /jitter +([\d.]+) µs/).flatMap { Double($0.1) })
        #expect(abs(jitter - 2) < 0.5)
        let rate = try #require(output.firstMatch(of: /runs \+([\d.]+) µs a second/).flatMap { Double($0.1) })
        #expect(abs(rate - 12) < 0.05)
        #expect(output.contains("begin 110.0 ms after the pulse, are whole after 190.0 ms"))
        #expect(output.contains("100% of the messages number their pulse alike; the board's clock is +3 s from them"))
        #expect(output.contains("chrony    can use it: refclock PPS /dev/pps0 refid PPS precision "))
        let svg = try String(contentsOfFile: picture, encoding: .utf8)
        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n") && svg.contains("messages whole, ms after"))
    }

    @Test func `coarse pulses are reported as of little use`() async throws {
        let result = try await analyse(try record(300, jitter: 200_000), "--no-messages")
        #expect(result.status == 0)
        #expect(result.program.output.contains("chrony    can use it, and gains little"))
    }

    private func problems(_ record: String) async throws -> String {
        let result = try await analyse(record, "--no-messages")
        #expect(result.status == 1 && result.program.outputLines.last == "not good")
        return result.program.errors
    }

    @Test func `unusable pulses exit 1 with the reason`() async throws {
        let few = try await problems(try record(20, jitter: 0))
        #expect(few.contains("20 pulses are too few; let it go on, 60 at least"), "\(few)")
        let missing = try await problems(try record(200, jitter: 0, skipping: Set(40..<50)))
        #expect(missing.contains("10 pulses are missing of 200; see the sky and the wire"), "\(missing)")
        let outage = try await problems(try record(600, jitter: 0, skipping: Set(100..<250)))
        #expect(outage.contains("150 pulses are missing of 600"))
        let doubled = try await problems(try record(200, jitter: 0, doubling: [70, 71]))
        #expect(doubled.contains("2 pulses came within half a second of another; see the wire"), "\(doubled)")
        let coarse = try await problems(try record(200, jitter: 5e6))
        #expect(coarse.contains("µs, is more than a server on the network has"), "\(coarse)")
    }

    @Test(arguments: [-7200, 7200])
    func `setting the wall clock during the recording neither hides nor invents missing pulses`(by: Int) async throws {
        let record = try record(200, jitter: 2000, delay: 0.19, clockSet: (60, by))
        let result = try await analyse(record)
        #expect(result.status == 0, "\(result.program.errors)")
        let output = result.program.output
        #expect(output.contains("pulses    200 of /dev/pps0, 0 missing, 0 too many"), "\(output)")
        let jitter = try #require(output.firstMatch(of: /jitter +([\d.]+) µs/).flatMap { Double($0.1) })
        #expect(abs(jitter - 2) < 0.5)
        #expect(output.contains("are whole after 190.0 ms"), "\(output)")
    }

    @Test func `missing receiver messages are a problem unless --no-messages is given`() async throws {
        let record = try record(100, jitter: 100)
        let result = try await analyse(record)
        #expect(result.status == 1 && result.program.errors.contains("no message came after a pulse"))
        #expect(try await analyse(record, "--no-messages").status == 0)
    }

    @Test func `a good pulse line is added to a board file that has none`() async throws {
        let folder = scratch.path("mine")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let board = try scratch.write(
            "{\n    lines: {\n        wake: { name: 'GPIO27' },\n    },\n}\n", to: "mine/board.json5")
        var text = try String(contentsOfFile: try record(100, jitter: 100, source: "GPIO18"), encoding: .utf8)
        text.replace("no-board", with: "mine")
        let record = try scratch.write(text, to: "record.jsonl")
        // Pulses of another line say nothing of this one.
        let unheard = try await analyse(record, "--board '\(folder)' --line GPIO4 --no-messages")
        #expect(unheard.status == 1 && unheard.program.errors.contains("0 pulses are too few"))
        #expect(try !String(contentsOfFile: board, encoding: .utf8).contains("pulsePerSecond"))
        let given = "--board '\(folder)' --line GPIO18 --no-messages"
        #expect(try await analyse(record, given).status == 0)
        let after = try String(contentsOfFile: board, encoding: .utf8)
        #expect(after.contains("wake: { name: 'GPIO27' },\n        pulsePerSecond: { name: \"GPIO18\" },\n    },\n"))
        _ = try scratch.write(text.replacing("GPIO18", with: "GPIO4"), to: "record.jsonl")
        let other = try await analyse(record, "--board '\(folder)' --line GPIO4 --no-messages")
        #expect(other.program.errors.contains("names GPIO18, and the pulses came on GPIO4: mend one of them"))
    }

    // MARK: Measuring

    @Test func `a recording is continued where it ended`() async throws {
        for (sent, wanted) in [(2, "2"), (6, "8")] {
            let pulses = try await pulses("send(\(sent))")
            let result = try await tune(
                "--pulses 'unix:\(pulses.path)' --no-messages \(recordOption) --seconds \(wanted)")
            #expect(result.status == 1, "\(result.program.errors)")
            #expect(result.program.errors.contains("\(wanted) pulses are too few"), "\(result.program.errors)")
            if wanted == "8" { #expect(result.program.errors.contains("2 of 8 pulses are in")) }
        }
        let runs = TuningScript.lines(of: scratch.path("record.jsonl")).compactMap { JSON(line: $0)?.number("run") }
        #expect(Set(runs) == [0, 1])
    }

    @Test func `pulses and the messages of an emulated receiver are recorded together`() async throws {
        // The second pulse comes once there are messages.
        let result = try await measure("send(1); wait_for(lambda messages: messages); send(1)")
        #expect(result.program.errors.contains("2 pulses are too few"), "\(result.program.errors)")
        let messages = recorded.flatMap { $0.firstMatch(of: /"messages":\[\[(.+?)\]/).map { [$0.1] } ?? [] }
        let numbers = try #require(messages.first).split(separator: ",").compactMap { Double($0) }
        // When it began, when it was whole, and which second of the minute it is of.
        #expect(numbers.count == 3 && numbers[0] <= numbers[1] && (0..<60).contains(numbers[2]), "\(numbers)")
    }

    @Test func `a card that takes more than a second per record delays no message's time`() async throws {
        // A card this slow has several messages wait for a record's end. The last pulse comes once two that waited have
        // times of their own.
        let apart = "len(messages) > 1 and messages[-1][1] - messages[0][1] > 0.5"
        let result = try await measure(
            "send(1); wait_for(lambda messages: \(apart)); send(1)",
            environment: try tune.patched(
                """
                import os, time
                sync = os.fsync
                def slow(descriptor):
                    time.sleep(1.3)
                    sync(descriptor)
                os.fsync = slow
                """))
        #expect(result.program.errors.contains("2 pulses are too few"), "\(result.program.errors)")
    }

    private var recordOption: String { "--record '\(scratch.path("record.jsonl"))'" }
    /// The seconds that are in the record.
    private var recorded: [String] {
        TuningScript.lines(of: scratch.path("record.jsonl")).filter { $0.contains("\"kind\":\"second\"") }
    }

    /// Measures pulses and an emulated receiver's messages, until two pulses are in the record.
    private func measure(
        _ pulses: String, environment: String = ""
    ) async throws -> (status: Int32, program: Program) {
        let receiver = try Program(
            Built.sextant,
            ["emulate", "receiver", "--model", "neo-m8n", "--start", "hot", "--link", scratch.path("gnss")],
            in: scratch)
        _ = try await receiver.lines(1)
        let pulses = try await self.pulses(pulses)
        let result = try await tune(
            "--pulses 'unix:\(pulses.path)' --device '\(scratch.path("gnss"))' \(recordOption) --seconds 2",
            environment: environment)
        #expect(result.status == 1, "\(result.program.errors)")
        return result
    }

    /// Starts what sends pulses to the first program that connects.
    ///
    /// - Parameter plan: Python: `send(count)`, and `wait_for(condition)` of the messages of a second in the record.
    private func pulses(_ plan: String) async throws -> (path: String, program: Program) {
        let path = scratch.path("pulses")
        let text = """
            import json, os, signal, socket, sys, time
            listener = socket.socket(socket.AF_UNIX)
            if os.path.exists(sys.argv[1]):
                os.unlink(sys.argv[1])
            listener.bind(sys.argv[1])
            listener.listen()
            print("ready", flush=True)
            connection, _ = listener.accept()

            def send(count):
                # One a second, all of them early.
                for second in range(count):
                    connection.sendall(f"{time.time() + second:.9f}\\n".encode())

            def wait_for(condition):
                while True:
                    with open(sys.argv[2]) as file:
                        # The last line may still be written.
                        lines = file.read().split("\\n")[:-1]
                    if any(condition(json.loads(line).get("messages", [])) for line in lines):
                        return
                    time.sleep(0.05)

            \(plan)
            signal.pause()
            """
        let program = try Program(
            TuningScript.python, ["-c", text, path, scratch.path("record.jsonl")], in: scratch)
        _ = try await program.lines(1)
        return (path, program)
    }

    @Test func `no pulses, a missing device and wrong usage have different exit statuses`() async throws {
        let absent = try await tune("--pulses '\(scratch.path("pps"))' --no-messages \(recordOption)")
        #expect(absent.status == 69)
        #expect(absent.program.errors.contains("put dtoverlay=pps-gpio,gpiopin=18 into config.txt"))
        // As one that is there and is somebody else's.
        let refusal = """
            import os
            opened = os.open
            def refuse(path, *rest, **more):
                if str(path).endswith("/pps"):
                    raise PermissionError(13, "Permission denied")
                return opened(path, *rest, **more)
            os.open = refuse
            """
        let refused = try await tune(
            "--pulses '\(scratch.path("pps"))' --no-messages \(recordOption)",
            environment: try tune.patched(refusal))
        #expect(refused.status == 69)
        #expect(refused.program.errors.contains("run this with sudo"), "\(refused.program.errors)")
        #expect(try await tune("--pulses a --line b \(recordOption)").status == 64)
        #expect(try await tune("--seconds 0 \(recordOption)").status == 64)
        let silent = try Program(
            TuningScript.python,
            [
                "-c",
                "import signal, socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); "
                    + "print('ready', flush=True); c = s.accept(); signal.pause()", scratch.path("p"),
            ], in: scratch)
        _ = try await silent.lines(1)
        let none = try await tune("--pulses 'unix:\(scratch.path("p"))' --no-messages --patience 1 \(recordOption)")
        #expect(none.status == 69 && none.program.errors.contains("most receivers give none before their first fix"))
    }
}
